/** Fits an object of very many members: the smallest are shown, the others named together, the rest counted. */

import { byteLength, jsonText } from '../json.ts';
import { costOf, countEntries, type Omission, omitEntry, omitMembers, type Spot } from './omission.ts';
import { type Entry, entryBytes, type ListPart, type Measure } from './select/part.ts';

interface FittedList {
  part: ListPart;
  omitted: Omission[];
  /** Both together, in bytes of JSON. */
  bytes: number;
}

/** Paths in one omission: as many as one call takes. */
const MOST_PATHS = 50;
/** Bytes of an omission that names many members, besides the names. */
const NAMES_FRAME = 90;
/** Of very many members the smallest are shown, the others listed by name as far as they fit, the rest counted. */
export function fitManyMembers(
  list: ListPart,
  place: Spot,
  room: number,
  measure: Measure,
): FittedList | undefined {
  const members = list.entries.map((entry) => ({ entry, bytes: entryBytes(entry, measure) }));
  const left = room - 2 - costOf([countEntries(list, list.entries, place, measure)]);
  if (left < 0) return undefined;
  const nameOf = (entry: Entry): MemberName => {
    const { select } = omitEntry(entry, place, measure);
    return { paths: select.length, nameBytes: select.length === 0 ? 0 : byteLength(jsonText(select)) };
  };
  let names = NAMES_FRAME;
  for (const { entry } of members) {
    if (names >= left / 2) break;
    names += nameOf(entry).nameBytes + NAMES_FRAME / MOST_PATHS;
  }
  const forValues = left - Math.min(left / 2, names);
  const shown = new Set<Entry>();
  let used = 0;
  for (const { entry, bytes } of [...members].sort((a, b) => a.bytes - b.bytes)) {
    if (used + bytes > forValues) break;
    shown.add(entry);
    used += bytes;
  }
  const { chunks, counted } = listByName(
    members.filter(({ entry }) => !shown.has(entry)).map(({ entry }) => entry),
    left - used,
    nameOf,
  );
  const omitted = [
    ...chunks.map((chunk) => omitMembers(list, chunk, place, measure)),
    ...(counted.length === 0 ? [] : [countEntries(list, counted, place, measure)]),
  ];
  const entries = list.entries.filter((entry) => shown.has(entry));
  return { part: { ...list, entries }, omitted, bytes: 2 + used + costOf(omitted) };
}

interface MemberName {
  /** How many paths name it, and their bytes. */
  paths: number;
  nameBytes: number;
}

/** Names in a row for which there is no room any more: the rest is counted without a look. */
const MOST_MISSES = 1_000;

/** As many members as `room` has names for, so many together as one call can select; the others are only counted. */
function listByName(members: readonly Entry[], room: number, nameOf: (entry: Entry) => MemberName) {
  const chunks: Entry[][] = [];
  const counted: Entry[] = [];
  let left = room;
  let inChunk = MOST_PATHS;
  let misses = 0;
  for (const entry of members) {
    if (misses >= MOST_MISSES) {
      counted.push(entry);
      continue;
    }
    const { paths, nameBytes } = nameOf(entry);
    const last = inChunk + paths > MOST_PATHS ? undefined : chunks.at(-1);
    const bytes = nameBytes + (last === undefined ? NAMES_FRAME : 0);
    if (paths === 0 || bytes > left) {
      misses += 1;
      counted.push(entry);
      continue;
    }
    misses = 0;
    if (last === undefined) chunks.push([entry]);
    else last.push(entry);
    inChunk = paths + (last === undefined ? 0 : inChunk);
    left -= bytes;
  }
  return { chunks, counted };
}
