/** Finds e-mail addresses in a text. It looks at each @ once, within the bounds of an address. */

import type { PersonalRange } from './personal-range.ts';

/** Matches an @ as it is, wide, URL-encoded, or escaped as in JSON. */
const SIGN = /[@＠]|%40|\\u0040/i;

/** The highest number of characters before the @ of an address, and the characters that end it there. */
const MAX_MAILBOX_CHARACTERS = 64;
const SEPARATOR = /[\s@＠<>"'(),;:=«»[\]{}|\\/?&]/;

/** Matches the domain after an @: a name with at least one dot, whose last part is letters. */
const DOMAIN =
  /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,189}[\p{L}\p{N}])?\.(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})(?![\p{L}\p{N}])/iu;
const MAX_DOMAIN_CHARACTERS = 254;

export const mayContainEmail = (text: string) => SIGN.test(text);

/** Yields the addresses in the order of the text. */
export function* findEmails(text: string): Generator<PersonalRange> {
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = getSignLength(text, at);
    if (sign === 0) continue;
    const start = findMailboxStart(text, at, done);
    const behind = at + sign;
    const domain = start === at ? null : DOMAIN.exec(text.slice(behind, behind + MAX_DOMAIN_CHARACTERS));
    if (domain !== null) {
      done = behind + domain[0].length;
      yield { kind: 'e-mail', start, end: done };
    }
    at = Math.max(behind, done) - 1;
  }
}

/**
 * Matches an @ that is spelled out to get past a filter: `anna (at) web.de`, `anna at gmail dot com`, `anna @
 * web.de`.
 */
const SPELLED_SIGN = /\s?[([{]\s?(?:at|@)\s?[)\]}]\s?|\s(?:at|@)\s|\s@|@\s/gi;
const SPELLED_DOT = /\s?[([{]\s?(?:dot|punkt|\.)\s?[)\]}]\s?|\s(?:dot|punkt)\s/gi;

/**
 * Yields addresses that are spelled out. It is for prose only, because elsewhere `at` is a word like others.
 */
export function* findSpelledEmails(text: string): Generator<PersonalRange> {
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(SPELLED_SIGN)) {
    const start = findMailboxStart(text, index, done);
    const behind = index + sign.length;
    if (start === index) continue;
    const end = findEndOfSpelled(text.slice(behind, behind + MAX_DOMAIN_CHARACTERS), /^\s\w+\s$/.test(sign));
    if (end === 0) continue;
    done = behind + end;
    yield { kind: 'e-mail', start, end: done };
  }
}

/**
 * Returns where the domain at the start of the text ends, 0 if there is none.
 * @param hasWord the sign is the word `at` without brackets: a plain dot is then not enough (`bought at
 * shop.example`)
 */
function findEndOfSpelled(text: string, hasWord: boolean): number {
  // Each sign becomes a dot followed by NUL characters that are ignored, so that positions stay the same.
  const plain = text.replace(SPELLED_DOT, (sign) => `.${'\u0000'.repeat(sign.length - 1)}`);
  const dense = plain.replaceAll('\u0000', '');
  const [domain = ''] = DOMAIN.exec(dense) ?? [];
  if (domain === '') return 0;
  let end = 0;
  for (let left = domain.length; left > 0; end += 1) if (plain[end] !== '\u0000') left -= 1;
  const isSpelled = plain.slice(0, end).includes('\u0000');
  return hasWord && !isSpelled ? 0 : end;
}

/** Returns the length of the @ at this position, however it is written; 0 if there is none. */
function getSignLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x40 || code === 0xff20) return 1;
  if (code === 0x25) return text.startsWith('%40', at) ? 3 : 0;
  return code === 0x5c && /^.u0040/i.test(text.slice(at, at + 6)) ? 6 : 0;
}

function findMailboxStart(text: string, at: number, done: number): number {
  const first = Math.max(done, at - MAX_MAILBOX_CHARACTERS);
  let start = at;
  while (start > first && !isSeparator(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Caches the test by character code: 1 for a separator, 2 for any other, 0 if not yet tested. */
const separatorTests = new Uint8Array(0x10000);

function isSeparator(code: number): boolean {
  if (separatorTests[code] === 0) separatorTests[code] = SEPARATOR.test(String.fromCharCode(code)) ? 1 : 2;
  return separatorTests[code] === 1;
}
