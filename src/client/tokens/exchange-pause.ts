/** How long to leave the identity provider alone after failures in a row. */

import { CredentialError } from '../../errors.ts';

/** Credentials that were refused stay refused until somebody changes them. */
const LONGEST_AFTER_REFUSAL_MS = 300_000;
/** An outage ends by itself: the seller must not wait long after it. */
const LONGEST_AFTER_FAULT_MS = 10_000;

/** None after the first failure (the next call tries again), then 1 s, doubling up to five minutes, ten seconds for faults. */
export function pauseMs(failures: number, error: unknown): number {
  if (failures < 2) return 0;
  const longest = error instanceof CredentialError ? LONGEST_AFTER_REFUSAL_MS : LONGEST_AFTER_FAULT_MS;
  return Math.min(longest, 1000 * 2 ** (failures - 2));
}
