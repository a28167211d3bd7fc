import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guessRate, lowerRate, raiseRate } from '../../../src/client/pacing/learned-rate.ts';

const rate = fc.double({ min: 0.02, max: 100, noNaN: true });

describe('a learned rate', () => {
  it('starts at half of what went through', () => {
    expect(guessRate(40, 10_000)).toBe(2);
    expect(guessRate(10, 50)).toBe(5);
    expect(guessRate(0, 0)).toBe(0.5);
  });

  it('is halved by a refusal, once for those that come together, and stays above zero', () => {
    fc.assert(
      fc.property(rate, fc.nat(100_000), (now, since) => {
        const next = lowerRate(now, since);
        expect(next).toBeGreaterThan(0);
        expect(next).toBeLessThanOrEqual(now);
        if (since < 1000) expect(next).toBe(now);
      }),
    );
  });

  it('rises only after quiet seconds', () => {
    expect(raiseRate(4, 9999)).toBe(4);
    expect(raiseRate(4, 10_000)).toBe(5);
  });
});
