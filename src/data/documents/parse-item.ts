/** One JSON value of a document; numbers that a JavaScript number would change become texts, so that no digit is lost. */

import { isSafeNumber, parse } from 'lossless-json';
import { isDeeperThan } from '../../base/json.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';

/** What may be a number of more digits, or with a larger exponent, than fit; matching inside a text costs time only. */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** @param place where it stands, for the error: `line 12`. @throws DocumentError */
export function parseItem(text: string, limits: DocumentLimits, place: () => string): unknown {
  const value = parseStrictly(text, place);
  if (isDeeperThan(value, limits.depth)) throw tooDeep(limits);
  return SUSPICIOUS.test(text) ? parse(text, undefined, safeNumber) : value;
}

function parseStrictly(text: string, place: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(place());
  }
}

export function notJson(place: string): DocumentError {
  return new DocumentError('damaged', `The document is not valid JSON at ${place}.`);
}

export function tooDeep({ depth }: DocumentLimits): DocumentError {
  return new DocumentError(
    'too-large',
    `The document nests deeper than ${depth} levels, which is the limit.`,
  );
}

function safeNumber(text: string): number | string {
  return isSafeNumber(text) ? Number(text) : text;
}
