/** Describes an omitted part of an answer: its kind, its size, and the paths that fetch it. */

import { byteLength, jsonText } from '../../base/json.ts';
import { describeKind } from '../../base/text/format-value.ts';
import type { ListPart, Measure, PartEntry, ValuePart } from './select/part.ts';
import { formatRange, joinPath, nameSegment } from './select/path.ts';

export interface Omission {
  /** The paths that fetch it as `select`; empty if only the whole answer has it. */
  select: string[];
  /** The kind: `object, 12 members`, `elements 50-399 of 400`, `characters 64-9999 of 10000`. */
  what: string;
  /** The size as JSON, in bytes. */
  bytes: number;
  /** The nearest path, if no path fetches it. */
  at?: string;
}

/** The location of a part: its path, or, if that is too long to be shown, the nearest path above it. */
export interface PartPath {
  path: string;
  named: boolean;
}

const IN_WHOLE = 'only in the whole answer, kept as a resource';
/** The limit of a path that is shown, in bytes as JSON. */
const MAX_PATH_BYTES = 256;

/** Returns the bytes of omissions in the answer, with their commas. */
export function bytesOfOmissions(omissions: readonly Omission[]): number {
  return omissions.reduce((sum, each) => sum + byteLength(JSON.stringify(each)) + 1, 0);
}

/** Returns the location of an entry of the list at `list`. */
export function partPathOf({ key }: PartEntry, list: PartPath): PartPath {
  const path = joinPath(list.path, typeof key === 'number' ? `${key}` : nameSegment(key));
  const named = list.named && byteLength(JSON.stringify(path)) <= MAX_PATH_BYTES;
  return { path: named ? path : list.path, named };
}

/** Makes an omission that is fetched by the paths `tails` from its location. */
function omit({ path, named }: PartPath, tails: readonly string[], what: string, bytes: number): Omission {
  if (!named) return { select: [], what: `${what}; ${IN_WHOLE}`, bytes, at: path };
  return { select: tails.map((tail) => joinPath(path, tail)), what, bytes };
}

/** Omits everything, because not even a piece of it fits. */
export function omitAll(part: ValuePart, measure: Measure): Omission {
  return omit({ path: '', named: false }, [], describePart(part), measure(part));
}

/** Omits one entry of the list at `list`. */
export function omitEntry(entry: PartEntry, list: PartPath, measure: Measure): Omission {
  return omit(partPathOf(entry, list), entry.tails, describePart(entry.part), measure(entry.part));
}

/** Omits the characters `from` (included) to `to` (excluded) of a text. */
export function omitText(full: string, from: number, to: number, spot: PartPath): Omission {
  const bytes = byteLength(jsonText(full.slice(from, to)));
  return omit(spot, [`${from}-${to - 1}`], stretch(from, to, full.length), bytes);
}

/** Omits elements: one omission for each unbroken run with the same tails. */
export function omitElements(
  list: ListPart,
  left: readonly PartEntry[],
  spot: PartPath,
  measure: Measure,
): Omission[] {
  const runs: PartEntry[][] = [];
  for (const entry of left) {
    const run = runs.at(-1);
    if (run !== undefined && continues(run.at(-1), entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.map((run) => {
    const range = formatRange(Number(run[0]?.key), Number(run.at(-1)?.key));
    const here = { path: spot.named ? joinPath(spot.path, range) : spot.path, named: spot.named };
    return omit(here, run[0]?.tails ?? [], `elements ${range} of ${list.total}`, bytesOf(run, measure));
  });
}

function continues(last: PartEntry | undefined, entry: PartEntry): boolean {
  return (
    last !== undefined &&
    Number(last.key) + 1 === entry.key &&
    (last.tails === entry.tails || jsonText(last.tails) === jsonText(entry.tails))
  );
}

/** Omits several members in one omission that names each of them. */
export function omitMembers(
  list: ListPart,
  members: readonly PartEntry[],
  spot: PartPath,
  measure: Measure,
): Omission {
  const select = members.flatMap((entry) => omitEntry(entry, spot, measure).select);
  return { select, what: amount(list, members), bytes: bytesOf(members, measure) };
}

/** Omits entries that are too many to be named. */
export function countEntries(
  list: ListPart,
  entries: readonly PartEntry[],
  spot: PartPath,
  measure: Measure,
): Omission {
  return omit({ ...spot, named: false }, [], amount(list, entries), bytesOf(entries, measure));
}

function amount(list: ListPart, entries: readonly PartEntry[]): string {
  return `${entries.length} of ${list.total} ${list.kind}`;
}

function bytesOf(entries: readonly PartEntry[], measure: Measure): number {
  return entries.reduce((sum, entry) => sum + measure(entry.part) + 1, 0);
}

function describePart(part: ValuePart): string {
  if (part.kind === 'whole') return describeKind(part.value);
  if (part.kind === 'text') return stretch(part.from, part.to, part.full.length);
  return `${part.kind === 'members' ? 'object' : 'array'}, ${amount(part, part.entries)}`;
}

function stretch(from: number, to: number, total: number): string {
  return `characters ${formatRange(from, to - 1)} of ${total}`;
}
