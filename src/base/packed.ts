/** Many values in little memory: serialized and compressed part by part, a few parts open at a time. */

import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createRecent } from './recent.ts';

/** What a long list is to those who go through it, packed or not. */
export interface LongList<Value> extends Iterable<Value> {
  readonly length: number;
  at(index: number): Value | undefined;
}

/** Values of one part: worked on together, within a millisecond, and let go while they are young. */
const A_PART = 50;
/** So many are not packed: a list of some thousand values, as most are, never is. */
const PLAIN_PARTS = 60;
/** Beyond that, packed for each that comes, until all are: a list that turns out to be long makes nobody wait. */
const PACKED_AT_ONCE = 2;
/** Parts that stay open beside them: values are asked for in about the order in which they came. */
const OPEN_PARTS = 3;
/**
 * Once a list is long, the heap is collected whole when it has doubled since the last time, not quadrupled: what is made of
 * a long list and let go was most of the memory that it took.
 */
const FRUGAL = '--heap-growing-percent=100';
/** Fast, and lists of things that are alike become a tenth. */
const LEVEL = { level: 1 };

/**
 * In the order in which they are put. What is taken out may be a copy: nothing of it need be the same object twice, and
 * nobody changes it. Takes what can be cloned: plain values, also undefined, maps and sets.
 */
export class Packed<Value> implements LongList<Value> {
  readonly #parts: (Uint8Array | readonly Value[])[] = [];
  /** So many of the first are packed. */
  #packed = 0;
  readonly #plainParts: number;
  readonly #open = createRecent<number, readonly Value[]>(OPEN_PARTS);
  #last: Value[] = [];

  /** @param plainParts in a list of so many parts none is packed */
  constructor(plainParts = PLAIN_PARTS) {
    this.#plainParts = plainParts;
  }

  get length(): number {
    return this.#parts.length * A_PART + this.#last.length;
  }

  push(value: Value): void {
    this.#last.push(value);
    if (this.#last.length < A_PART) return;
    this.#parts.push(this.#last);
    this.#last = [];
    if (this.#parts.length <= this.#plainParts) return;
    if (this.#packed === 0) setFlagsFromString(FRUGAL);
    for (const part of this.#parts.slice(this.#packed, this.#packed + PACKED_AT_ONCE)) {
      // Copied: what comes out of it has the room of 16 KB, however small it is.
      this.#parts[this.#packed] = new Uint8Array(deflateRawSync(serialize(part), LEVEL));
      this.#packed += 1;
    }
  }

  at(index: number): Value | undefined {
    return this.#partAt(Math.floor(index / A_PART))[index % A_PART];
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let part = 0; part <= this.#parts.length; part += 1) yield* this.#partAt(part);
  }

  #partAt(at: number): readonly Value[] {
    const packed = this.#parts[at];
    if (packed === undefined) return at === this.#parts.length ? this.#last : [];
    if (!(packed instanceof Uint8Array)) return packed;
    return this.#open.get(at, () => deserialize(inflateRawSync(packed)));
  }
}

/** By key; what is set again takes the place of what was there. */
export class PackedMap<Value> {
  readonly #places = new Map<string, number>();
  readonly #values = new Packed<Value>();

  get size(): number {
    return this.#places.size;
  }

  set(key: string, value: Value): void {
    this.#places.set(key, this.#values.length);
    this.#values.push(value);
  }

  get(key: string): Value | undefined {
    const at = this.#places.get(key);
    return at === undefined ? undefined : this.#values.at(at);
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }
}

/** Each as it is made of the one there, when it is asked for. */
export function mapped<From, To>(list: LongList<From>, make: (value: From, at: number) => To): LongList<To> {
  return {
    length: list.length,
    at(index) {
      const value = list.at(index);
      return value === undefined ? undefined : make(value, index);
    },
    *[Symbol.iterator]() {
      let at = 0;
      for (const value of list) {
        yield make(value, at);
        at += 1;
      }
    },
  };
}
