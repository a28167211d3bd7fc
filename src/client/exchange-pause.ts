/** How long to leave the identity provider alone after failures in a row. */

const LONGEST_MS = 300_000;

/** None after the first failure (the next call tries again), then 1 s, doubling up to five minutes. */
export function pauseMs(failures: number): number {
  return failures < 2 ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** (failures - 2));
}
