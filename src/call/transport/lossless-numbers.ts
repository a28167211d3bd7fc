/** Turns the numbers of a JSON text that a JavaScript number would change into texts, so that every digit survives. */

import { isSafeNumber } from 'lossless-json';
import { isJsonObject } from '../../base/json.ts';
import type { Segments } from '../../base/json-difference.ts';

/** Longer ones are no numbers that anybody means; they stay text without a closer look. */
const MAX_NUMBER = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/** One pass over the bytes. @param bytes JSON that `JSON.parse` has accepted, in UTF-8. */
export function quoteUnsafeNumbers(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(bytes, i);
      if (!isSafe(bytes, i, end)) {
        parts.push(bytes.subarray(kept, i), QUOTES, bytes.subarray(i, end), QUOTES);
        kept = end;
      }
      i = end - 1;
    }
  }
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** Finds the paths at which a number of `plain` is a text in `quoted`. Both are one JSON text, before and after `quoteUnsafeNumbers`. */
export function findQuoted(plain: unknown, quoted: unknown, segments: Segments = []): Segments[] {
  if (typeof plain === 'number') return typeof quoted === 'string' ? [segments] : [];
  if (Array.isArray(plain) && Array.isArray(quoted))
    return plain.flatMap((item, at) => findQuoted(item, quoted[at], [...segments, at]));
  if (!isJsonObject(plain) || !isJsonObject(quoted)) return [];
  return Object.keys(plain).flatMap((name) => findQuoted(plain[name], quoted[name], [...segments, name]));
}

const QUOTES = Buffer.from('"');

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

function endOfNumber(bytes: Buffer, start: number): number {
  let end = start + 1;
  for (let byte = bytes[end] ?? 0; isDigit(byte) || IN_NUMBER.has(byte); byte = bytes[end] ?? 0) end++;
  return end;
}

const IN_NUMBER = new Set([...Buffer.from('.eE+-')]);

/** Fifteen digits always fit, unless an exponent moves them. */
function isSafe(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > MAX_NUMBER) return false;
  const text = bytes.toString('latin1', start, end);
  return (text.length <= 15 && !/e/i.test(text)) || isSafeNumber(text);
}
