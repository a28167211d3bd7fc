/** Whether a write that is about to leave comes too late, since its process or the computer stood still after it was let go. */

import type { Clock } from '../../base/clock.ts';
import { WriteTooLateError } from '../../base/errors.ts';

/** How old a claim may be when its first byte leaves: half of the shortest lease, after which another process may take it. */
export const MAX_CLAIM_MS = 5_000;

/**
 * The claim begins now. By the larger of both clocks: one stands still while the computer sleeps, the other one may be set.
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
    if (ageMs <= MAX_CLAIM_MS && clock.wallClock() <= wallDeadline) return undefined;
    return new WriteTooLateError(
      'This process or the computer stood still, or found no connection, just before it was to be sent, and what it was compared with may have changed since; it was not sent.',
      'Look at what is there now, then call again.',
    );
  };
}
