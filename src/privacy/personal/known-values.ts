/**
 * Finds the values that were masked last in any other text that leaves the program, except the seller's own
 * contacts.
 */

import { escapeText } from '../../base/text/escape-text.ts';
import { listSpellings } from '../secrets/known-secrets.ts';
import { createBoundedMap } from './bounded-map.ts';
import { findEmails, mayContainEmail } from './emails.ts';
import type { PersonalKind } from './kinds.ts';
import { changeOutsidePlaceholders } from './outside-placeholders.ts';
import { copyRange } from './personal-range.ts';
import { findPhones } from './phones.ts';
import { createTextFinder, type TextFinder } from './text-finder.ts';

/**
 * Placeholders of values that the assistant itself wrote. It may have guessed them, so no masking may confirm
 * a guess.
 */
export type PlaceholdersOfArguments = ReadonlySet<string>;

const MAX_KNOWN_VALUES = 20_000;
/** The number of latest values of which every spelling is searched for: URL-encoded, escaped, in base64. */
const MAX_SPELLED_VALUES = 500;
/** The approximate number of spellings of a value. */
const FORMS_PER_VALUE = 12;
/** A longer value is split into so many pieces at most, because preparing megabytes takes seconds. */
const MAX_PIECE_CHARACTERS = 10_000;
const MAX_PIECES = 10;
/** A longer value is found only as it is: its spellings would take more memory than all others. */
const MAX_SPELLED_LENGTH = 500;
/** The number of the seller's own contacts that are stored; the oldest are dropped. */
const MAX_OWN_CONTACTS = 2_000;

export function createKnownValues() {
  const all = createTextFinder(MAX_KNOWN_VALUES);
  const distinct = createTextFinder(MAX_KNOWN_VALUES);
  const spelled = createTextFinder(MAX_SPELLED_VALUES * FORMS_PER_VALUE, { anywhere: true });
  /**
   * Values whose spellings are not made yet, because most are never needed; the one masked last comes last.
   */
  const unspelled = new Map<string, string>();
  const own = createBoundedMap<true>(MAX_OWN_CONTACTS);

  const addToAll = (value: string, mark: string) => {
    all.add(value, mark);
    all.add(normalizeText(value), mark);
    if (value.length > MAX_SPELLED_LENGTH) return;
    unspelled.delete(value);
    unspelled.set(value, mark);
    if (unspelled.size <= MAX_SPELLED_VALUES) return;
    const [oldest = ''] = unspelled.keys();
    unspelled.delete(oldest);
  };
  const spellAll = () => {
    for (const [value, mark] of unspelled) for (const form of listForms(value)) spelled.add(form, mark);
    unspelled.clear();
  };

  return {
    size: () => all.size(),
    add(kind: PersonalKind, value: string, mark: string) {
      if (!isFindable(kind, value)) return;
      for (const piece of splitIntoPieces(value)) {
        addToAll(piece, mark);
        for (const form of [piece, normalizeText(piece)])
          if (isDistinct(kind, form)) distinct.add(form, mark);
      }
    },
    /** Adds a value that was used in a call, however short it is, because an error can repeat it. */
    addUsed(value: string, mark: string) {
      for (const piece of splitIntoPieces(value)) addToAll(piece, mark);
    },
    /** Replaces all known values in a short text, the last ones in every spelling. Placeholders stay. */
    replaceEverywhere(text: string, brought?: PlaceholdersOfArguments) {
      if (all.size() === 0) return text;
      spellAll();
      return changeOutsidePlaceholders(replaceNormalized(text, all, brought), (piece) =>
        spelled.replaceIn(piece, brought),
      );
    },
    /** Replaces only unmistakable values, for an answer that also has words of our own. Placeholders stay. */
    replaceDistinct: (text: string, brought?: PlaceholdersOfArguments) =>
      replaceNormalized(text, distinct, brought),
    /** Returns the placeholders of the known values that occur in the arguments of a call. */
    broughtBy(text: string): PlaceholdersOfArguments {
      // A name may be split over two arguments, or be URL-encoded.
      const forms = [text, normalizeText(text), text.replaceAll('\n', ' '), decodeUrl(text)];
      return new Set(forms.flatMap(all.replacementsIn));
    },
    /** Records a contact of the seller's own, which is not masked as a buyer's any more. */
    noteOwn(contact: string) {
      own.set(contact, true);
    },
    isOwn: (value: string) => own.get(value) === true,
  };
}

/** Splits a value between words where it has any. */
function splitIntoPieces(value: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < value.length && pieces.length < MAX_PIECES; ) {
    const maxEnd = from + MAX_PIECE_CHARACTERS;
    const blank = maxEnd < value.length ? value.lastIndexOf(' ', maxEnd) : -1;
    const to = blank > from ? blank : maxEnd;
    pieces.push(value.slice(from, to));
    from = blank > from ? blank + 1 : to;
  }
  return pieces;
}

/** Matches combining accents, characters without width, and blanks of other kinds or in a row. */
const NOT_NORMALIZED = /[\p{M}\p{Cf}]|[^\S\n ]| {2}/u;

/** Returns the usual form of a text, so that equal looks are found whatever characters they are made of. */
function normalizeText(text: string): string {
  return NOT_NORMALIZED.test(text)
    ? text
        .normalize('NFC')
        .replace(/\p{Cf}/gu, '')
        .replace(/\s+/gu, ' ')
    : text;
}

/** Replaces known values. A line is normalized only if that lets something be found in it. */
function replaceNormalized(text: string, known: TextFinder, brought?: PlaceholdersOfArguments): string {
  const replace = (piece: string) => known.replaceIn(piece, brought);
  const clean = changeOutsidePlaceholders(text, replace);
  if (!NOT_NORMALIZED.test(clean)) return clean;
  return clean
    .split('\n')
    .map((line) => {
      const words = line.trimStart();
      const plain = normalizeText(words);
      const replaced = plain === words ? plain : changeOutsidePlaceholders(plain, replace);
      return replaced === plain ? line : line.slice(0, line.length - words.length) + replaced;
    })
    .join('\n');
}

/** Decodes the URL-encoded parts of a text. */
const decodeUrl = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

/**
 * Returns all spellings but the plain ones in any case. Those are found only as whole words, because a
 * placeholder within a word would reveal its letters.
 */
function listForms(value: string): string[] {
  const plain = new Set([value.toLowerCase(), escapeText(value).toLowerCase()]);
  // Some letters become two in capitals: Straße, STRASSE.
  return [...listSpellings(value), value.toUpperCase()].filter((form) => !plain.has(form.toLowerCase()));
}

/** Matches names of members that contain a contact; a description of a product is not searched. */
const CONTACT = /mail|phone|fax|mobile|^tel/i;

/**
 * Returns the e-mail addresses and phone numbers in a text of the seller's own, given the name of its member.
 */
export function findOwnContacts(text: string, name: string): string[] {
  // Most texts contain neither.
  if ((text.length > MAX_CONTACT || !mayContainEmail(text)) && !CONTACT.test(name)) return [];
  return [text, ...[...findEmails(text), ...findPhones(text)].map((found) => copyRange(text, found))];
}

const MAX_CONTACT = 200;
const MIN_CHARACTERS = 4;
const MIN_WIDE = 2;
const MIN_DIGITS = 7;
const WIDE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;

/** True if the value is long enough: short ones such as `12` or `Str` are in every text. */
export function isFindable(kind: PersonalKind, value: string): boolean {
  if (/^[\d\s.,-]+$/.test(value)) return kind !== 'postcode' && value.length >= MIN_DIGITS;
  return value.length >= (WIDE.test(value) ? MIN_WIDE : MIN_CHARACTERS);
}

/**
 * True for a value that no text of our own contains by chance: two words of a name, a street with its number.
 */
function isDistinct(kind: PersonalKind, value: string): boolean {
  if (kind === 'postcode') return false;
  if (kind === 'e-mail' || kind === 'phone') return true;
  if (WIDE.test(value)) return value.length > MIN_WIDE;
  if (kind === 'buyer name') return /\p{L}\s+\S*\p{L}/u.test(value);
  if (kind === 'buyer text') return value.length >= LONG_TEXT;
  return value.length >= LONG_VALUE && /\d/.test(value);
}

const LONG_TEXT = 20;
const LONG_VALUE = 8;
