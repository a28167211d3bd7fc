/** When to try again: arithmetic of numbers. */

export const BASE_MS = 500;
export const CAP_MS = 10_000;

/**
 * Backoff before attempt `attempt + 1`, with full jitter: anything from 0 to a ceiling that doubles up to a cap.
 * @param attempt the attempt that just failed, from 1.
 * @param random from 0 to 1.
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.max(0, attempt - 1));
  return Math.min(1, Math.max(0, random)) * ceiling;
}

export type RetryPlan = { kind: 'wait'; ms: number } | { kind: 'give up'; ms: number };

/** Waits for the longer of the service's wish and the backoff, unless that would reach the deadline. */
export function planRetry(input: {
  attempt: number;
  maxAttempts: number;
  random: number;
  retryAfterMs: number | undefined;
  remainingMs: number;
}): RetryPlan {
  const ms = Math.max(input.retryAfterMs ?? 0, backoffMs(input.attempt, input.random));
  const possible = input.attempt < input.maxAttempts && ms < input.remainingMs;
  return { kind: possible ? 'wait' : 'give up', ms };
}
