import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, CAP_MS, planRetry } from '../../../src/client/pacing/retry-delay.ts';

const attempt = fc.integer({ min: 1, max: 1000 });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const ms = fc.double({ min: 0, max: 1e7, noNaN: true });

describe('backoff', () => {
  it('is never negative and never over the cap', () => {
    fc.assert(
      fc.property(attempt, random, (n, r) => {
        const delay = backoffMs(n, r);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(CAP_MS);
      }),
    );
  });

  it('never shrinks from one attempt to the next for the same draw', () => {
    fc.assert(fc.property(attempt, random, (n, r) => backoffMs(n + 1, r) >= backoffMs(n, r)));
  });

  it('uses the whole range: nothing at 0, the doubled base at 1', () => {
    expect([1, 2, 3, 4, 5, 6].map((n) => backoffMs(n, 1))).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
    expect(backoffMs(4, 0)).toBe(0);
  });
});

describe('a plan', () => {
  it('waits at least as long as the service asks, and only inside the deadline', () => {
    fc.assert(
      fc.property(
        attempt,
        random,
        fc.option(ms, { nil: undefined }),
        ms,
        (n, r, retryAfterMs, remainingMs) => {
          const plan = planRetry({ attempt: n, maxAttempts: 5, random: r, retryAfterMs, remainingMs });
          expect(plan.ms).toBeGreaterThanOrEqual(retryAfterMs ?? 0);
          if (plan.kind === 'wait') expect(plan.ms).toBeLessThan(remainingMs);
          if (n >= 5) expect(plan.kind).toBe('give up');
        },
      ),
    );
  });

  it('keeps the total of all waits under the deadline', () => {
    const draws = fc.array(fc.tuple(random, fc.option(ms, { nil: undefined })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(draws, ms, (steps, deadline) => {
        let waited = 0;
        for (const [index, [r, retryAfterMs]] of steps.entries()) {
          const remainingMs = deadline - waited;
          const plan = planRetry({
            attempt: index + 1,
            maxAttempts: 5,
            random: r,
            retryAfterMs,
            remainingMs,
          });
          if (plan.kind === 'give up') break;
          waited += plan.ms;
        }
        expect(waited).toBeLessThanOrEqual(deadline);
      }),
    );
  });
});
