/** Cuts a text to its beginning. */

import { byteLength, jsonText } from '../json.ts';
import type { Fitted } from './fit-entry.ts';
import { costOf, type Omission, stretch } from './omission.ts';
import { type Part, shownValue, type TextPart } from './part.ts';
import { joinPath } from './path.ts';

/** Characters shown of an encoded document that nobody asked for. */
const STUB = 64;

/** Undefined when there is no room for a single character. */
export function fitText(text: TextPart, path: string, room: number): Fitted | undefined {
  const base = text.json ? joinPath(path, '~json') : path;
  const rest = (from: number): Omission => ({
    select: [joinPath(base, `${from}-${text.to - 1}`)],
    what: stretch(text.json, from, text.to, text.full.length),
    bytes: byteLength(jsonText(text.full.slice(from, text.to))),
  });
  // The last offset has the most digits, so this is the most that the omission can take.
  const left =
    room - costOf([{ ...rest(text.to), bytes: text.full.length * 6 }]) - text.full.length.toString().length;
  const end = longestPrefix(text, Math.min(left, room), isStub(text) ? STUB : Infinity);
  if (end <= text.from) return undefined;
  const part: Part = { ...text, to: end };
  const omitted = [rest(end)];
  return { part, omitted, bytes: byteLength(jsonText(shownValue(part))) + costOf(omitted) };
}

/** A label or a document that nobody asked for; prose is worth reading as far as it fits. */
function isStub(text: TextPart): boolean {
  return !text.asked && !/\s/.test(text.full.slice(0, 200));
}

/** Where a text must end to take at most `room` bytes as JSON; never inside a surrogate pair. */
function longestPrefix(text: TextPart, room: number, most: number): number {
  let low = text.from;
  let high = Math.min(text.to - 1, text.from + Math.min(most, Math.max(0, room)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(jsonText(text.full.slice(text.from, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  return (text.full.codePointAt(low - 1) ?? 0) > 0xffff ? low - 1 : low;
}
