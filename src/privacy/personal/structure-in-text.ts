/** Finds JSON (`Gift for {"recipientName": ...}`, also quoted as a string) and markup within prose. */

import { endOfString, isDeeperThan, parseJson } from '../../base/json.ts';

/** Matches an element between words: `for <name>...</name>`. */
const TAG = /<\/?[\p{L}_][^<>]*>/u;

/**
 * Matches a possible start of JSON. In quotes the JSON was encoded twice; before a backslash it was cut out
 * of such a text.
 */
const START = /[{[]\s*(?=[{["\\\d\-tfn])|(?<![\\"])"[\\"]*\s*(?=[{[])/g;

/**
 * The limit of the characters searched, in lengths of the text: unclosed brackets make each start be searched
 * to the end.
 */
const MAX_LENGTHS = 4;
/** The limit of pieces in one text; what follows counts as prose. */
const MAX_PIECES = 1_000;
/** Longer texts are not searched for elements. */
const MAX_TAGGED = 128 * 1024;

export const containsTag = (prose: string) => prose.length <= MAX_TAGGED && TAG.test(prose);

export const isMarkup = (text: string) => /^\s*<\S/.test(text);

/** True for a text that may contain more than prose. */
export const mayContainStructure = (text: string) =>
  /[{[<]/.test(text) && (isMarkup(text) || containsTag(text) || text.search(START) >= 0);

/**
 * Returns the value of a text that is JSON as a whole; undefined for any other, for a number, and for mere
 * prose in quotes.
 */
export function parseWholeJson(text: string): unknown {
  if (!/^\s*["{[]/.test(text)) return undefined;
  const value = parseJson(text);
  return isNestedJson(value) || (typeof value === 'string' && mayContainStructure(value)) ? value : undefined;
}

/** JSON that is nested too deep counts as prose. */
export function changeJsonInText(text: string, json: ChangeJson, prose: (text: string) => string): string {
  const whole = parseWholeJson(text);
  if (whole !== undefined) return json(whole, text);
  let changed = '';
  let done = 0;
  let pieces = 0;
  let room = MAX_LENGTHS * text.length;
  for (const { 0: start, index } of text.matchAll(START)) {
    if (index < done) continue;
    if (room <= 0 || pieces >= MAX_PIECES) break;
    const isEscaped = !start.startsWith('"') && text[index + start.length] === '\\';
    const end = isEscaped ? findEscapedEnd(text, index) : findEnd(text, index);
    room -= (end ?? text.length) - index;
    const written = end === undefined ? '' : text.slice(index, end);
    const shown = isEscaped ? changeEscaped(written, json, prose) : changeWhole(written, json);
    if (end === undefined || shown === undefined) continue;
    changed += (done < index ? prose(text.slice(done, index)) : '') + shown;
    done = end;
    pieces += 1;
  }
  return done < text.length ? changed + prose(text.slice(done)) : changed;
}

type ChangeJson = (value: unknown, written: string) => string;

function changeWhole(written: string, json: ChangeJson): string | undefined {
  const value = parseJson(written);
  return isNestedJson(value) ? json(value, written) : undefined;
}

/** Changes JSON that was cut out of a JSON string: it is decoded, changed and escaped again. */
function changeEscaped(
  written: string,
  json: ChangeJson,
  prose: (text: string) => string,
): string | undefined {
  const meant = parseJson(`"${written}"`);
  if (typeof meant !== 'string') return undefined;
  const changed = changeJsonInText(meant, json, prose);
  return changed === meant ? written : JSON.stringify(changed).slice(1, -1);
}

/**
 * A string counts only if it is JSON again, because two quotes of other words can have a bracket between
 * them.
 */
function isNestedJson(value: unknown): boolean {
  if (typeof value === 'string') return isNestedJson(parseJson(value));
  return typeof value === 'object' && value !== null && !isDeeperThan(value);
}

/** True if parsing dropped nothing: no object has a member twice. */
export function isParsedWhole(value: unknown, written: string): boolean {
  let members = 0;
  for (let at = 0; at < written.length; at += 1) {
    if (written[at] === '"') at = endOfString(written, at + 1);
    else if (written[at] === ':') members += 1;
  }
  return members === countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + countMembers(one), Array.isArray(value) ? 0 : inner.length);
}

/** Returns the position after the bracket or quote that closes the one at `start`; undefined if none does. */
function findEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at + 1);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at < text.length ? at + 1 : undefined;
  }
  return undefined;
}

/** Matches each quote with the backslashes before it, and each bracket. */
const QUOTE_OR_BRACKET = /(?<!\\)\\*"|[{}[\]]/g;

/** Does the same if every quote is escaped as often as the first: `{\"a\":1}`. */
function findEscapedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quote = 0;
  let isInString = false;
  for (const { 0: sign, index } of text.slice(start).matchAll(QUOTE_OR_BRACKET)) {
    if (sign.endsWith('"')) {
      quote ||= sign.length;
      // Quotes within a string are escaped once more.
      if (sign.length % (2 * quote) === quote) isInString = !isInString;
    } else if (!isInString) depth += sign === '{' || sign === '[' ? 1 : -1;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}
