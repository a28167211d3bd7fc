/** Summarizes a list of measurements: median, percentiles and spread. */

export interface Spread {
  median: number;
  /** Lower and upper quartile: half of all measurements lie between them. */
  low: number;
  high: number;
  /** How many measurements. */
  n: number;
}

/**
 * Linear between the two nearest ranks.
 * @param share from 0 to 1.
 * @throws RangeError for no values, or a share outside that range.
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('no values');
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share ${share}`);
  const sorted = [...values].sort((one, other) => one - other);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    low: percentile(values, 0.25),
    high: percentile(values, 0.75),
    n: values.length,
  };
}

/** A figure that was counted, not measured. */
export function exactly(value: number): Spread {
  return { median: value, low: value, high: value, n: 1 };
}

/**
 * Ratios of the values to `base`, pair by pair: measurements taken side by side share their noise.
 * @throws RangeError when the lists differ in length.
 */
export function ratioOf(values: readonly number[], base: readonly number[]): Spread {
  if (values.length !== base.length) throw new RangeError('lists of different length');
  return spreadOf(values.map((value, i) => value / (base[i] ?? Number.NaN)));
}
