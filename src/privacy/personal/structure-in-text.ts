/** What stands within words: JSON (`Gift for {"recipientName": ...}`), also as a text in quotes, and markup. */

import { isDeeperThan, parseJson } from '../../base/json.ts';

/** Elements between words: `for <name>...</name>`. */
const TAG = /<\/?[A-Za-z][^<>]*>/;

/** Where JSON may begin; in quotes it was encoded twice. */
const START = /[{[]\s*(?=[{["\\])|(?<![\\"])"[\\"]*\s*(?=[{[])/g;

/** Brackets that never close make each start be searched to the end: so many lengths of the text in all. */
const MOST_LOOKS = 4;

export const holdsTag = (text: string) => TAG.test(text);

/** True for a text that may hold something else than words. */
export const mayHoldStructure = (text: string) =>
  /[{[<]/.test(text) && (holdsTag(text) || text.search(START) >= 0);

/** What nests deeper than is taken in anywhere counts as words. */
export function changeJsonInText(
  text: string,
  json: (value: unknown, written: string) => string,
  words: (text: string) => string,
): string {
  let changed = '';
  let done = 0;
  let room = MOST_LOOKS * text.length;
  for (const { index } of text.matchAll(START)) {
    if (index < done) continue;
    if (room <= 0) break;
    const end = endOf(text, index);
    room -= (end ?? text.length) - index;
    const written = end === undefined ? '' : text.slice(index, end);
    const value = parseJson(written);
    if (end === undefined || !isTakenIn(value)) continue;
    changed += (done < index ? words(text.slice(done, index)) : '') + json(value, written);
    done = end;
  }
  return done < text.length ? changed + words(text.slice(done)) : changed;
}

/** Two quotes of other words can have a bracket between them. */
function isTakenIn(value: unknown): boolean {
  return typeof value === 'string'
    ? isTakenIn(parseJson(value))
    : value !== undefined && !isDeeperThan(value);
}

/** After the bracket or quote that closes the one at `start`; undefined where none does. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at < text.length ? at + 1 : undefined;
  }
  return undefined;
}

/** Where the quote stands that closes it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
