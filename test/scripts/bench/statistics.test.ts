import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactly, median, percentile, ratioOf, spreadOf } from '../../../scripts/bench/statistics.ts';

const numbers = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });

describe('percentile', () => {
  it('takes the value at the rank, or between the two nearest', () => {
    expect(percentile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(percentile([10, 20], 0.25)).toBe(12.5);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([3, 1, 2], 1)).toBe(3);
  });

  it('never leaves the range of the values, and grows with the share', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(numbers, share, share, (values, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const tolerance = 1e-6;
        expect(percentile(values, low)).toBeLessThanOrEqual(percentile(values, high) + tolerance);
        expect(percentile(values, low)).toBeGreaterThanOrEqual(Math.min(...values) - tolerance);
        expect(percentile(values, high)).toBeLessThanOrEqual(Math.max(...values) + tolerance);
      }),
    );
  });

  it('refuses what has no answer', () => {
    expect(() => percentile([], 0.5)).toThrow(RangeError);
    expect(() => percentile([1], 1.5)).toThrow(RangeError);
    expect(() => percentile([1], Number.NaN)).toThrow(RangeError);
  });
});

describe('median', () => {
  it('is the middle, whatever the order, and leaves the list as it was', () => {
    const values = [9, 1, 5];
    expect(median(values)).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(values).toEqual([9, 1, 5]);
  });

  it('does not follow one outlier', () => {
    expect(median([1, 1, 1, 1, 1000])).toBe(1);
  });
});

describe('spread', () => {
  it('says the middle, both quartiles and how many', () => {
    expect(spreadOf([1, 2, 3, 4, 5])).toEqual({ median: 3, low: 2, high: 4, n: 5 });
    expect(exactly(7)).toEqual({ median: 7, low: 7, high: 7, n: 1 });
  });

  it('compares pair by pair, so that noise common to both goes out', () => {
    const base = [100, 200, 400];
    const slower = base.map((value) => value * 1.1);
    expect(ratioOf(slower, base).median).toBeCloseTo(1.1);
    expect(ratioOf(slower, base).high).toBeCloseTo(1.1);
    expect(() => ratioOf([1], [1, 2])).toThrow(RangeError);
  });
});
