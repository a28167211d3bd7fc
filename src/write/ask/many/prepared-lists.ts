/** Lists that were prepared and shown, for as long as a yes to them is good: a yes or a code needs no reading again. */

import type { PreparedList } from '../../run/many/run-many.ts';
import { CODE_LIFETIME_MS } from '../confirmation.ts';
import type { ListPreview } from './list-preview.ts';

export interface ShownList {
  list: PreparedList;
  preview: ListPreview;
  /** When what was shown was read, in milliseconds since the epoch. */
  shownAt: number;
}

export interface PreparedLists {
  /** Undefined where it is too old, or was let go. */
  find(key: string): ShownList | undefined;
  keep(key: string, shown: ShownList): void;
  /** Once it is sent it is no longer what would be sent. */
  forget(key: string): void;
}

/** Lists kept at once, and writes in all of them: the oldest are let go. */
const MOST_LISTS = 5;
const MOST_WRITES = 50_000;

/** @param now milliseconds that only grow */
export function createPreparedLists({ now }: { now: () => number }): PreparedLists {
  const kept = new Map<string, { shown: ShownList; until: number }>();
  const makeRoom = () => {
    const count = () => [...kept.values()].reduce((sum, { shown }) => sum + shown.list.writes.length, 0);
    for (const [key, { until }] of kept) {
      const isTooMuch = kept.size > MOST_LISTS || count() > MOST_WRITES;
      if (until <= now() || (isTooMuch && kept.size > 1)) kept.delete(key);
    }
  };
  return {
    find(key) {
      makeRoom();
      return kept.get(key)?.shown;
    },
    keep(key, shown) {
      kept.delete(key);
      kept.set(key, { shown, until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    forget(key) {
      kept.delete(key);
    },
  };
}
