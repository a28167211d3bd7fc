/** What cutting objects and arrays share: where they stand, and what one of their entries takes. */

import { type Measure, nameBytes } from './json.ts';
import { entryPath, HIGHEST, isOpaque, type Omission, omitEntry } from './omission.ts';
import { type Entry, type ListPart, measurePart, openPart, type Part } from './part.ts';

export interface Fitted {
  part: Part;
  omitted: Omission[];
  /** Both together, in bytes of JSON. */
  bytes: number;
}

export interface Context {
  measure(value: unknown): Measure;
  /** Fits a part that stands at `path`; undefined when not even a piece fits. */
  fit(context: Context, part: Part, path: string, depth: number, room: number): Fitted | undefined;
}

export interface Place {
  list: ListPart;
  path: string;
  depth: number;
}

/** Bytes of an entry with its name and comma. */
export function entryBytes(context: Context, place: Place, entry: Entry): number {
  const name = place.list.kind === 'members' ? nameBytes(entry.name) : 0;
  return measurePart(entry.part, context.measure).bytes + name + 1;
}

/** Leaves out an entry whole. */
export function omit(context: Context, place: Place, entry: Entry): Omission {
  const open = openPart(entry.part);
  const path = entryPath(place.list, entry, place.path);
  const asJson =
    (open.kind === 'members' || open.kind === 'elements') && isOpaque(open, path, place.depth + 1);
  return omitEntry(place.list, entry, place.path, context.measure, asJson);
}

/** Cuts an entry to `room` bytes, its name and comma included. */
export function fitEntry(context: Context, place: Place, entry: Entry, room: number): Fitted | undefined {
  const name = place.list.kind === 'members' ? nameBytes(entry.name) : 0;
  const path = entryPath(place.list, entry, place.path);
  const fitted = context.fit(context, entry.part, path, place.depth + 1, room - name - 1);
  return fitted === undefined ? undefined : { ...fitted, bytes: fitted.bytes + name + 1 };
}

/** True where an entry nests deeper than an answer may, so that it cannot be shown whole. */
export function isTooHigh(context: Context, place: Place, entry: Entry): boolean {
  return measurePart(entry.part, context.measure).height + place.depth + 1 > HIGHEST;
}
