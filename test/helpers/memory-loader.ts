/** Loaders in memory: what was added, by table, equal items once; and how many were abandoned or finished. */

import type { CollectionInfo, Loader, Tables } from '../../src/data/tables/table-types.ts';
import { freeLeases } from './leases.ts';

export interface MemoryLoaders {
  open(): Promise<Loader>;
  /** Returns the items of the loader that was opened last. */
  items(table: string): unknown[] | undefined;
  abandoned(): number;
}

export function memoryLoaders(now: () => number = Date.now): MemoryLoaders {
  let tables = new Map<string, unknown[]>();
  let abandoned = 0;
  return {
    items: (table) => tables.get(table),
    abandoned: () => abandoned,
    async open() {
      const own = new Map<string, unknown[]>();
      let isFinished = false;
      tables = own;
      return {
        folder: '/nowhere',
        async addItems(table, items, key) {
          // Not at once, as in a thread.
          await new Promise((resolve) => setImmediate(resolve));
          if (isFinished) throw new Error('items were added to a collection that was whole');
          const kept = own.get(table) ?? [];
          own.set(table, kept);
          const fresh = items.filter(
            (item) => key === undefined || !kept.some((each) => memberOf(each, key) === memberOf(item, key)),
          );
          kept.push(...fresh);
          return { rows: fresh.length, repeated: items.length - fresh.length };
        },
        expectItems: async () => undefined,
        addDocument: async () => ({ rows: 0, tables: [], notes: [] }),
        progress: () => ({ rows: 0, bytes: 0, ofBytes: 0 }),
        async finish(about): Promise<CollectionInfo> {
          isFinished = true;
          const named = [...own].map(([name, rows]) => ({ name, rows: rows.length, columns: [], notes: [] }));
          const collectedAt = new Date(now()).toISOString();
          return { ...about, id: 'id', account: 'default', collectedAt, tables: named, bytes: 0 };
        },
        async abandon() {
          abandoned += 1;
        },
      };
    },
  };
}

function memberOf(item: unknown, key: string): unknown {
  return Object.entries(item ?? {}).find(([name]) => name === key)?.[1];
}

/** The snapshots of an account that nobody has reviewed. */
export const noSnapshots: Pick<Tables, 'leases' | 'snapshots' | 'changes'> = {
  leases: freeLeases,
  snapshots: {
    list: async () => [],
    read: async () => undefined,
    keep: async () => undefined,
    keepPart: async () => undefined,
    tellOnce: async () => undefined,
  },
  changes: async () => ({ rows: [], leftOut: 0 }),
};
