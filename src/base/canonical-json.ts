/**
 * Gives each JSON value one spelling, so that equal contents have equal hashes whatever the order of their
 * members.
 */

import { createHash, type Hash } from 'node:crypto';
import { InputError } from './errors.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Returns canonical JSON: members sorted by name (UTF-16 code units), no spaces, undefined members left out.
 * `undefined` itself becomes the empty text, which is no JSON value.
 * @throws InputError for what JSON cannot carry (NaN, infinities, bigint, functions)
 */
export function canonicalJson(value: unknown): string {
  return value === undefined ? '' : write(value);
}

/** Returns the SHA-256 of the canonical JSON, in lower-case hex. */
export function sha256(value: unknown): string {
  return hashOf(value).digest('hex');
}

/**
 * Returns the first bytes of the hash for values that are stored by the thousand. The text is built short,
 * because a slice would retain the whole hash in memory.
 */
export function shortSha256(value: unknown, bytes: number): string {
  return hashOf(value).digest().toString('hex', 0, bytes);
}

function hashOf(value: unknown): Hash {
  const hash = createHash('sha256');
  update(hash, value);
  return hash;
}

/** Returns the same hash as `sha256` of the list of all values, which need not be in memory at once. */
export function sha256OfAll(values: Iterable<unknown>): string {
  const hash = createHash('sha256');
  updateList(hash, values);
  return hash.digest('hex');
}

/**
 * Hashes a value without building the text of a long list in memory. A list may also be an iterable that
 * yields its values one by one.
 */
function update(hash: Hash, value: unknown): void {
  if (!containsLongList(value)) hash.update(canonicalJson(value));
  else if (isIterable(value)) updateList(hash, value);
  else if (isJsonObject(value)) {
    let before = '{';
    for (const name of namesOf(value)) {
      hash.update(`${before}${JSON.stringify(name)}:`);
      update(hash, value[name]);
      before = ',';
    }
    hash.update('}');
  }
}

function updateList(hash: Hash, values: Iterable<unknown>): void {
  let before = '[';
  for (const value of values) {
    hash.update(before);
    update(hash, value ?? null);
    before = ',';
  }
  hash.update(before === '[' ? '[]' : ']');
}

const LONG_LIST = 1_000;
/** The depth to which long lists are searched for. */
const LEVELS = 3;

function containsLongList(value: unknown, levels = LEVELS): boolean {
  if (Array.isArray(value) && value.length >= LONG_LIST) return true;
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  if (!Array.isArray(value) && isIterable(value)) return true;
  return Object.values(value).some((member) => containsLongList(member, levels - 1));
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null)).join(',')}]`;
  if (isJsonObject(value)) return writeObject(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value));
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw notJson(`a ${typeof value}`);
}

function writeObject(value: JsonObject): string {
  const members = namesOf(value).map((name) => `${JSON.stringify(name)}:${write(value[name])}`);
  return `{${members.join(',')}}`;
}

const namesOf = (value: JsonObject) =>
  Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();

function notJson(what: string): InputError {
  return new InputError(`The content holds ${what}, which JSON cannot carry.`, 'Send plain JSON values.');
}
