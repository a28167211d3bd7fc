/**
 * Tests what is stored for a comparison: complete collections only, no buyer's value, deleted when its time
 * is over.
 */

import { expect, it } from 'vitest';
import * as z from 'zod';
import { removeOldComparisons } from '../../../src/data/review/comparisons.ts';
import type { CollectionSource } from '../../../src/data/tables/table-types.ts';
import { select, sql } from '../../../src/store/statement.ts';
import { comparisonsBeside } from '../../helpers/leases.ts';
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

const keptOf = (folder: string) =>
  comparisonsBeside(folder).read(() =>
    select(sql`SELECT counts FROM collection_counts`, z.object({ counts: z.string() })),
  );

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
  const loader = await tables.openLoader(source(1));
  await loader.addItems('orders', items(30));
  const early = await loader.finish({ source: source(1), complete: false, notes: [] });
  expect(early.comparison).toBeUndefined();
  expect(await keptOf(tables.folder)).toEqual([]);
  await tables.close();
});

it('keeps no number that is of a buyer', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'orders', items(1), source(1));
  const kept = JSON.stringify(await keptOf(tables.folder));
  expect(kept).toContain('\\"total\\"');
  expect(kept).not.toContain('4915112345');
  await tables.close();
});

it('goes with the reviews when its time is over', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'orders', items(1), source(1));
  const comparisons = comparisonsBeside(tables.folder);
  await removeOldComparisons(comparisons, { now: Date.now, keepDays: 90 });
  expect(await keptOf(tables.folder)).toHaveLength(1);
  await removeOldComparisons(comparisons, { now: () => Date.now() + 91 * 86_400_000, keepDays: 90 });
  expect(await keptOf(tables.folder)).toEqual([]);
  await tables.close();
});
