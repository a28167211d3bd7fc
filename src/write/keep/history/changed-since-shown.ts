/** Whether something was changed from here since a list was shown: an accepted write that is not visible yet is seen by no reading. */

import type { HistoryEntry } from './history-file.ts';
import { thingDigest } from './kept-lists.ts';
import { indexByThing, mayBeApplied, touches } from './standing.ts';
import type { WriteValues } from './values.ts';

/** One write that was begun, by this process or another. */
export interface BegunWrite {
  entry: Pick<HistoryEntry, 'owner' | 'batch' | 'time' | 'outcome' | 'cannot'>;
  values: Pick<WriteValues, 'parameters' | 'members'>;
}

interface SinceWhat {
  /** Of whichever account of theirs. */
  owner: string;
  /** Id of the list: its own writes do not count. */
  batch: string;
  /** Milliseconds since the epoch. */
  since: number;
}

export type IsChangedSinceShown = (values: BegunWrite['values']) => Promise<boolean>;

interface Begun {
  list(since: number): Promise<HistoryEntry[]>;
  /** Of this process, by `thingDigest`. */
  begun(thing: string): readonly BegunWrite[];
}

/** What other processes wrote is read once, what this one writes is seen at once. */
export async function openChangedSinceShown(
  { list, begun }: Begun,
  { owner, batch, since }: SinceWhat,
): Promise<IsChangedSinceShown> {
  const counts = (entry: BegunWrite['entry']) =>
    entry.owner === owner && entry.batch !== batch && Date.parse(entry.time) >= since && mayBeApplied(entry);
  const things = await indexByThing((await list(since)).filter(counts));
  return async (values) => {
    const thing = thingDigest(values);
    for (const { entry, values: other } of begun(thing)) {
      // Of what cannot be taken back it is not known all that it writes.
      if (counts(entry) && (entry.cannot !== undefined || touches(other, values))) return true;
    }
    for (const entry of things.get(thing) ?? []) {
      const found = await entry.open();
      // What is not kept, or cannot be read any more, may be about the same.
      if (found === undefined || touches(found, values)) return true;
    }
    return false;
  };
}
