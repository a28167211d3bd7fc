/** Choices of one hostile case: all follow from its seed, so that it can be made again. */

import { createRandom } from '../../../test/helpers/random.ts';

export interface Chance {
  /** From 0 to 1. */
  share(): number;
  /** True so many times in a hundred. */
  percent(many: number): boolean;
  /** A whole number; both ends are in. */
  between(least: number, most: number): number;
  /** Small ones as often as large ones of ten times the size. */
  size(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  some<T>(from: readonly [T, ...T[]], most: number): T[];
}

export function createChance(seed: number): Chance {
  const share = createRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(share() * (most - least + 1));
  const pick = <T>(from: readonly [T, ...T[]]): T => from[between(0, from.length - 1)] ?? from[0];
  return {
    share,
    percent: (many) => share() * 100 < many,
    between,
    size: (least, most) => Math.round(least * (most / least) ** share()),
    pick,
    some: (from, most) => Array.from({ length: between(1, most) }, () => pick(from)),
  };
}
