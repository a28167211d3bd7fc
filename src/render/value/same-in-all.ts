/**
 * Takes members that are the same in all elements of a list out of them, so that an answer states them once.
 */

import { byteLength, isJsonObject, jsonText } from '../../base/json.ts';
import { copyTotal, totalOf } from './select/part.ts';
import { formatSegment, joinPath } from './select/path.ts';
import { type SelectedColumns, selectedBelow } from './selected-columns.ts';

/** Members that all objects in the lists at one path share. */
export interface SharedMembers {
  /**
   * The path of the list as `select` takes it; empty for a list at the top. A list inside others means all of
   * them.
   */
  list: string;
  /** The number of elements that share them. */
  elements: number;
  /** Merging them into each of these elements restores the elements. */
  members: Record<string, unknown>;
}

/**
 * The number of elements from which on a statement about all of them is easier to read than the repetition.
 */
const MIN_ELEMENTS = 3;
/**
 * The bytes that a statement must save beyond its own size, because short answers are easier to read whole.
 */
const MIN_SAVED_BYTES = 300;
/** The bytes of a statement besides its path and its members, with its share of the note that explains it. */
const FRAME_BYTES = 150;

/**
 * Leaves elements that are no objects, and lists whose members were selected one by one.
 * @returns the value without the shared members; the value itself if none were taken out
 */
export function extractSharedMembers(
  value: unknown,
  asked: SelectedColumns = [],
): { value: unknown; shared: SharedMembers[] } {
  const shared: SharedMembers[] = [];
  const [rest] = takeOutAt([value], { path: '', asked, shared });
  return shared.length === 0 ? { value, shared } : { value: rest, shared };
}

interface PathLevel {
  path: string;
  asked: SelectedColumns;
  /** Shared members that were found so far. */
  shared: SharedMembers[];
}

/** Takes shared members out of all values at one path. */
function takeOutAt(values: readonly unknown[], level: PathLevel): unknown[] {
  const lists = values.filter(Array.isArray);
  const isList = lists.length > 0;
  // A path to both lists and objects would be ambiguous.
  if (isList && values.some(isJsonObject)) return [...values];
  const objects = (isList ? lists.flat() : values).filter(isJsonObject);
  if (objects.length === 0) return [...values];
  const members = isList && !hasSelectedMembers(level.asked) ? sharedMembers(objects) : {};
  const isWorth = savedBytes(members, objects.length, level.path) >= MIN_SAVED_BYTES;
  if (isWorth) level.shared.push({ list: level.path, elements: objects.length, members });
  const reduced = isWorth ? objects.map((object) => withoutMembers(object, members)) : objects;
  const inner = takeOutBelow(reduced, level);
  const replaced = new Map<unknown, unknown>(objects.map((object, at) => [object, inner[at]]));
  const replace = (value: unknown) => replaced.get(value) ?? value;
  return values.map((value) =>
    Array.isArray(value) ? copyTotal(value, value.map(replace)) : replace(value),
  );
}

/** True if members were selected: each page then has the same columns, whatever its rows contain. */
const hasSelectedMembers = (asked: SelectedColumns) =>
  asked.length > 0 && asked.every((path) => path.length > 0);

/** Continues with the lists and objects inside, all of one name together. */
function takeOutBelow(objects: readonly Record<string, unknown>[], { path, asked, shared }: PathLevel) {
  let inner = objects;
  for (const name of new Set(objects.flatMap((object) => Object.keys(object)))) {
    const values = inner.filter((object) => Object.hasOwn(object, name)).map((object) => object[name]);
    const nested = values.filter((value) => typeof value === 'object' && value !== null);
    const found = shared.length;
    const below = joinPath(path, formatSegment({ text: name, literal: true }));
    const left = takeOutAt(nested, { path: below, asked: selectedBelow(asked, name), shared });
    if (shared.length === found) continue;
    const replaced = new Map(nested.map((value, at) => [value, left[at]]));
    inner = inner.map((object) => withMember(object, name, replaced));
  }
  return inner;
}

function withMember(object: Record<string, unknown>, name: string, replaced: ReadonlyMap<unknown, unknown>) {
  const members = Object.entries(object).map(([key, value]) => [
    key,
    key === name ? (replaced.get(value) ?? value) : value,
  ]);
  return Object.fromEntries(members);
}

function savedBytes(members: Record<string, unknown>, elements: number, path: string): number {
  if (elements < MIN_ELEMENTS || Object.keys(members).length === 0) return 0;
  return (elements - 1) * (byteLength(jsonText(members)) - 2) - byteLength(path) - FRAME_BYTES;
}

function sharedMembers(objects: readonly Record<string, unknown>[]): Record<string, unknown> {
  const [first = {}] = objects;
  // A number must not be read without its unit.
  const isMeasured = objects.some(hasMeasure);
  const members = Object.entries(first).flatMap(([name, value]): [string, unknown][] => {
    if (isMeasured && isOfMeasure(name, value)) return [];
    if (!objects.every((object) => Object.hasOwn(object, name))) return [];
    const values = objects.map((object) => object[name]);
    if (values.every((other) => isSame(value, other))) return [[name, value]];
    if (!values.every(isJsonObject)) return [];
    const inner = sharedMembers(values);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(members);
}

const UNIT = /currency|unit/i;
const NUMBER = /^[+-]?\d/;

const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));

const isUnit = (name: string, value: unknown) => UNIT.test(name) && typeof value === 'string';

const isOfMeasure = (name: string, value: unknown) => isUnit(name, value) || isNumber(value);

/** True for an object with a number and its unit: `{ amount: 5, currencyCode: 'EUR' }`. */
function hasMeasure(object: Record<string, unknown>): boolean {
  const members = Object.entries(object);
  return members.some(([name, value]) => isUnit(name, value)) && members.some(([, value]) => isNumber(value));
}

/** Compares JSON values; a list that was cut equals none that was not. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    const isAlike = Array.isArray(other) && one.length === other.length && totalOf(one) === totalOf(other);
    return isAlike && one.every((element, at) => isSame(element, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  let more = Object.keys(other).length;
  for (const name in one) {
    if (!Object.hasOwn(other, name) || !isSame(one[name], other[name])) return false;
    more -= 1;
  }
  return more === 0;
}

/** Drops an object of which every member is shared, because the statement contains it. */
function withoutMembers(object: Record<string, unknown>, members: Record<string, unknown>) {
  const remaining = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const shared = Object.hasOwn(members, name) ? members[name] : undefined;
    if (shared === undefined) return [[name, value]];
    if (!isJsonObject(value) || !isJsonObject(shared)) return [];
    const rest = withoutMembers(value, shared);
    return Object.keys(rest).length === 0 ? [] : [[name, rest]];
  });
  return Object.fromEntries(remaining);
}
