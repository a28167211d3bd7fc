/** Tables in folders of a test's own, with the worker that was built for the whole run. */

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { TABLES_WORKER } from '../../scripts/bundle.ts';
import { Snapshots } from '../../src/data/review/snapshots.ts';
import { openTables, type TablesOptions } from '../../src/data/tables/open-tables.ts';
import type { CollectionSource, Tables } from '../../src/data/tables/table-types.ts';
import { createWorkerPool } from '../../src/data/tables/worker-thread.ts';
import { createPersonalData } from '../../src/privacy/personal/personal-data.ts';
import { comparisonsBeside, leasesBeside } from './leases.ts';

export const tablesWorker = join(inject('programs'), TABLES_WORKER);

/** The pool for all tests of this thread in turn, because a new worker costs as much as its work. */
export const tableWorkers = createWorkerPool(tablesWorker);

/** It is removed with the whole run. */
export function makeTestFolder(): Promise<string> {
  return mkdtemp(join(inject('scratch'), 'tables-'));
}

/** Tables in a temporary folder, with the real clock unless another is given. */
export async function openTestTables(
  given: Partial<TablesOptions> = {},
): Promise<Tables & { folder: string }> {
  const folder = given.folder ?? join(await makeTestFolder(), 'default');
  const comparisons = comparisonsBeside(folder);
  const tables = openTables({
    account: 'default',
    now: Date.now,
    keepHours: 24,
    changes: async () => ({ rows: [], leftOut: 0 }),
    leases: leasesBeside(folder),
    snapshots: new Snapshots({
      comparisons,
      account: 'default',
      now: given.now ?? Date.now,
      keepDays: 90,
    }),
    // A folder that a test chooses has nothing beside it.
    history:
      given.folder === undefined
        ? { comparisons, account: 'default', limits: { below: 0.5, fromRows: 20 } }
        : undefined,
    workers: tableWorkers,
    personal: createPersonalData({ isMasking: true }),
    ...given,
    folder,
  });
  return { ...tables, folder };
}

export const ORDERS: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters: {} };

export const ASK = { maxRows: 100, maxBytes: 100_000, timeoutMs: 15_000 };

/** Collects items into one table. */
export async function collectItems(
  tables: Tables,
  table: string,
  items: readonly unknown[],
  source: CollectionSource = ORDERS,
  key?: string,
) {
  const loader = await tables.openLoader(source);
  await loader.addItems(table, items, key);
  return loader.finish({ source, complete: true, notes: [] });
}
