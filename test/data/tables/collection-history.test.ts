/** What is kept for a comparison: of whole collections alone, no value of a buyer, and gone with its time. */

import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import type { CollectionSource } from '../../../src/data/tables/tables.ts';
import { collectItems, openTestTables } from '../../helpers/tables-worker.ts';

const source = (day: number): CollectionSource => ({
  kind: 'operation',
  operation: 'orders/getOrders',
  parameters: { CreatedAfter: `2026-11-0${day}T00:00:00Z`, CreatedBefore: `2026-11-1${day}T00:00:00Z` },
});
const items = (many: number) =>
  Array.from({ length: many }, (_, at) => ({
    AmazonOrderId: `${at}`,
    BuyerInfo: { BuyerPhone: 4915112345 },
    Total: 5,
  }));

const filesOf = async (folder: string) =>
  (await readdir(`${folder}-snapshots`).catch(() => [])).filter((name) => name.endsWith('.collections.json'));

it('compares pages with those of another time, and says that none came', async () => {
  const tables = await openTestTables();
  expect(await collectItems(tables, 'orders', items(30), source(1))).not.toHaveProperty(
    'comparison',
    expect.any(String),
  );
  const fewer = await collectItems(tables, 'orders_b', items(7), source(2));
  expect(fewer.comparison).toContain('7 rows instead of 30');
  const none = await collectItems(tables, 'orders_c', [], source(3));
  expect(none.comparison).toContain('had 7');
  expect(await tables.lastOfKind(source(4))).toMatchObject({ rows: 7 });
  await tables.close();
});

it('neither compares nor keeps a collection that ended early', async () => {
  const tables = await openTestTables();
  const loader = await tables.open(source(1));
  await loader.addItems('orders', items(30));
  const early = await loader.finish({ source: source(1), complete: false, notes: [] });
  expect(early.comparison).toBeUndefined();
  expect(await filesOf(tables.folder)).toEqual([]);
  await tables.close();
});

it('keeps no number that is of a buyer', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'orders', items(1), source(1));
  const [file = ''] = await filesOf(tables.folder);
  const kept = await readFile(join(`${tables.folder}-snapshots`, file), 'utf8');
  expect(kept).toContain('"total"');
  expect(kept).not.toContain('4915112345');
  await tables.close();
});

it('goes with the reviews when its time is over', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'orders', items(1), source(1));
  const folder = `${tables.folder}-snapshots`;
  const [file = ''] = await filesOf(tables.folder);
  const snapshots = new Snapshots({ folder, now: Date.now, keepDays: 90 });
  await snapshots.removeOld();
  expect(await filesOf(tables.folder)).toEqual([file]);
  const old = new Date(Date.now() - 91 * 86_400_000);
  await utimes(join(folder, file), old, old);
  await snapshots.removeOld();
  expect(await filesOf(tables.folder)).toEqual([]);
  await tables.close();
});
