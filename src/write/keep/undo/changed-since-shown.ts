/** Tells whether something was changed from here since a batch was shown: an accepted write that is not visible yet is seen by no reading. */

import { valueAt } from '../../../base/json-difference.ts';
import { isSameValue, placeWithin } from '../../model/changed-members.ts';
import { mayBeApplied, type RecordedWrite } from '../journal/entry.ts';
import { touches } from './undo-conflicts.ts';
import { thingDigest, type WriteValues } from './write-values.ts';

/** A write leaves at most this long after it was begun, because it may wait for its place under the limit. */
const MAX_IN_FLIGHT_MS = 600_000;

type Written = Pick<WriteValues, 'parameters' | 'members'>;

interface SinceWhat {
  /** Of whichever account of theirs. */
  owner: string;
  /** Id of the list: its own writes do not count. */
  batch: string;
  /** Milliseconds since the epoch. */
  since: number;
}

export type IsChangedSinceShown = (values: Written) => Promise<boolean>;

/** Builds the check for one list. @param writesOf of the history */
export function changedSinceShown(
  writesOf: (thing: string, since: number) => Promise<RecordedWrite[]>,
  { owner, batch, since }: SinceWhat,
): IsChangedSinceShown {
  const isSince = (time: string) => Date.parse(time) >= since;
  return async (values) => {
    const all = await writesOf(thingDigest(values), since - MAX_IN_FLIGHT_MS);
    const others = all.filter(
      (entry) => entry.owner === owner && entry.batch !== batch && mayBeApplied(entry),
    );
    for (const entry of others) {
      if (!isSince(entry.time)) continue;
      const found = await entry.open();
      // What is not kept, or cannot be read any more, may be about the same.
      if (found === undefined || touches(found, values)) return true;
    }
    const inFlight = others.filter(
      (entry) =>
        !isSince(entry.time) &&
        (entry.endedAt === undefined || isSince(entry.endedAt)) &&
        !wasSentAgain(entry, others),
    );
    // The newest carries what the others in flight have set.
    const last = await inFlight.at(-1)?.open();
    return last !== undefined && isOverwritten(last, values);
  };
}

/**
 * Returns whether the list has sent the same thing anew: it does so only where it knows that nothing had left before, and
 * the process that began the earlier one was killed before it could say so.
 */
const wasSentAgain = ({ batch, time, endedAt }: RecordedWrite, same: readonly RecordedWrite[]) =>
  batch !== undefined && endedAt === undefined && same.some((one) => one.batch === batch && one.time > time);

/** Returns whether a write leaves something else than the earlier one set and than it was shown to start from. */
const isOverwritten = (earlier: Written, later: Written) =>
  touches(earlier, later) &&
  earlier.members.some(({ segments: place, after: set }) =>
    later.members.some(({ segments, before, after }) => {
      const inner = placeWithin(segments, place);
      if (inner === undefined) return false;
      return ![before, after].some((side) => isSameValue(valueAt(side, inner), set));
    }),
  );
