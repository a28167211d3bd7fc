/** A part of a JSON value that records the path of each piece in the whole, and its size as JSON. */

import { byteLength, isJsonObject, jsonText } from '../../../base/json.ts';

/** A range of a text: UTF-16 units `from` (included) to `to` (excluded) of `full`. */
export interface TextPart {
  kind: 'text';
  full: string;
  from: number;
  to: number;
  /** True if its own path was selected. */
  asked: boolean;
}

export interface PartEntry {
  /** The member name, or the index of an element. */
  key: string | number;
  part: ValuePart;
  /** The selected paths relative to this entry; `['']` for everything. */
  tails: readonly string[];
}

export interface ListPart {
  kind: 'elements' | 'members';
  entries: readonly PartEntry[];
  /** The number of entries in the whole value. */
  total: number;
}

export type ValuePart = { kind: 'whole'; value: unknown } | ListPart | TextPart;

/** The tails of a part that is selected as a whole. */
const EVERYTHING = [''] as const;

export function wholePart(value: unknown): ValuePart {
  return { kind: 'whole', value };
}

/** Opens one level of a whole value; other parts, numbers, booleans and null are returned as they are. */
export function openPart(part: ValuePart): ValuePart {
  if (part.kind !== 'whole') return part;
  const known = opened.get(part);
  if (known !== undefined) return known;
  const open = openWhole(part);
  if ('entries' in open && open.entries.length > FEW_ENTRIES) opened.set(part, open);
  return open;
}

/**
 * Caches large opened parts, because each try to fit an answer opens them again; small ones are too many to
 * cache.
 */
const opened = new WeakMap<ValuePart, ValuePart>();
const FEW_ENTRIES = 1_000;

function openWhole(part: Extract<ValuePart, { kind: 'whole' }>): ValuePart {
  const { value } = part;
  if (typeof value === 'string') {
    return { kind: 'text', full: value, from: 0, to: value.length, asked: false };
  }
  const entry = (key: string | number, inner: unknown) => ({
    key,
    part: wholePart(inner),
    tails: EVERYTHING,
  });
  if (Array.isArray(value)) {
    return { kind: 'elements', entries: value.map((inner, i) => entry(i, inner)), total: value.length };
  }
  if (!isJsonObject(value)) return part;
  const entries = Object.entries(value).map(([name, inner]) => entry(name, inner));
  return { kind: 'members', entries, total: entries.length };
}

/** Returns the JSON value of a part. */
export function shownValue(part: ValuePart): unknown {
  if (part.kind === 'whole') return part.value;
  if (part.kind === 'text') return part.full.slice(part.from, part.to);
  if (part.kind === 'elements') {
    const list = part.entries.map((each) => shownValue(each.part));
    if (list.length < part.total) totals.set(list, part.total);
    return list;
  }
  return Object.fromEntries(part.entries.map((each) => [each.key, shownValue(each.part)]));
}

/** Returns the number of elements in the whole list of which this one has some. */
export function totalOf(list: readonly unknown[]): number {
  return totals.get(list) ?? list.length;
}

/** Copies the total of a list to the list that replaces it. */
export function copyTotal<T extends readonly unknown[]>(from: readonly unknown[], to: T): T {
  const total = totals.get(from);
  if (total !== undefined) totals.set(to, total);
  return to;
}

const totals = new WeakMap<readonly unknown[], number>();

/** Returns the bytes of a part as compact JSON; at most one too many per array or object. */
export type Measure = (part: ValuePart) => number;

/**
 * Creates a measure that caches arrays, objects and long texts, so that a walk down a value costs one pass.
 */
export function createMeasure(): Measure {
  // A WeakMap takes many times as long for hundreds of thousands of entries. This map lives only while one
  // answer is made.
  const known = new Map<unknown, number>();
  const measureText = (text: string): number => {
    if (text.length < LONG_TEXT) return leafBytes(text);
    const bytes = known.get(text) ?? leafBytes(text);
    known.set(text, bytes);
    return bytes;
  };
  const measureValue = (value: unknown): number => {
    if (typeof value === 'string') return measureText(value);
    if (typeof value !== 'object' || value === null) return leafBytes(value);
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    let bytes = 2;
    if (Array.isArray(value)) for (const element of value) bytes += measureValue(element) + 1;
    else if (isJsonObject(value))
      for (const name in value) bytes += measureValue(value[name]) + keyBytes(name) + 1;
    if (bytes > SMALL) known.set(value, bytes);
    return bytes;
  };
  const measure = (part: ValuePart): number => {
    if (part.kind === 'whole') return measureValue(part.value);
    if (part.kind === 'text') return measureText(part.full.slice(part.from, part.to));
    return part.entries.reduce((sum, { key, part: inner }) => sum + measure(inner) + keyBytes(key) + 1, 2);
  };
  return measure;
}

/** Returns the bytes of a member name with its quotes and colon; an index takes none. */
export function keyBytes(key: string | number): number {
  return typeof key === 'string' ? leafBytes(key) + 1 : 0;
}

/** Returns the bytes of an entry with its name and comma. */
export function entryBytes(entry: PartEntry, measure: Measure): number {
  return measure(entry.part) + keyBytes(entry.key) + 1;
}

/** The number of characters from which on a text's size is cached. */
const LONG_TEXT = 10_000;
/** The number of bytes up to which an array or object is measured again instead of cached. */
const SMALL = 200;

/** Matches characters that JSON writes unchanged, in one byte each. */
const PLAIN = /^[ !#-[\]-~]*$/;

function leafBytes(value: unknown): number {
  if (typeof value === 'string' && PLAIN.test(value)) return value.length + 2;
  // JSON writes them the same way, except numbers that it does not have.
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value).length;
  return byteLength(jsonText(value));
}
