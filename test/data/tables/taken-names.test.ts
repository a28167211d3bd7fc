/** A table has the name that was asked for, in the statement of its own collection, whatever else is called so. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readStatement } from '../../../src/data/tables/statement.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { ASK, collectItems, openTestTables } from '../../helpers/tables-worker.ts';

const ITEMS = [1, 2, 3, 4].map((n) => ({
  amazonOrderId: `B-${n}`,
  orders: n,
  purchaseDate: `2026-11-0${n}T10:00:00Z`,
  buyerEmail: `buyer${n}@example.org`,
  lines: [{ sku: `S${n % 2}`, quantity: n }],
}));

const sourceOf = (of: string): CollectionSource => ({
  kind: 'operation',
  operation: 'orders/getOrders',
  parameters: { of },
});

let tables: Tables;
/** The collection of `orders_2` and `orders_2_lines`. */
let second: CollectionInfo;

beforeAll(async () => {
  tables = await openTestTables();
  const first = [{ amazonOrderId: 'A-1', other: 1, buyerEmail: 'first@example.org' }];
  await collectItems(tables, 'orders', first);
  second = await collectItems(tables, 'orders', ITEMS, sourceOf('second'));
});
afterAll(() => tables.close());

const ask = async (sql: string, of?: CollectionInfo) => {
  const { columns, rows, tables: read } = await tables.query(sql, { ...ASK, of });
  return { columns, rows, names: read.map(({ name }) => name).sort() };
};

/** `{t}` and `{l}` stand for the table of the orders and for that of their lines. */
const named = (template: string, table: string) =>
  template.replaceAll('{t}', table).replaceAll('{l}', `${table}_lines`);

const STATEMENTS = [
  'SELECT count(*) AS n FROM {t}',
  "SELECT datetime('now') > '2026' AS late, count(*) AS n FROM {t}",
  "SELECT count(*) AS n FROM {t} WHERE purchase_date > datetime('2026-11-02 12:00:00')",
  'SELECT AmazonOrderId FROM {t} ORDER BY 1',
  'WITH {t}(n) AS (SELECT 7) SELECT n FROM {t}',
  'WITH mine AS (SELECT amazon_order_id AS id FROM {t}) SELECT * FROM mine ORDER BY id',
  'SELECT "{t}".amazon_order_id, l.sku FROM "{t}" JOIN [{l}] AS l ON l.item = "{t}".item ORDER BY 1',
  "SELECT '{t}' = 'orders' OR 1 AS name, /* FROM {t} */ sum(orders) AS orders FROM {t} -- {t}",
  'SELECT orders, buyer_email IS NULL AS none FROM {t} AS {l} ORDER BY orders DESC LIMIT 2',
  'SELECT sum(x.orders) AS n FROM (SELECT * FROM {t}) AS x, {l} WHERE x.item = {l}.item',
  'SELECT item FROM {t} WHERE item IN (SELECT item FROM {l} WHERE quantity > 2) UNION ALL SELECT 0',
  'SELECT buyer_email FROM {t} ORDER BY item',
];

it.each(STATEMENTS)('%s answers the same under the name that was asked for', async (template) => {
  expect(second.tables.map(({ name }) => name)).toEqual(['orders_2', 'orders_2_lines']);
  const own = await ask(named(template, 'orders_2'));
  const asked = await ask(named(template, 'orders'), second);
  expect(asked).toEqual(own);
});

test('a generated statement answers the same under the name that was asked for', async () => {
  const column = fc.constantFrom(
    'item',
    'orders',
    'amazon_order_id',
    'purchase_date',
    '"orders"',
    '{t}.orders',
  );
  const condition = fc.constantFrom(
    '',
    " WHERE amazon_order_id <> 'orders'",
    ' WHERE item IN (SELECT item FROM {l})',
    " WHERE datetime(purchase_date) < datetime('now')",
    ' WHERE EXISTS (SELECT 1 FROM {l} AS x WHERE x.item = {t}.item AND x.quantity > 1)',
  );
  const before = fc.constantFrom('', 'WITH other AS (SELECT 1 AS one) ', 'WITH a AS (SELECT item FROM {t}) ');
  const alias = fc.constantFrom('edit', 'replace', 'readfile', 'pragma_x', 'orders', 'sqlite_master');
  await fc.assert(
    fc.asyncProperty(before, column, condition, alias, async (head, of, where, name) => {
      const sql = `${head}SELECT ${of} AS ${name} FROM {t}${where} ORDER BY 1`;
      expect(await ask(named(sql, 'orders'), second)).toEqual(await ask(named(sql, 'orders_2')));
    }),
    { numRuns: 40 },
  );
});

test('a WITH table that has the name of the table itself does not take its place', async () => {
  const sql = 'WITH orders_2 AS (SELECT 7 AS n) SELECT (SELECT count(*) FROM orders), n FROM orders_2';
  expect((await ask(sql, second)).rows).toEqual([[4, 7]]);
});

test('a number at the end of a name that was asked for belongs to the name', async () => {
  await collectItems(tables, 'sales', [{ a: 'all' }], sourceOf('sales'));
  const yearly = await collectItems(tables, 'sales_2026', [{ a: '2026' }], sourceOf('sales of 2026'));
  expect((await ask('SELECT a FROM sales', yearly)).rows).toEqual([['all']]);
});

describe('a name that is also that of a refused function', () => {
  it.each([
    'SELECT 1 AS edit',
    'SELECT 1 edit',
    'SELECT edit FROM (SELECT 1 AS edit)',
    'SELECT x.edit FROM (SELECT 1 AS edit) AS x',
    'WITH edit AS (SELECT 1 AS readfile) SELECT readfile FROM edit',
    'WITH edit(n) AS (SELECT 1) SELECT n FROM edit',
    'SELECT 1 AS dbstat, 2 AS pragma_table_info, 3 AS sqlite_master',
    'WITH a AS (SELECT 1 AS replace) SELECT replace FROM a',
    'WITH a AS (SELECT 1) SELECT 1 AS replace FROM a',
  ])('is taken in %s', async (sql) => {
    expect((await ask(sql)).rows).toHaveLength(1);
  });

  it.each([
    'SELECT edit(1)',
    'SELECT * FROM fsdir',
    'SELECT * FROM main.dbstat',
    'SELECT * FROM dbstat',
    "SELECT * FROM pragma_table_info('x')",
    'WITH dbstat AS (SELECT 1) SELECT * FROM (SELECT 1), dbstat',
    'SELECT * FROM sqlite_master',
    'SELECT * FROM (SELECT 1) JOIN main.sqlite_schema',
    'WITH a AS (SELECT 1) REPLACE INTO b SELECT 1',
  ])('is refused in %s', (sql) => {
    expect(() => readStatement(sql)).toThrow('Not run');
  });
});
