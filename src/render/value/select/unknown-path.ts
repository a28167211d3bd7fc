/** Explains how far a path exists, and which names are valid instead. */

import { isJsonObject } from '../../../base/json.ts';
import { nearestName } from '../../../base/text/nearest-name.ts';
import {
  formatRange,
  formatSegment,
  isEach,
  joinPath,
  nameSegment,
  parsePath,
  rangeOf,
  type Segment,
} from './path.ts';

export interface UnknownPath {
  path: string;
  /** The part of the path that exists; empty for the top. */
  at: string;
  /** The valid next segments: up to 30 names, or a range of indexes; empty if there are none. */
  valid: string[];
  /** The number of further names. */
  more?: number;
  /** True if only empty lists are at that path. */
  inEmptyList?: true;
  /** The path with its wrong name replaced by the most similar right one. */
  nearest?: string;
}

const NAMES_SHOWN = 30;
const MAX_NAME = 100;
/** The limit in characters of a repeated path. */
const MAX_ECHO = 300;
/** The limit of array elements that are searched for names. */
const ELEMENTS_READ = 50;

export function explainUnknownPath(value: unknown, path: string): UnknownPath {
  const segments = parsePath(path);
  if (segments === undefined) return { path: path.slice(0, MAX_ECHO), at: '', ...namesOf([value]) };
  let values: unknown[] = [value];
  let at = '';
  for (const [i, segment] of segments.entries()) {
    const next = values.flatMap((candidate) => step(candidate, segment)).slice(0, ELEMENTS_READ);
    if (next.length === 0) return explainAt(path, at, values, segments.slice(i));
    values = next;
    at = joinPath(at, formatSegment(segment));
  }
  return explainAt(path, at, values, []);
}

function step(value: unknown, segment: Segment): unknown[] {
  if (Array.isArray(value)) {
    const range = rangeOf(segment);
    if (range !== undefined) return value.slice(range.from, range.to + 1).slice(0, ELEMENTS_READ);
    const read = value.slice(0, ELEMENTS_READ);
    if (isEach(segment)) return read;
    return read.flatMap((element) => (isJsonObject(element) ? step(element, segment) : []));
  }
  if (!isJsonObject(value)) return [];
  if (isEach(segment)) return Object.values(value);
  return Object.hasOwn(value, segment.text) ? [value[segment.text]] : [];
}

function explainAt(
  path: string,
  at: string,
  values: readonly unknown[],
  left: readonly Segment[],
): UnknownPath {
  const names = allNames(values);
  const isEmpty =
    values.length > 0 && values.every((candidate) => Array.isArray(candidate) && candidate.length === 0);
  const [wrong, ...rest] = left;
  const near = wrong === undefined ? undefined : nearestName(wrong.text, names);
  const nearest =
    near === undefined
      ? {}
      : { nearest: [nameSegment(near), ...rest.map(formatSegment)].reduce(joinPath, at) };
  return {
    path: path.slice(0, MAX_ECHO),
    at: at.slice(0, MAX_ECHO),
    ...namesOf(values),
    ...(isEmpty ? { inEmptyList: true } : {}),
    ...nearest,
  };
}

/** The limit of names that are compared with the wrong one; the first ones are compared. */
const NAMES_COMPARED = 1_000;

function allNames(values: readonly unknown[]): readonly string[] {
  const objects = values
    .flatMap((candidate) => (Array.isArray(candidate) ? candidate.slice(0, ELEMENTS_READ) : [candidate]))
    .filter(isJsonObject);
  const [only, ...others] = objects;
  if (only !== undefined && others.length === 0) return namesIn(only);
  return [...new Set(objects.flatMap(namesIn))];
}

/** Caches long lists of names, because very many paths may need them. */
const cache = new WeakMap<object, readonly string[]>();

function namesIn(object: object): readonly string[] {
  const names = cache.get(object) ?? Object.keys(object).filter((name) => name.length <= MAX_NAME);
  if (names.length > NAMES_COMPARED) cache.set(object, names);
  return names;
}

function namesOf(values: readonly unknown[]): { valid: string[]; more?: number } {
  const names = allNames(values);
  const [only] = values;
  if (names.length === 0 && (Array.isArray(only) || typeof only === 'string') && only.length > 0) {
    return { valid: [formatRange(0, only.length - 1)] };
  }
  const more = names.length - NAMES_SHOWN;
  return { valid: names.slice(0, NAMES_SHOWN).map(nameSegment), ...(more > 0 ? { more } : {}) };
}
