import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answered,
  emptied,
  FASTEST_BELIEVED,
  fullBucket,
  guessRate,
  HOLD_MS,
  lowerRate,
  MARGIN_MS,
  raiseRate,
  refill,
  SLOWEST_BELIEVED,
  take,
  waitMs,
  withCapacity,
  withRate,
} from '../../../src/call/pacing/token-bucket.ts';

const rate = fc.double({ min: 0.005, max: 50, noNaN: true });
const capacity = fc.integer({ min: 1, max: 30 });

describe('a token bucket', () => {
  it('gives its burst at once and then waits for the rate', () => {
    let bucket = fullBucket(0.0167, 20, 0);
    for (let call = 0; call < 20; call++) {
      expect(waitMs(bucket, 0)).toBe(0);
      bucket = take(bucket, 0);
    }
    bucket = answered(bucket, 0);
    expect(waitMs(bucket, 0)).toBeCloseTo(1000 / 0.0167 + 5, 3);
  });

  it('holds never more than its capacity and never less than nothing', () => {
    fc.assert(
      fc.property(rate, capacity, fc.array(fc.nat(5000), { maxLength: 60 }), (perSecond, burst, steps) => {
        let bucket = fullBucket(perSecond, burst, 0);
        let now = 0;
        for (const step of steps) {
          now += step;
          bucket = step % 3 === 0 ? answered(refill(bucket, now), now) : take(bucket, now);
          expect(bucket.tokens).toBeGreaterThanOrEqual(0);
          expect(bucket.tokens).toBeLessThanOrEqual(burst);
          expect(waitMs(bucket, now)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('after the wait it names, the call may go', () => {
    fc.assert(
      fc.property(rate, capacity, fc.nat(40), (perSecond, burst, calls) => {
        let bucket = fullBucket(perSecond, burst, 0);
        let now = 0;
        for (let call = 0; call < calls; call++) {
          now += waitMs(bucket, now);
          expect(waitMs(bucket, now)).toBe(0);
          bucket = answered(take(bucket, now), now);
        }
      }),
    );
  });

  it('is never ahead of a service that counts the same limit at the arrival of each call, however late that is', () => {
    const latencies = fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 20, noNaN: true }),
        capacity,
        latencies,
        (perSecond, burst, legs) => {
          let bucket = fullBucket(perSecond, burst, 0);
          let service = { tokens: burst, at: 0 };
          let now = 0;
          for (const [there, back] of legs) {
            now += waitMs(bucket, now);
            bucket = take(bucket, now);
            now += there;
            const refilled = service.tokens + ((now - service.at) / 1000) * perSecond;
            service = { tokens: Math.min(burst, refilled), at: now };
            expect(service.tokens).toBeGreaterThan(1 - 1e-6);
            service.tokens -= 1;
            now += back;
            bucket = answered(bucket, now);
          }
        },
      ),
    );
  });

  it('does not fill before the time the service names', () => {
    const bucket = emptied(fullBucket(10, 5, 0), 3000);
    expect(waitMs(bucket, 0)).toBeCloseTo(3100, 6);
    expect(waitMs(bucket, 2000)).toBeCloseTo(1100, 6);
    expect(refill(bucket, 60_000).tokens).toBe(5);
  });

  it('starts filling with the answer to the first call out of a full bucket, a second later at the latest', () => {
    const taken = take(fullBucket(10, 2, 0), 100);
    expect(taken).toMatchObject({ tokens: 1, held: true, updatedAt: 100 + HOLD_MS });
    expect(refill(taken, 900).tokens).toBe(1);
    expect(refill(taken, 100 + HOLD_MS + 50).tokens).toBeCloseTo(1.5, 6);
    const soon = answered(taken, 300);
    expect(soon).toMatchObject({ held: false, updatedAt: 300 + MARGIN_MS });
    expect(answered(taken, 5000).updatedAt).toBe(100 + HOLD_MS);
    expect(answered(soon, 400)).toBe(soon);
  });

  it('keeps filling over the calls that follow, whose answers change nothing', () => {
    const first = answered(take(fullBucket(10, 3, 0), 0), 0);
    const second = take(first, 55);
    expect(second).toMatchObject({ held: false, updatedAt: 55 });
    expect(second.tokens).toBeCloseTo(1.5, 6);
    expect(answered(second, 500)).toBe(second);
  });

  it('is not full while it must not fill', () => {
    const closed = emptied(fullBucket(1, 1, 0), 4000);
    expect(take({ ...closed, tokens: 1 }, 1000).held).toBe(false);
    expect(take({ ...closed, tokens: 1 }, 4000).held).toBe(true);
    expect(take({ ...closed, tokens: 0.5 }, 1000).tokens).toBe(0);
  });

  it('that is emptied keeps the later of two ends, but not the hold of a call that was refused', () => {
    const closed = emptied(fullBucket(1, 1, 0), 4000);
    expect(emptied(closed, 3000).updatedAt).toBe(4000);
    expect(emptied(closed, 5000).updatedAt).toBe(5000);
    expect(emptied(take(fullBucket(1, 1, 0), 0), 200)).toMatchObject({
      tokens: 0,
      held: false,
      updatedAt: 200,
    });
  });

  it('fills at the old rate until the rate changes', () => {
    const bucket = withRate({ ...fullBucket(1, 10, 0), tokens: 0 }, 5, 2000);
    expect(bucket).toMatchObject({ tokens: 2, requestsPerSecond: 5, updatedAt: 2000 });
  });

  it('believes rates between one call an hour and a thousand a second', () => {
    expect(fullBucket(1e-9, 1, 0).requestsPerSecond).toBe(SLOWEST_BELIEVED);
    expect(withRate(fullBucket(1, 1, 0), 1e9, 0).requestsPerSecond).toBe(FASTEST_BELIEVED);
    expect(fullBucket(0.0167, 1, 0).requestsPerSecond).toBe(0.0167);
  });

  it('loses what no longer fits when its capacity shrinks', () => {
    expect(withCapacity(fullBucket(1, 5, 0), 2)).toMatchObject({ capacity: 2, tokens: 2 });
  });
});

it.each([0, -1, 0.5])('a burst of %d lets one call through', (burst) => {
  const bucket = fullBucket(1, burst, 0);
  expect(waitMs(bucket, 0)).toBe(0);
  expect(waitMs(answered(take(bucket, 0), 0), 0)).toBeLessThan(2000);
});

describe('a learned rate', () => {
  it('starts at half of what went through', () => {
    expect(guessRate(40, 10_000)).toBe(2);
    expect(guessRate(10, 50)).toBe(5);
    expect(guessRate(0, 0)).toBe(0.5);
  });

  it('is halved by a refusal, once for those that come together, and stays above zero', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 100, noNaN: true }), fc.nat(100_000), (now, since) => {
        const next = lowerRate(now, since);
        expect(next).toBeGreaterThan(0);
        expect(next).toBeLessThanOrEqual(now);
        if (since < 1000) expect(next).toBe(now);
      }),
    );
  });

  it('is never less than one call a minute by guessing', () => {
    expect(lowerRate(0.02, 1000)).toBeCloseTo(1 / 60, 9);
    expect(lowerRate(4, 1000)).toBe(2);
    expect(lowerRate(4, 999)).toBe(4);
  });

  it('rises only after quiet seconds', () => {
    expect(raiseRate(4, 9999)).toBe(4);
    expect(raiseRate(4, 10_000)).toBe(5);
  });
});
