/** When to try again: the longer of what the service wishes and of our own wait. */

import { expect, it } from 'vitest';
import { BASE_MS, CAP_MS, planRetry } from '../../../src/call/pacing/backoff.ts';

const plan = (retryAfterMs: number | undefined, attempt = 1, remainingMs = 60_000) =>
  planRetry({ attempt, maxAttempts: 5, random: 1, retryAfterMs, remainingMs });

it.each([
  ['no wish', undefined, 1, BASE_MS],
  ['a wish of 0 seconds takes nothing from our own wait', 0, 1, BASE_MS],
  ['a longer wish', 3_000, 1, 3_000],
  ['a shorter wish, after some attempts', 1_000, 4, 8 * BASE_MS],
])('%s', (_what, wish, attempt, ms) => {
  expect(plan(wish, attempt)).toEqual({ kind: 'wait', ms });
});

it('doubles up to its cap, and gives up after the last attempt and where it would end at the deadline', () => {
  expect(plan(undefined, 5)).toMatchObject({ kind: 'give up', ms: Math.min(CAP_MS, 16 * BASE_MS) });
  expect(plan(undefined, 1, BASE_MS)).toMatchObject({ kind: 'give up' });
  expect(plan(undefined, 1, BASE_MS + 1)).toMatchObject({ kind: 'wait' });
});
