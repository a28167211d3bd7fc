/** Caches recent placeholders and their values, in both directions and within a limit. */

import type { PersonalKind } from '../../../privacy/personal/kinds.ts';
import { createPlaceholderMaker } from '../../../privacy/personal/placeholders.ts';

/** Max cached values; the oldest half is removed at a time. */
const MAX_PAIRS = 500_000;

type MaskedPlainValue = string | number | bigint;

export type RecentPairs = ReturnType<typeof createRecentPairs>;

interface Generation {
  marks: Map<string, Map<MaskedPlainValue, string>>;
  /** The value by placeholder; `undefined` if two values share it. */
  values: Map<string, MaskedPlainValue | undefined>;
}

const newGeneration = (): Generation => ({ marks: new Map(), values: new Map() });

export function createRecentPairs(key: Uint8Array, account: string, most = MAX_PAIRS) {
  const marker = createPlaceholderMaker(key, account);
  let young = newGeneration();
  let old = newGeneration();
  const keep = (kind: PersonalKind, value: MaskedPlainValue, mark: string) => {
    if (young.values.size >= most / 2) [young, old] = [newGeneration(), young];
    let marks = young.marks.get(kind);
    if (marks === undefined) {
      marks = new Map();
      young.marks.set(kind, marks);
    }
    marks.set(value, mark);
    const isShared = [young, old].some(
      ({ values }) => values.has(mark) && String(values.get(mark)) !== String(value),
    );
    young.values.set(mark, isShared ? undefined : value);
  };
  return {
    mark(kind: PersonalKind, value: MaskedPlainValue): string {
      const known = young.marks.get(kind)?.get(value);
      if (known !== undefined) return known;
      const mark = old.marks.get(kind)?.get(value) ?? marker.mark(kind, String(value));
      keep(kind, value, mark);
      return mark;
    },
    /** Returns undefined for a placeholder that is no longer cached, or that two values share. */
    resolve: (mark: string) => (young.values.has(mark) ? young.values.get(mark) : old.values.get(mark)),
  };
}
