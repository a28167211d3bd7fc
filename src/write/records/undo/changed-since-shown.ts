/**
 * Checks whether something was changed from here since a batch was shown, because no read shows an accepted
 * write that is not visible yet.
 */

import { valueAt } from '../../../base/json-difference.ts';
import { isSameValue, pathWithin } from '../../model/changed-members.ts';
import { mayBeApplied, type RecordedWrite } from '../journal/entry.ts';
import { touchesSameMembers } from './undo-conflicts.ts';
import { thingDigest, type WriteValues } from './write-values.ts';

/**
 * A write is sent at most this long after it was begun, because it may wait for its slot under the rate
 * limit.
 */
const MAX_IN_FLIGHT_MS = 600_000;

type WrittenMembers = Pick<WriteValues, 'parameters' | 'members'>;

interface ShownBatchRef {
  /** The owner of the writes, under whichever account name. */
  owner: string;
  /** The id of the batch, whose own writes do not count. */
  batch: string;
  /** Milliseconds since the epoch. */
  since: number;
}

export type IsChangedSinceShown = (values: WrittenMembers) => Promise<boolean>;

/** Builds the check for one batch. @param writesOf reads the recorded writes of one thing */
export function changedSinceShown(
  writesOf: (thing: string, since: number) => Promise<RecordedWrite[]>,
  { owner, batch, since }: ShownBatchRef,
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
      // Values that are not stored, or cannot be read any more, may be about the same members.
      if (found === undefined || touchesSameMembers(found, values)) return true;
    }
    const inFlight = others.filter(
      (entry) =>
        !isSince(entry.time) &&
        (entry.endedAt === undefined || isSince(entry.endedAt)) &&
        !wasSentAgain(entry, others),
    );
    // The newest write includes what the others in flight have set.
    const last = await inFlight.at(-1)?.open();
    return last !== undefined && isOverwritten(last, values);
  };
}

/**
 * Returns whether the batch has sent the same thing anew. It does so only where it knows that nothing was
 * sent before, and that the earlier process was killed before it could record that.
 */
const wasSentAgain = ({ batch, time, endedAt }: RecordedWrite, same: readonly RecordedWrite[]) =>
  batch !== undefined && endedAt === undefined && same.some((one) => one.batch === batch && one.time > time);

/**
 * Returns whether a write leaves a value that is neither the one the earlier write set nor the one it was
 * shown to start from.
 */
const isOverwritten = (earlier: WrittenMembers, later: WrittenMembers) =>
  touchesSameMembers(earlier, later) &&
  earlier.members.some(({ segments: path, after: set }) =>
    later.members.some(({ segments, before, after }) => {
      const inner = pathWithin(segments, path);
      if (inner === undefined) return false;
      return ![before, after].some((side) => isSameValue(valueAt(side, inner), set));
    }),
  );
