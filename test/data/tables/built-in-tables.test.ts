/** The tables that every query finds: only those that are named, with a row for each table, column and write. */

import { expect, it } from 'vitest';
import { buildBuiltIn, CHANGE_COLUMNS } from '../../../src/data/tables/built-in-tables.ts';
import { readTokens } from '../../../src/data/tables/statement.ts';
import type { ChangeRow, CollectionInfo } from '../../../src/data/tables/table-types.ts';
import { noSnapshots } from '../../helpers/memory-loader.ts';

const ORDERS: CollectionInfo = {
  id: 'x',
  account: 'default',
  source: { kind: 'document', id: 'D', of: 'report' },
  collectedAt: '2026-11-21T11:00:00Z',
  complete: true,
  tables: [
    {
      name: 'orders',
      rows: 7,
      columns: [
        { name: 'id', type: 'text', example: 'A', note: 'as sent' },
        { name: 'price', type: 'number' },
      ],
      notes: [],
      currency: { column: 'money', values: ['EUR', 'SEK'] },
    },
    { name: 'orders_items', rows: 9, columns: [{ name: 'n', type: 'number' }], notes: [], parent: 'orders' },
  ],
  notes: [],
  bytes: 1,
};
const build = (sql: string, collections: CollectionInfo[] = [], rows: ChangeRow[] = []) =>
  buildBuiltIn(readTokens(sql), collections, ({ kind }) => `source ${kind}`, {
    ...noSnapshots,
    changes: async () => ({ rows, leftOut: 0 }),
  });

it('tables and columns are those that are there, with how long they are kept', async () => {
  const others = ['process', '2026-11-22T11:00:00Z'].map((until) => ({ ...ORDERS, complete: false, until }));
  const [columns, tables] = await build('SELECT * FROM tables JOIN columns', [ORDERS, ...others]);
  expect(tables?.name).toBe('tables');
  const first = ['orders', 7, 2, null, 'money', 'EUR, SEK', '2026-11-21T11:00:00Z'];
  const second = ['orders_items', 9, 1, 'orders', null, null, '2026-11-21T11:00:00Z'];
  expect(tables?.rows).toEqual(
    [
      [1, 'source document', null],
      [0, 'source document', "the last program that uses it ends, since it holds buyers' data"],
      [0, 'source document', '2026-11-22T11:00:00Z'],
    ].flatMap((rest) => [
      [...first, ...rest],
      [...second, ...rest],
    ]),
  );
  expect(columns).toMatchObject({
    name: 'columns',
    columns: expect.arrayContaining(['table_name', 'position']),
  });
  expect(columns?.rows.slice(0, 3)).toEqual([
    ['orders', 1, 'id', 'text', 'A', 'as sent'],
    ['orders', 2, 'price', 'number', null, null],
    ['orders_items', 1, 'n', 'number', null, null],
  ]);
});

it.each([
  ["SELECT 'changes', x FROM orders", []],
  ['SELECT * FROM "reviews", Listing_Changes', ['listing_changes', 'reviews']],
])('%s finds %j', async (sql, names) => {
  const found = await build(sql);
  expect(found.map(({ name }) => name)).toEqual(names);
  for (const { columns, rows } of found) {
    expect(rows).toEqual([]);
    expect(columns).toContain('marketplace');
  }
});

it('of writes whose person is told, each has its own', async () => {
  const rows = [{ sku: 'A', at: 't' }];
  const [alone] = await build('SELECT * FROM changes', [], rows);
  expect(alone?.columns).toEqual(CHANGE_COLUMNS);
  expect(alone?.rows).toEqual([
    CHANGE_COLUMNS.map((name) => (name === 'sku' ? 'A' : name === 'at' ? 't' : null)),
  ]);
  const [shared] = await build('SELECT * FROM changes', [], [...rows, { sku: 'B', person: 'anna' }]);
  expect(shared?.columns).toEqual([...CHANGE_COLUMNS, 'person']);
  expect(shared?.rows.map((row) => row.at(-1))).toEqual([null, 'anna']);
});
