/** The worker of the tables, built once for each test file that starts one. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { bundleWorker, TABLES_WORKER } from '../../scripts/bundle.ts';
import { createPersonalData } from '../../src/personal/personal-data.ts';
import { openTables, type TablesOptions } from '../../src/tables/open-tables.ts';
import type { CollectionSource, Tables } from '../../src/tables/types.ts';

let built: Promise<string> | undefined;
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-tables-'));
  folders.push(folder);
  return folder;
}

export function buildTablesWorker(): Promise<string> {
  built ??= makeTestFolder().then(async (folder) => {
    await bundleWorker(folder);
    return join(folder, TABLES_WORKER);
  });
  return built;
}

/** Tables in a temporary folder, with the real clock unless another is given. */
export async function openTestTables(
  given: Partial<TablesOptions> = {},
): Promise<Tables & { folder: string }> {
  const folder = given.folder ?? join(await makeTestFolder(), 'default');
  const tables = openTables({
    account: 'default',
    now: Date.now,
    keepHours: 24,
    changes: async () => ({ rows: [], leftOut: 0 }),
    workerFile: await buildTablesWorker(),
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
  const loader = await tables.open(source);
  await loader.addItems(table, items, key);
  return loader.finish({ source, complete: true, notes: [] });
}
