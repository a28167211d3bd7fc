/**
 * Judges whether a write that is about to leave is too late, because its process or the computer was
 * suspended after the write was released.
 */

import type { Clock } from '../../base/clock.ts';
import { WriteTooLateError } from '../../base/errors.ts';

/**
 * A claim may be this old when its first byte leaves: half of the shortest lease, after which another process
 * may take it.
 */
export const MAX_CLAIM_MS = 5_000;

/**
 * Starts the age of a claim now. The age is the larger of two clocks, because one stops while the computer
 * sleeps and the other one may be set.
 * @param wallDeadline of the whole call, in milliseconds since the epoch
 * @returns undefined while it may leave
 */
export function createLateness(
  clock: Clock,
  wallDeadline = Number.POSITIVE_INFINITY,
): () => WriteTooLateError | undefined {
  const [from, fromWall] = [clock.now(), clock.wallClock()];
  return () => {
    const ageMs = Math.max(clock.now() - from, Math.abs(clock.wallClock() - fromWall));
    if (ageMs > MAX_CLAIM_MS) {
      return tooLate(
        'This process or the computer stood still, or found no connection, just before it was to be sent',
      );
    }
    if (clock.wallClock() > wallDeadline) return tooLate('The call did not end within its time limit');
    return undefined;
  };
}

const tooLate = (why: string): WriteTooLateError =>
  new WriteTooLateError(
    `${why}, and what it was compared with may have changed since; it was not sent.`,
    'Look at what is there now, then call again.',
  );
