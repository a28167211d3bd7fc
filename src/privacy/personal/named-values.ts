/**
 * Finds values that follow their names in text that no parser accepts: JSON that was cut or has loose quotes,
 * markup with escaped signs, `key=value` texts, lines of a form.
 */

import { contextOf, type MemberContext, treatmentOfContext } from './member-rule.ts';
import type { PersonalRange } from './personal-range.ts';

/**
 * Matches a sign between a name and its value, or one that ends an object or an element. A bracket may be
 * escaped several times.
 */
const SIGN = /[=:}]|&(?:amp;){0,4}gt;|&(?:amp;){0,4}lt;\//g;

/** The name is looked for in this many characters before a sign, and has at most this many words. */
const NAME_ROOM = 80;
const MAX_NAME_WORDS = 4;
const IN_NAME = /[\p{L}\p{N}_.\- ]/u;

/** An object or an element opens with one of these. */
const OBJECT_START = /^(?:\{|&(?:amp;){0,4}lt;[\p{L}_])/u;

/** A value without quotes ends here, or before the next name and its sign. */
const END = /[;&|<\n\r}\]]|,\s{0,4}\\{0,8}["']?[\p{L}_][\p{L}\p{N}_.\- ]{0,40}\\{0,8}["']?\s{0,4}[=:]/u;

/** No text of the service nests deeper. */
const MAX_DEPTH = 64;

/** Returns false, after a quick scan, for most texts without a name and its value. */
export const mayContainNamedValues = (text: string) => /[=:]|gt;/.test(text);

/** Yields the named values in the order of the text. */
export function* findNamedValues(text: string): Generator<PersonalRange> {
  const open: MemberContext[] = [];
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (index < done) continue;
    if (sign === '}' || sign.endsWith('/')) {
      open.pop();
      continue;
    }
    const name = nameBefore(text, index);
    if (name === undefined) continue;
    const context = contextOf(name, open.at(-1));
    const start = index + sign.length + lengthOf(/^\s{0,8}\[?\s{0,8}/, text, index + sign.length);
    if (OBJECT_START.test(text.slice(start, start + MAX_SIGN))) {
      if (open.length < MAX_DEPTH) open.push(context);
      continue;
    }
    const kind = treatmentOfContext(context, { isText: true });
    if (kind === undefined || kind === 'free text') continue;
    const value = valueAt(text, start);
    done = Math.max(done, value.end);
    if (HAS_CONTENT.test(text.slice(value.start, value.end))) yield { kind, ...value };
  }
}

const MAX_SIGN = 40;

const HAS_CONTENT = /^(?!(?:null|true|false|undefined|none)$)(?=.*[\p{L}\p{N}])/isu;

function nameBefore(text: string, end: number): string | undefined {
  const before = text.slice(Math.max(0, end - NAME_ROOM), end).replace(/\\{0,8}["']?\s{0,8}$/, '');
  let start = before.length;
  while (start > 0 && IN_NAME.test(before[start - 1] ?? '')) start -= 1;
  const words = before.slice(start).trim().split(/ +/);
  return words[0] === '' ? undefined : words.slice(-MAX_NAME_WORDS).join(' ');
}

/**
 * Finds where a value begins and ends, without its quotes. The quotes may be escaped and, where the text was
 * cut, the closing one may be missing.
 */
function valueAt(text: string, start: number): Pick<PersonalRange, 'start' | 'end'> {
  const quote = /^\\{0,8}["']/.exec(text.slice(start, start + MAX_SIGN))?.[0];
  if (quote !== undefined) {
    const from = start + quote.length;
    return { start: from, end: endOfQuoted(text, from, quote) };
  }
  const rest = text.slice(start);
  const end = END.exec(rest)?.index ?? rest.length;
  return { start, end: start + rest.slice(0, end).trimEnd().length };
}

/** A quote within the value has more backslashes before it than the one that opens it. */
function endOfQuoted(text: string, from: number, opening: string): number {
  const quote = opening.slice(-1);
  const escapes = opening.length - 1;
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    let before = 0;
    while (before <= at - from && text[at - 1 - before] === '\\') before += 1;
    if (escapes === 0 ? before % 2 === 0 : before <= escapes) return at - Math.min(before, escapes);
  }
  return text.length;
}

const lengthOf = (what: RegExp, text: string, from: number) =>
  what.exec(text.slice(from, from + MAX_SIGN))?.[0].length ?? 0;
