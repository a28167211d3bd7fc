/** Indexes the recorded writes by the listing or store that they are about. */

import { groupBy } from '../../../base/group-by.ts';
import { mayBeApplied, type RecordedWrite } from '../journal/entry.ts';
import { thingDigest } from './write-values.ts';

/** Maps a `thingDigest` to its writes, oldest first; their values are opened only where they are needed. */
export type WritesByThing = ReadonlyMap<string, readonly RecordedWrite[]>;

/**
 * Returns the writes that may have been applied, of the same things as `of`. It opens no more of them than
 * needed, because a batch has thousands.
 */
export async function indexWrites(
  entries: readonly RecordedWrite[],
  of: readonly RecordedWrite[],
): Promise<WritesByThing> {
  const wanted = await indexByThing(of);
  const all = await indexByThing(entries.filter(mayBeApplied));
  return new Map([...all].filter(([thing]) => wanted.has(thing)));
}

/** Returns the entries in their order, without those whose thing is unknown. */
export async function indexByThing(
  entries: readonly RecordedWrite[],
  read = thingOfEntry,
): Promise<WritesByThing> {
  const named: { thing: string; entry: RecordedWrite }[] = [];
  for (const entry of entries) {
    const thing = await read(entry);
    if (thing !== undefined) named.push({ thing, entry });
  }
  const things = groupBy(named, ({ thing }) => thing);
  return new Map([...things].map(([thing, some]) => [thing, some.map(({ entry }) => entry)]));
}

/** Returns undefined where only the values identify the thing, and they cannot be read any more. */
export async function thingOfEntry(entry: RecordedWrite): Promise<string | undefined> {
  if (entry.thing !== undefined) return entry.thing;
  const values = await entry.open();
  return values && thingDigest(values);
}
