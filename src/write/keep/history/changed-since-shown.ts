/** Whether something was changed from here since a list was shown: an accepted write that is not visible yet is seen by no reading. */

import { valueAt } from '../../../base/json-difference.ts';
import { isSameValue, placeWithin } from '../../model/changed-members.ts';
import type { HistoryEntry } from './history-file.ts';
import { thingDigest } from './kept-lists.ts';
import { indexByThing, mayBeApplied, touches } from './standing.ts';
import type { WriteValues } from './values.ts';

/** A write leaves at most this long after it was begun, because it may wait for its place under the limit. */
const MAX_IN_FLIGHT_MS = 600_000;
/** What other processes wrote is read again after so long. */
const FRESH_MS = 15_000;

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
  /** Milliseconds since the epoch. */
  now: () => number;
}

export type IsChangedSinceShown = (values: BegunWrite['values']) => Promise<boolean>;

interface Begun {
  list(since: number): Promise<HistoryEntry[]>;
  /** Of this process, by `thingDigest`. */
  begun(thing: string): readonly BegunWrite[];
}

/** Reads what other processes wrote again after a while, because a list can take hours; what this one writes counts at once. */
export async function openChangedSinceShown(
  { list, begun }: Begun,
  { owner, batch, since, now }: SinceWhat,
): Promise<IsChangedSinceShown> {
  const isAnother = (entry: BegunWrite['entry']) =>
    entry.owner === owner && entry.batch !== batch && mayBeApplied(entry);
  const isSince = (time: string) => Date.parse(time) >= since;
  const counts = (entry: BegunWrite['entry']) => isAnother(entry) && isSince(entry.time);
  const read = async () => {
    const others = (await list(since - MAX_IN_FLIGHT_MS)).filter(isAnother);
    const isInFlight = ({ time, endedAt }: HistoryEntry) =>
      !isSince(time) && (endedAt === undefined || isSince(endedAt));
    const all = await indexByThing(others);
    const inFlight = await indexByThing(others.filter(isInFlight));
    return {
      things: await indexByThing(others.filter(counts)),
      inFlight: new Map(
        [...inFlight].map(([thing, some]) => [
          thing,
          some.filter((entry) => !wasSentAgain(entry, all.get(thing) ?? [])),
        ]),
      ),
    };
  };
  let known = { at: now(), found: read() };
  await known.found;
  return async (values) => {
    if (Math.abs(now() - known.at) > FRESH_MS) known = { at: now(), found: read() };
    const { things, inFlight } = await known.found;
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
    // The newest carries what the others in flight have set.
    const last = await inFlight.get(thing)?.at(-1)?.open();
    return last !== undefined && isOverwritten(last, values);
  };
}

/**
 * Returns whether the list has sent the same thing anew: it does so only where it knows that nothing had left before, and
 * the process that began the earlier one was killed before it could say so.
 */
const wasSentAgain = ({ batch, time, endedAt }: HistoryEntry, same: readonly HistoryEntry[]) =>
  batch !== undefined && endedAt === undefined && same.some((one) => one.batch === batch && one.time > time);

/** Returns whether a write leaves something else than the earlier one set and than it was shown to start from. */
const isOverwritten = (earlier: BegunWrite['values'], later: BegunWrite['values']) =>
  touches(earlier, later) &&
  earlier.members.some(({ segments: place, after: set }) =>
    later.members.some(({ segments, before, after }) => {
      const inner = placeWithin(segments, place);
      if (inner === undefined) return false;
      return ![before, after].some((side) => isSameValue(valueAt(side, inner), set));
    }),
  );
