/** Tests that SQLite's error becomes advice: the nearest name, and the columns and tables that exist. */

import { describe, expect, it } from 'vitest';
import { explainSqlFailure } from '../../../src/data/tables/sql-failure.ts';
import type { TableInfo } from '../../../src/data/tables/table-types.ts';

const table = (name: string, ...columns: string[]): TableInfo => ({
  name,
  rows: 1,
  columns: columns.map((column) => ({ name: column, type: 'text' })),
  notes: [],
});
const ORDERS = table('orders', 'order_id', 'purchase_date', 'item_price');
const ITEMS = table('order_items', 'sku', 'quantity');

const explain = (message: string, named: readonly TableInfo[] = [ORDERS], all = [ORDERS, ITEMS]) => {
  const { message: words, hint } = explainSqlFailure(message, { named, all });
  return { words, hint };
};

describe('a column that is not there', () => {
  const COLUMNS = 'Columns of orders: order_id, purchase_date, item_price.';

  it.each([
    ['no such column: order_idd', 'There is no column order_idd. The nearest name is order_id.'],
    ['no such column: o.Order_ID', 'There is no column o.Order_ID. The nearest name is order_id.'],
    ['no such column: price', 'There is no column price. The nearest name is item_price.'],
    ['no such column: xq', 'There is no column xq.'],
    ['no such column: warehouse', 'There is no column warehouse.'],
    [
      'no such column: "Shipped" - should this be a string literal in single-quotes?',
      "There is no column Shipped. A text stands in single quotes: 'text'.",
    ],
  ])('%s', (message, words) => {
    expect(explain(message)).toEqual({ words, hint: COLUMNS });
  });

  it('is told with the columns of every table that is named, sixty of each', () => {
    const many = (count: number) => table('wide', ...Array.from({ length: count }, (_, i) => `c${i}`));
    const names = Array.from({ length: 60 }, (_, i) => `c${i}`).join(', ');
    expect(explain('no such column: x', [ITEMS, many(60)]).hint).toBe(
      `Columns of order_items: sku, quantity. Columns of wide: ${names}.`,
    );
    expect(explain('no such column: x', [many(62)]).hint).toBe(
      `Columns of wide: ${names} and 2 more (table columns lists all).`,
    );
    expect(explain('no such column: x', [])).toEqual({ words: 'There is no column x.', hint: '' });
  });

  it('that two tables have is asked for with its table', () => {
    expect(explain('ambiguous column name: item')).toEqual({
      words: 'More than one table has a column item.',
      hint: 'Write the name of its table before it, or the alias where it has one: orders.item, o.item.',
    });
  });
});

describe('a table that is not there', () => {
  const beside =
    '; also changes (writes made from here), tables and columns (what there is). collect_data adds more.';

  it.each([
    ['no such table: order', 'There is no table order. The nearest name is orders.'],
    ['no such table: main.ORDERZ', 'There is no table main.ORDERZ. The nearest name is orders.'],
    ['no such table: stock_in_warehouses', 'There is no table stock_in_warehouses.'],
  ])('%s', (message, words) => {
    expect(explain(message)).toEqual({ words, hint: `Tables: orders, order_items${beside}` });
  });

  it('is told with sixty of those that are, and how many more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => table(`t${i}`));
    const names = Array.from({ length: 60 }, (_, i) => `t${i}`).join(', ');
    expect(explain('no such table: zz', [], many(60)).hint).toBe(`Tables: ${names}${beside}`);
    expect(explain('no such table: zz', [], many(63)).hint).toBe(`Tables: ${names} and 3 more${beside}`);
  });

  it('before anything was collected is told with how to', () => {
    expect(explain('no such table: orders', [], [])).toEqual({
      words: 'There is no table orders: nothing has been collected yet.',
      hint: 'Collect data with collect_data first; the table changes holds the writes made from here.',
    });
  });
});

it.each([
  ['file is not a database'],
  ['database disk image is malformed'],
  ['database disk image is malformed: more'],
])('%s: the file is damaged', (message) => {
  expect(explain(message)).toEqual({
    words: 'A file of collected data is damaged.',
    hint: 'Collect the data again: collect_data puts a new file in its place.',
  });
});

it('a function that is not there is told with those that are, and what ours say is said as it is', () => {
  expect(explain('no such function: now')).toEqual({
    words: 'There is no function now.',
    hint: expect.stringMatching(/^SQLite's own functions .* local_hour \(value, zone or marketplace\)\.$/),
  });
  expect(explain('Error: local_date: a\nb')).toEqual({ words: 'local_date: a\nb', hint: '' });
});

it.each([
  'near "FORM": syntax error',
  'Error: local: x',
  'x no such column: a',
  'x no such table: a',
  'x no such function: a',
  'x file is not a database',
  'x Error: local_date: y',
])('anything else is told in SQLite’s words: %s', (message) => {
  const { words, hint } = explain(message);
  expect(words).toBe(`SQLite does not take this statement: «${message}».`);
  expect(hint).toBe('Correct it and call query_data again.');
});

it('SQLite’s own words are cut', () => {
  expect(explain('y'.repeat(900)).words.length).toBeLessThan(520);
});
