/** Names what was left out of an answer: what it is, its size, and the paths that fetch it. */

import { byteLength, isJsonObject, jsonText } from '../json.ts';
import type { Measure } from './json.ts';
import { type Entry, EVERYTHING, type ListPart, measurePart, type Part } from './part.ts';
import { formatRange, joinPath, nameSegment } from './path.ts';

export interface Omission {
  /** Give these as `select` to fetch it. */
  select: string[];
  /** `object, 12 members`, `elements 50-399 of 400`, `characters 64-9999 of 10000`. */
  what: string;
  /** Size as JSON, in bytes. */
  bytes: number;
}

/** Paths longer than this many bytes (as JSON) are not given out; what lies deeper is fetched as JSON text. */
export const LONGEST_PATH = 256;
/** Deepest level that is walked member by member. */
export const DEEPEST = 24;
/** Most levels of nesting shown in one answer; readers of JSON fail on thousands. */
export const HIGHEST = 64;

/** Bytes that an omission takes in the answer, with its comma. */
export function costOf(omissions: readonly Omission[]): number {
  return omissions.reduce((sum, each) => sum + byteLength(JSON.stringify(each)) + 1, 0);
}

/** The path of a list's entry, from the path of the list. */
export function entryPath(list: ListPart, entry: Entry, path: string): string {
  return joinPath(path, list.kind === 'elements' ? `${entry.position}` : nameSegment(entry.name));
}

/** True where the pieces of a list cannot be named by short paths, so that only its JSON text can be walked. */
export function isOpaque(list: ListPart, path: string, depth: number): boolean {
  if (depth >= DEEPEST) return true;
  // The last index is the longest.
  const entries = list.kind === 'elements' ? list.entries.slice(-1) : list.entries;
  return entries.some((entry) => byteLength(JSON.stringify(entryPath(list, entry, path))) > LONGEST_PATH);
}

/** Leaves out one entry whole. */
export function omitEntry(
  list: ListPart,
  entry: Entry,
  path: string,
  measure: (value: unknown) => Measure,
  asJson: boolean,
): Omission {
  const base = entryPath(list, entry, path);
  const select = asJson ? [`${base}.~json.0-`] : entry.tails.map((tail) => joinPath(base, tail));
  return { select, what: describe(entry.part), bytes: measurePart(entry.part, measure).bytes };
}

function describe(part: Part): string {
  if (part.kind === 'text') return stretch(part.json, part.from, part.to, part.full.length);
  if (part.kind === 'members') return `object, ${part.entries.length} of ${part.total} members`;
  if (part.kind === 'elements') return `array, ${part.entries.length} of ${part.total} elements`;
  return describeValue(part.value);
}

/** What a value is, in words: `object, 12 members`. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `array, ${value.length} elements`;
  if (isJsonObject(value)) return `object, ${Object.keys(value).length} members`;
  return typeof value === 'string' ? `text, ${value.length} characters` : typeof value;
}

export function stretch(json: boolean, from: number, to: number, total: number): string {
  return `${json ? 'JSON text, ' : ''}characters ${formatRange(from, to - 1)} of ${total}`;
}

/**
 * Leaves out the entries from `start` on: one omission per unbroken run with the same tails, or, merged, one
 * for the whole stretch, which then fetches more than was selected.
 */
export function omitFrom(
  list: ListPart,
  start: number,
  path: string,
  measure: (value: unknown) => Measure,
  merged: boolean,
): Omission[] {
  const left = list.entries.slice(start);
  if (left.length === 0) return [];
  if (merged) return [omitRun(list, left, path, measure, EVERYTHING)];
  const runs: Entry[][] = [];
  for (const entry of left) {
    const run = runs.at(-1);
    if (run !== undefined && continues(run.at(-1), entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.map((run) => omitRun(list, run, path, measure, run[0]?.tails ?? EVERYTHING));
}

function continues(last: Entry | undefined, entry: Entry): boolean {
  return (
    last !== undefined &&
    last.position + 1 === entry.position &&
    (last.tails === entry.tails || jsonText(last.tails) === jsonText(entry.tails))
  );
}

function omitRun(
  list: ListPart,
  run: readonly Entry[],
  path: string,
  measure: (value: unknown) => Measure,
  tails: readonly string[],
): Omission {
  const from = run[0]?.position ?? 0;
  const to = run.at(-1)?.position ?? from;
  const range = formatRange(from, to);
  const base = joinPath(path, list.kind === 'elements' ? range : `#${range}`);
  const bytes = run.reduce((sum, entry) => sum + measurePart(entry.part, measure).bytes + 1, 0);
  return {
    select: tails.map((tail) => joinPath(base, tail)),
    what: `${list.kind} ${range} of ${list.total}`,
    bytes,
  };
}
