/** One spelling per JSON value, so that equal contents have equal hashes whatever the order of their members. */

import { createHash } from 'node:crypto';
import { InputError } from './errors.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Canonical JSON: members sorted by name (UTF-16 code units), no spaces, members that are undefined left out.
 * `undefined` itself gives the empty text, which no JSON value has.
 * @throws InputError for what JSON cannot carry (NaN, infinities, bigint, functions)
 */
export function canonicalJson(value: unknown): string {
  return value === undefined ? '' : write(value);
}

/** SHA-256 of the canonical JSON, lower-case hex. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null)).join(',')}]`;
  if (isJsonObject(value)) return writeObject(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value));
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw notJson(`a ${typeof value}`);
}

function writeObject(value: JsonObject): string {
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(value[name])}`);
  return `{${members.join(',')}}`;
}

function notJson(what: string): InputError {
  return new InputError(`The content holds ${what}, which JSON cannot carry.`, 'Send plain JSON values.');
}
