/** Lists that were prepared and shown, for as long as a yes to them is good: a yes or a code needs no reading again. */

import type { ResourceLink } from '../../../tell/tool-answer.ts';
import type { PreparedList } from '../../plan/listed-write.ts';
import type { sellerOf } from '../../plan/whose.ts';
import { createKeptShown, type KeptShown } from '../kept-shown.ts';
import type { ManyPreview } from './list-question.ts';

/** For the structured form, what the text was made of. */
export interface ListPreview
  extends Pick<ManyPreview, 'shown' | 'rest' | 'places' | 'warnings' | 'cannotUndo'> {
  /** For the person alone. */
  question: string;
  /** As the assistant may see it. */
  text: string;
  /** What was left out, how it is sent. */
  remarks: readonly string[];
  seller: ReturnType<typeof sellerOf> | undefined;
  links: ResourceLink[];
  /** Where all of it can be read. */
  whole: string | undefined;
  /** Path of the file. */
  saved: string | undefined;
}

/** Of a list that would change nothing. */
export const EMPTY_PREVIEW: ListPreview = {
  question: '',
  text: '',
  shown: [],
  rest: () => undefined,
  warnings: [],
  cannotUndo: [],
  links: [],
  whole: undefined,
  saved: undefined,
  places: '',
  remarks: [],
  seller: undefined,
};

export interface ShownList {
  list: PreparedList;
  /** Of what is sent. */
  digest: string;
  preview: ListPreview;
  /** When what was shown was read, in milliseconds since the epoch. */
  shownAt: number;
}

export type PreparedLists = KeptShown<ShownList>;

/** Lists kept at once, and writes in all of them. @param now milliseconds that only grow */
export const createPreparedLists = ({ now }: { now: () => number }): PreparedLists =>
  createKeptShown({ most: 5, mostSize: 50_000, sizeOf: ({ list }) => list.writes.length, now });
