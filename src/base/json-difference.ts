/** Compares two JSON values member by member, and formats the paths that differ. */

import { isJsonObject, type JsonObject } from './json.ts';
import { quoteText } from './text/escape-text.ts';

/** A path inside a value: member names and list indexes, outermost first. */
export type Segments = readonly (string | number)[];

export interface JsonDifference {
  /** The dotted path for readers; empty for the whole value. */
  path: string;
  /** The same path in machine form. */
  segments: Segments;
  kind: 'added' | 'removed' | 'changed';
  /** Absent when added. */
  before?: unknown;
  /** Absent when removed. */
  after?: unknown;
}

/** Returns the value at a path; undefined when there is none. */
export function valueAt(value: unknown, segments: Segments): unknown {
  return segments.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return typeof name === 'number' ? inner[name] : undefined;
    return isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** Returns a copy in which the member has this value, or is removed when the value is undefined. */
export function withValueAt(holder: unknown, [name, ...rest]: Segments, value: unknown): unknown {
  if (name === undefined) return value;
  const members = new Map(Object.entries(isJsonObject(holder) ? holder : {}));
  const key = String(name);
  const inner = rest.length === 0 ? value : withValueAt(members.get(key), rest, value);
  if (inner === undefined) members.delete(key);
  else members.set(key, inner);
  return Object.fromEntries(members);
}

/** Builds the difference between two sides: before and after, or sent and found. */
export function differenceAt(
  segments: Segments,
  before: unknown,
  after: unknown,
  path = formatPath(segments),
): JsonDifference {
  if (before === undefined) return { path, segments, kind: 'added', after };
  if (after === undefined) return { path, segments, kind: 'removed', before };
  return { path, segments, kind: 'changed', before, after };
}

/** Returns true when two lists, or two objects, are compared as single values instead of member by member. */
export type ReadAsOne = (before: unknown, after: unknown) => boolean;

/**
 * Returns every difference, in the order of `before`'s members, then the new ones. A member on only one side
 * is one difference with its whole value. Lists are compared index by index, unless `readAsOne` applies.
 */
export function findDifferences(
  before: unknown,
  after: unknown,
  readAsOne: ReadAsOne = () => false,
  segments: Segments = [],
): JsonDifference[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const apart = compareObjects(before, after, readAsOne, segments);
    if (apart.length === 0 || !readAsOne(before, after)) return apart;
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const apart = compareObjects({ ...before }, { ...after }, readAsOne, segments, Number);
    if (apart.length === 0 || !readAsOne(before, after)) return apart;
  } else if (before === after) return [];
  return [{ path: formatPath(segments), segments, kind: 'changed', before, after }];
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  readAsOne: ReadAsOne,
  segments: Segments,
  toSegment: (name: string) => string | number = (name) => name,
): JsonDifference[] {
  const names = new Set([...presentNames(before), ...presentNames(after)]);
  return [...names].flatMap((name) => {
    const inner = [...segments, toSegment(name)];
    if (!isPresent(after, name)) return differenceAt(inner, before[name], undefined);
    if (!isPresent(before, name)) return differenceAt(inner, undefined, after[name]);
    return findDifferences(before[name], after[name], readAsOne, inner);
  });
}

/**
 * An undefined member is not sent, so it counts as absent. Inherited names such as `toString` never count.
 */
function isPresent(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

function presentNames(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => isPresent(object, name));
}

/**
 * Formats a path as `capabilities.outbound.sunday[0]`; a name that is not a plain word is quoted in brackets.
 */
export function formatPath(segments: Segments, show: (text: string) => string = (text) => text): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!/^[\w-]+$/.test(segment)) text += `[${show(quoteText(segment))}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
