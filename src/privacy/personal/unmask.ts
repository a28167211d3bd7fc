/** Replaces placeholders in the arguments of a call by their values, and rejects unknown placeholders. */

import { InputError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import {
  foreignPlaceholdersIn,
  PLACEHOLDER_CONTENT,
  PLACEHOLDER_KINDS,
  PLACEHOLDER_LETTERS,
} from '../../base/text/placeholder-shape.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { OriginalValue, Vault } from './vault.ts';

/**
 * Matches a quote as it is, and as a model may write it back: escaped in JSON, in HTML, or as in texts shown
 * here.
 */
const OPEN = String.raw`(?:«|\\u00ab|\\u\{0{0,2}ab\}|&laquo;)`;
const CLOSE = String.raw`(?:»|\\u00bb|\\u\{0{0,2}bb\}|&raquo;)`;
const ANY_SPELLING = new RegExp(`${OPEN}(${PLACEHOLDER_CONTENT})${CLOSE}`, 'giu');

/** Matches the beginning of a placeholder that was cut off. */
const CUT = new RegExp(
  `${OPEN}(?:${PLACEHOLDER_KINDS.join('|')})(?: [0-9A-Z]{1,4}\\.\\.)? [0-9a-z]{1,8}(?:…|\\.{3}|$)`,
  'iu',
);
/** Matches a placeholder without its quotes. */
const BARE = new RegExp(PLACEHOLDER_CONTENT, 'giu');

const HINT =
  'Read the value again and copy its mark whole, with « and », or ask the person for the value. A mark works for the account that it was shown for, until this program ends.';

/** @throws InputError for a placeholder that is unknown for this account, or that two values share */
export function unmaskPlaceholders(account: string, value: unknown, vault: Vault) {
  const replaced = new Map<string, string>();
  const originalOf = (mark: string, written: string): OriginalValue => {
    const found = vault.find(account, mark);
    if (found === 'twice') throw toError(written, 'stands for two values');
    if (found === 'unknown')
      throw toError(written, `stands for nothing that is known of account ${quoteName(account)}`);
    // The service sent a text that looks like a placeholder, or one from an earlier start.
    if (containsPlaceholders(found.original))
      throw toError(written, 'stands for a text with another mark in it');
    replaced.set(mark, String(found.original));
    return found.original;
  };
  const resolveText = (text: string): OriginalValue => {
    const found = unmaskText(text, originalOf, (mark) => vault.find(account, mark));
    // A text that only looked like a placeholder when it was read is sent as it was then.
    return foreignPlaceholdersIn(text).reduce((all, { shown, meant }) => {
      replaced.set(shown, meant);
      return String(all).replaceAll(shown, () => meant);
    }, found);
  };
  return {
    value: copyWith(value, resolveText),
    replaced: [...replaced].map(([mark, original]) => ({ mark, original })),
  };
}

/** True if the value contains a placeholder anywhere, known or not. */
export const containsPlaceholders = (value: unknown) =>
  someText(value, (text) => text.search(ANY_SPELLING) >= 0);

/** Searches the names of members too. */
function someText(value: unknown, isMatch: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isMatch(value);
  if (Array.isArray(value)) return value.some((item) => someText(item, isMatch));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => isMatch(name) || someText(member, isMatch));
}

/**
 * Rejects placeholders in a call that needs no approval.
 * @throws InputError if the value contains one anywhere, or half of one
 */
export function rejectPlaceholders(tool: string, value: unknown): void {
  if (!someText(value, looksMasked)) return;
  throw new InputError(
    `${tool} takes no marks of personal values: nobody is asked about it, and a mark becomes its value only where the person sees it first; nothing was sent.`,
    'Leave the mark out, or ask the person for the value. Rows with the same mark are found with query_data, in what collect_data has collected.',
  );
}

function looksMasked(text: string): boolean {
  if (!MAY_HAVE_PLACEHOLDER.test(text)) return false;
  if (text.search(ANY_SPELLING) >= 0 || CUT.test(text)) return true;
  for (const quoted of findQuoted(text)) if (isLikePlaceholder(quoted, () => false)) return true;
  return false;
}

function unmaskText(
  text: string,
  originalOf: (mark: string, written: string) => OriginalValue,
  find: (mark: string) => ReturnType<Vault['find']>,
): OriginalValue {
  if (!MAY_HAVE_PLACEHOLDER.test(text)) return text;
  const parts: OriginalValue[] = [];
  let done = 0;
  const addPiece = (piece: string) => {
    rejectHalves(piece, find);
    if (piece !== '') parts.push(piece);
  };
  for (const { 0: written, 1: inside = '', index } of text.matchAll(ANY_SPELLING)) {
    addPiece(text.slice(done, index));
    parts.push(originalOf(toPlaceholder(inside), written));
    done = index + written.length;
  }
  addPiece(text.slice(done));
  const [only] = parts;
  // A number stays a number if nothing else is beside it.
  return parts.length === 1 && only !== undefined ? only : parts.join('');
}

/** A quick test that spares other texts the rest. */
const MAY_HAVE_PLACEHOLDER = /buyer|address|e-mail|phone|tax number|postcode|«|%C2%AB/i;

const ENCODED: Readonly<Record<string, string>> = { '%c2%ab': '«', '%c2%bb': '»', '%c2%a0': ' ', '%20': ' ' };
const ANY_ENCODED = /%c2%(?:ab|bb|a0)|%20/gi;

/** The highest number of characters of a written placeholder. */
const MAX_QUOTED_CHARACTERS = 60;

interface Quoted {
  inside: string;
  /** Its letters and digits. */
  plain: string;
}

/**
 * Yields the texts between « and », plain or URL-encoded. It looks at each character once, because a text can
 * have megabytes.
 */
function* findQuoted(given: string): Generator<Quoted> {
  const text = given.replace(ANY_ENCODED, (code) => ENCODED[code.toLowerCase()] ?? code);
  for (let open = text.indexOf('«'); open >= 0; open = text.indexOf('«', open + 1)) {
    let plain = '';
    for (let at = open + 1; at - open - 1 <= MAX_QUOTED_CHARACTERS; at += 1) {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code) || code === OPEN_QUOTE || code === PERCENT) break;
      if (code === CLOSE_QUOTE) {
        if (at > open + 1) yield { inside: text.slice(open + 1, at), plain };
        break;
      }
      plain += plainLetters[code] ?? addPlain(text, at, code);
    }
  }
}

const OPEN_QUOTE = 0xab;
const CLOSE_QUOTE = 0xbb;
const PERCENT = 0x25;

/** Adds nothing for the second half of a surrogate pair, which is part of the first. */
function addPlain(text: string, at: number, code: number): string {
  const letter = String.fromCodePoint(text.codePointAt(at) ?? code);
  const plain = toPlain(letter);
  // Half a pair alone does not determine the letter, so it is not cached.
  if (code < 0xd800 || code > 0xdfff) plainLetters[code] = plain;
  return plain;
}

/**
 * Caches letters and digits by code, without width and case: computing one takes a thousand times as long.
 */
const plainLetters: (string | undefined)[] = Array(0x10000);

const toPlain = (letter: string) =>
  letter
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const KINDS = PLACEHOLDER_KINDS.map((kind) => [kind, toPlain(kind)] as const);
const FIRST_LETTERS = new Set(KINDS.map(([, word]) => word.charAt(0)));

/**
 * True for a placeholder that a model did not copy exactly: `«buyer  name 3f2ak9xq»`, `«buyer_name:
 * 3f2ak9xo»`, `«buyer name ...»`.
 */
function isLikePlaceholder({ inside, plain }: Quoted, isKnown: (mark: string) => boolean): boolean {
  if (plain.length !== PLACEHOLDER_LETTERS && !FIRST_LETTERS.has(plain.charAt(0))) return false;
  return KINDS.some(([kind, word]) => {
    if (plain.length === PLACEHOLDER_LETTERS && isKnown(`«${kind} ${plain}»`)) return true;
    if (!plain.startsWith(word)) return false;
    const rest = plain.slice(word.length);
    if (rest === '') return /(?:\.\.|…)\s*$/.test(inside);
    return (
      rest.length >= PLACEHOLDER_LETTERS &&
      rest.length <= PLACEHOLDER_LETTERS + MAX_AREA_CHARACTERS &&
      /\d/.test(rest)
    );
  });
}

const MAX_AREA_CHARACTERS = 4;

/** Rejects half a placeholder, which would otherwise be sent in place of a value. */
function rejectHalves(piece: string, find: (mark: string) => ReturnType<Vault['find']>): void {
  const cut = CUT.exec(piece);
  if (cut !== null) throw toError(cut[0], 'is not the whole of a mark');
  for (const quoted of findQuoted(piece)) {
    if (isLikePlaceholder(quoted, (mark) => find(mark) !== 'unknown'))
      throw toError(`«${quoted.inside}»`, 'is no mark as it was given');
  }
  for (const [inside] of piece.matchAll(BARE)) {
    if (find(toPlaceholder(inside)) !== 'unknown') throw toError(inside, 'has lost the « and » of its mark');
  }
}

/** Restores the case in which the placeholder was made. */
function toPlaceholder(inside: string): string {
  return `«${inside.toLowerCase().replace(/ ([0-9a-z]{1,4})(?=\.\.)/, (area) => area.toUpperCase())}»`;
}

function toError(written: string, problem: string): InputError {
  return new InputError(`${quoteName(written.slice(0, 80))} ${problem}; nothing was sent.`, HINT);
}

/** Copies member names too, because a placeholder can be anywhere. */
function copyWith(value: unknown, resolveText: (text: string) => OriginalValue): unknown {
  if (typeof value === 'string') return resolveText(value);
  if (Array.isArray(value)) return value.map((item) => copyWith(item, resolveText));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    String(resolveText(name)),
    copyWith(member, resolveText),
  ]);
  const names = new Set(members.map(([name]) => name));
  if (names.size < members.length) {
    throw new InputError(
      'Two members have the same name once their marks are replaced; nothing was sent.',
      HINT,
    );
  }
  return Object.fromEntries(members);
}
