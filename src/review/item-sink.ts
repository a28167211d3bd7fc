/** Takes the items of pages in memory, each once, where a collection would: they become rows only when all are in. */

import type { Place } from '../collections/pages.ts';
import { memberAt } from '../collections/read-page.ts';
import { parseItems } from '../json.ts';

/** @param add gets each item whose key has not come before */
export function createItemSink(add: (item: unknown) => void): Place {
  const seen = new Set<unknown>();
  return {
    async addItems(_table, given, key) {
      const items = parseItems(given);
      let rows = 0;
      for (const item of items) {
        const id = key === undefined ? undefined : memberAt(item, key);
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        add(item);
        rows += 1;
      }
      return { rows, repeated: items.length - rows };
    },
    async abandon() {
      seen.clear();
    },
  };
}
