/** Bytes from outside become JSON: valid UTF-8, not too deep, no number changed on the way. */

import { isUtf8 } from 'node:buffer';

/** Nesting that is still read; deeper text is refused, since whoever walks the value later recurses. */
export const MAX_DEPTH = 1000;

export type ReadJson =
  | { ok: true; value: unknown }
  | { ok: false; code: 'INVALID_UTF8' | 'INVALID_JSON' | 'TOO_DEEP'; message: string };

/** Sixteen digits in a row, a dot among them or not, or a large exponent: only there a number can lose something. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Empty bytes are `undefined`. Integers beyond 2^53 and decimals that a number cannot hold stay as text. */
export async function readJson(bytes: Buffer): Promise<ReadJson> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isUtf8(bytes)) return refused('INVALID_UTF8', 'the answer is not valid UTF-8');
  if (deeperThan(bytes, MAX_DEPTH)) {
    return refused('TOO_DEEP', `the answer is JSON nested deeper than ${MAX_DEPTH} levels`);
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: await parse(text) };
  } catch {
    return refused('INVALID_JSON', 'the answer is not valid JSON');
  }
}

function refused(code: 'INVALID_UTF8' | 'INVALID_JSON' | 'TOO_DEEP', message: string): ReadJson {
  return { ok: false, code, message };
}

async function parse(text: string): Promise<unknown> {
  const plain: unknown = JSON.parse(text);
  if (!MAY_LOSE_DIGITS.test(text)) return plain;
  const lossless = await import('lossless-json');
  const parseNumber = (digits: string) => (lossless.isSafeNumber(digits) ? Number(digits) : digits);
  return lossless.parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside strings, on the bytes: no recursion, one pass, stops at the limit. */
function deeperThan(bytes: Buffer, limit: number): boolean {
  if (bytes.length <= limit) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
