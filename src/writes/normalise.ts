/** One spelling per JSON value, so that equal contents have equal hashes whatever the order of their members. */

import { createHash } from 'node:crypto';
import { InputError } from '../errors.ts';
import { isJsonObject } from '../json.ts';

/** Deeper bodies are refused: none of the service's comes near, and every walk over a body stays within the stack. */
export const MAX_DEPTH = 200;

/**
 * Canonical JSON: members sorted by name (UTF-16 code units), no spaces, members that are undefined left out.
 * `undefined` itself gives the empty text, which no JSON value has.
 * @throws InputError for what JSON cannot carry (NaN, infinities, bigint, functions) and for nesting over MAX_DEPTH
 */
export function canonicalJson(value: unknown): string {
  return value === undefined ? '' : write(value, 0);
}

/** SHA-256 of the canonical JSON, lower-case hex. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new InputError(`The content is nested deeper than ${MAX_DEPTH} levels.`, 'Send a flatter body.');
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => write(item ?? null, depth + 1)).join(',')}]`;
  }
  if (isJsonObject(value)) return writeObject(value, depth);
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value));
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw notJson(`a ${typeof value}`);
}

function writeObject(value: Record<string, unknown>, depth: number): string {
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(value[name], depth + 1)}`);
  return `{${members.join(',')}}`;
}

function notJson(what: string): InputError {
  return new InputError(`The content holds ${what}, which JSON cannot carry.`, 'Send plain JSON values.');
}
