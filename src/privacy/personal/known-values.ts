/** The values that were masked last, to be found in any other text that leaves; and the seller's own, which stay. */

import { escapeText } from '../../base/text/escape-text.ts';
import { spellings } from '../secrets/known-secrets.ts';
import { changeBetweenMarks } from './between-marks.ts';
import { createBoundedMap } from './bounded-map.ts';
import { findEmails, mayHoldEmail } from './emails.ts';
import { foundIn } from './found.ts';
import type { PersonalKind } from './kinds.ts';
import { findPhones } from './phones.ts';
import { createTextFinder, type TextFinder } from './text-finder.ts';

/** Marks of values that the assistant wrote itself: it may have guessed them, and must not be told that it was right. */
export type Brought = ReadonlySet<string>;

const MOST_KNOWN = 20_000;
/** Of the last ones every spelling is searched for: URL-encoded, escaped, in base64. */
const MOST_SPELLED = 500;
/** About so many for each. */
const FORMS = 12;
/** A longer one is found piece by piece, as far as that: to make ready for megabytes takes seconds. */
const LONGEST_PIECE = 10_000;
const MOST_PIECES = 10;
/** A longer one is found as it is: its spellings would take more room than all others. */
const LONGEST_SPELLED = 500;
/** Contacts of the seller's own; of more, the last. */
const MOST_OWN = 2_000;

export function createKnownValues() {
  const all = createTextFinder(MOST_KNOWN);
  const distinct = createTextFinder(MOST_KNOWN);
  const spelled = createTextFinder(MOST_SPELLED * FORMS, { anywhere: true });
  /** Whose spellings are not made yet: most are never needed. What was masked last stands last. */
  const waiting = new Map<string, string>();
  const own = createBoundedMap<true>(MOST_OWN);

  const addToAll = (value: string, mark: string) => {
    all.add(value, mark);
    all.add(plainOf(value), mark);
    if (value.length > LONGEST_SPELLED) return;
    waiting.delete(value);
    waiting.set(value, mark);
    if (waiting.size <= MOST_SPELLED) return;
    const [oldest = ''] = waiting.keys();
    waiting.delete(oldest);
  };
  const spellWaiting = () => {
    for (const [value, mark] of waiting) for (const form of formsOf(value)) spelled.add(form, mark);
    waiting.clear();
  };

  return {
    size: () => all.size(),
    add(kind: PersonalKind, value: string, mark: string) {
      if (!isWorthFinding(kind, value)) return;
      for (const piece of piecesOf(value)) {
        addToAll(piece, mark);
        for (const form of [piece, plainOf(piece)]) if (isDistinct(kind, form)) distinct.add(form, mark);
      }
    },
    /** The same for one that was used in a call: an error can repeat it, however short it is. */
    addUsed(value: string, mark: string) {
      for (const piece of piecesOf(value)) addToAll(piece, mark);
    },
    /** For a short text: all that are known, the last ones in every spelling. Marks stay. */
    replaceEverywhere(text: string, brought?: Brought) {
      if (all.size() === 0) return text;
      spellWaiting();
      return changeBetweenMarks(replacePlain(text, all, brought), (piece) =>
        spelled.replaceIn(piece, brought),
      );
    },
    /** For an answer in which our own words stand too: only what can be nothing else. Marks stay. */
    replaceDistinct: (text: string, brought?: Brought) => replacePlain(text, distinct, brought),
    /** Which of them stand in what a call brought with it. */
    broughtBy(text: string): Brought {
      // A name may be given in two arguments, or as it stands in an address.
      const forms = [text, plainOf(text), text.replaceAll('\n', ' '), decoded(text)];
      return new Set(forms.flatMap(all.replacementsIn));
    },
    /** From now on this address or number is no buyer's. */
    noteOwn(contact: string) {
      own.set(contact, true);
    },
    isOwn: (value: string) => own.get(value) === true,
  };
}

/** Cut between words where there are some. */
function piecesOf(value: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < value.length && pieces.length < MOST_PIECES; ) {
    const most = from + LONGEST_PIECE;
    const blank = most < value.length ? value.lastIndexOf(' ', most) : -1;
    const to = blank > from ? blank : most;
    pieces.push(value.slice(from, to));
    from = blank > from ? blank + 1 : to;
  }
  return pieces;
}

/** Letters whose accents stand apart, characters without width, blanks of other kinds or several of them. */
const UNPLAIN = /[\p{M}\p{Cf}]|[^\S\n ]| {2}/u;

/** As it is mostly written: what looks the same is found, whatever characters it is made of. */
function plainOf(text: string): string {
  return UNPLAIN.test(text)
    ? text
        .normalize('NFC')
        .replace(/\p{Cf}/gu, '')
        .replace(/\s+/gu, ' ')
    : text;
}

/** A line is written plainly only where that lets something be found in it. */
function replacePlain(text: string, known: TextFinder, brought?: Brought): string {
  const replace = (piece: string) => known.replaceIn(piece, brought);
  const clean = changeBetweenMarks(text, replace);
  if (!UNPLAIN.test(clean)) return clean;
  return clean
    .split('\n')
    .map((line) => {
      const words = line.trimStart();
      const plain = plainOf(words);
      const replaced = plain === words ? plain : changeBetweenMarks(plain, replace);
      return replaced === plain ? line : line.slice(0, line.length - words.length) + replaced;
    })
    .join('\n');
}

/** Where it is URL-encoded. */
const decoded = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

/** Without the plain ones, in any case, for which the borders of words count: a mark within a word tells its letters. */
function formsOf(value: string): string[] {
  const plain = new Set([value.toLowerCase(), escapeText(value).toLowerCase()]);
  // In capitals some letters become two: Straße, STRASSE.
  return [...spellings(value), value.toUpperCase()].filter((form) => !plain.has(form.toLowerCase()));
}

/** Where a contact stands by itself; a description of a product is not searched. */
const CONTACT = /mail|phone|fax|mobile|^tel/i;

/** The addresses and numbers that are given as such in a text of the seller's own, by the name of its member. */
export function contactsIn(text: string, name: string): string[] {
  // Most texts are neither.
  if ((text.length > LONGEST_CONTACT || !mayHoldEmail(text)) && !CONTACT.test(name)) return [];
  return [text, ...[...findEmails(text), ...findPhones(text)].map((found) => foundIn(text, found))];
}

const LONGEST_CONTACT = 200;
const FEWEST_CHARACTERS = 4;
const FEWEST_WIDE = 2;
const FEWEST_DIGITS = 7;
const WIDE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/** Short ones are in every text: `12`, `Str`. */
export function isWorthFinding(kind: PersonalKind, value: string): boolean {
  if (/^[\d\s.,-]+$/.test(value)) return kind !== 'postcode' && value.length >= FEWEST_DIGITS;
  return value.length >= (WIDE.test(value) ? FEWEST_WIDE : FEWEST_CHARACTERS);
}

/** Two words of a name, a street with its number: nothing that a text of ours says by chance. */
function isDistinct(kind: PersonalKind, value: string): boolean {
  if (kind === 'postcode') return false;
  if (kind === 'e-mail' || kind === 'phone') return true;
  if (WIDE.test(value)) return value.length > FEWEST_WIDE;
  if (kind === 'buyer name') return /\p{L}\s+\S*\p{L}/u.test(value);
  if (kind === 'buyer text') return value.length >= LONG_TEXT;
  return value.length >= LONG_VALUE && /\d/.test(value);
}

const LONG_TEXT = 20;
const LONG_VALUE = 8;
