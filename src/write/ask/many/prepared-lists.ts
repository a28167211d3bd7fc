/** Lists that were prepared and shown, for as long as a yes to them is good: a yes or a code needs no reading again. */

import type { PreparedList } from '../../run/many/write-list.ts';
import { createKeptShown, type KeptShown } from '../kept-shown.ts';
import type { ListPreview } from './list-preview.ts';

export interface ShownList {
  list: PreparedList;
  preview: ListPreview;
  /** When what was shown was read, in milliseconds since the epoch. */
  shownAt: number;
}

export type PreparedLists = KeptShown<ShownList>;

/** Lists kept at once, and writes in all of them. @param now milliseconds that only grow */
export const createPreparedLists = ({ now }: { now: () => number }): PreparedLists =>
  createKeptShown({ most: 5, mostSize: 50_000, sizeOf: ({ list }) => list.writes.length, now });
