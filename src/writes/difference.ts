/** What a write would change: the difference between two JSON values, member by member. */

import { isJsonObject, type JsonObject } from '../json.ts';
import { isOperatingHours } from './hours.ts';
import { formatPath, type Segments } from './json.ts';
import { canonicalJson } from './normalise.ts';

export interface Difference {
  /** Dotted, for people; empty for the whole value. */
  path: string;
  /** The same place in machine form. */
  segments: Segments;
  kind: 'added' | 'removed' | 'changed';
  /** Absent where added. */
  before?: unknown;
  /** Absent where removed. */
  after?: unknown;
}

/**
 * Every difference, in the order of `before`'s members, then the new ones. A member that only one side has is one
 * difference with its whole value. Lists of opening hours and of plain values change as a whole, since a person
 * reads them as one; other lists are compared position by position.
 */
export function findDifferences(before: unknown, after: unknown, segments: Segments = []): Difference[] {
  if (isJsonObject(before) && isJsonObject(after)) return compareObjects(before, after, segments);
  if (Array.isArray(before) && Array.isArray(after) && !isReadAsOne(before, after)) {
    return compareObjects({ ...before }, { ...after }, segments, Number);
  }
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return [{ path: formatPath(segments), segments, kind: 'changed', before, after }];
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  segments: Segments,
  toSegment: (name: string) => string | number = (name) => name,
): Difference[] {
  const names = new Set([...presentNames(before), ...presentNames(after)]);
  return [...names].flatMap((name) => {
    const inner = [...segments, toSegment(name)];
    const path = formatPath(inner);
    if (!isPresent(after, name)) return { path, segments: inner, kind: 'removed', before: before[name] };
    if (!isPresent(before, name)) return { path, segments: inner, kind: 'added', after: after[name] };
    return findDifferences(before[name], after[name], inner);
  });
}

/** A member that is undefined is not sent, so it counts as absent; inherited names such as `toString` never count. */
function isPresent(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

function presentNames(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => isPresent(object, name));
}

function isReadAsOne(before: readonly unknown[], after: readonly unknown[]): boolean {
  const both = [...before, ...after];
  return isOperatingHours(both) || both.every((item) => typeof item !== 'object' || item === null);
}
