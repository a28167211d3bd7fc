/** Tests the notes about missing keys and doubtful columns: given wherever a statement uses them, and nowhere else. */

import { describe, expect, it } from 'vitest';
import { notesOnDoubts, notesOnLackedKeys } from '../../../src/data/tables/doubtful-columns.ts';
import { readStatement } from '../../../src/data/tables/statement.ts';
import type { ColumnInfo, TableInfo } from '../../../src/data/tables/table-types.ts';

const column = (name: string, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  name,
  type: 'text',
  ...more,
});
const table = (name: string, ...columns: ColumnInfo[]): TableInfo => ({ name, rows: 67, columns, notes: [] });

const REFUNDS = table(
  'r',
  column('sku', { lacks: { rows: 14, of: 67, elsewhere: { asin: 3, fnsku: 12 } } }),
  column('amazon_order_id', { lacks: { rows: 7, of: 67, elsewhere: {} } }),
  column('fnsku'),
  column('amount', { type: 'number' }),
);
const ORDERS = table('orders', column('sku'), column('quantity', { type: 'number' }));

const notesOf = (sql: string) => notesOnLackedKeys(readStatement(sql).tokens, [REFUNDS, ORDERS]);

describe('a key that rows lack', () => {
  it.each([
    'SELECT sku, sum(amount) FROM r GROUP BY sku',
    'SELECT sku, sum(amount) FROM r GROUP BY 1',
    'SELECT sku AS s, sum(amount) FROM r GROUP BY s',
    'SELECT sku s, sum(amount) FROM r GROUP BY s',
    'SELECT fnsku, sku, sum(amount) FROM r GROUP BY fnsku, sku',
    'SELECT "SKU", sum(amount) FROM r GROUP BY "SKU"',
    'SELECT r.sku, sum(r.amount) FROM r GROUP BY r.sku',
    'SELECT x.sku FROM r x JOIN orders o ON o.sku = x.sku',
    'SELECT quantity FROM orders JOIN r USING (sku)',
    'SELECT quantity FROM orders, r WHERE orders.sku = r.sku',
    'SELECT quantity FROM orders WHERE sku NOT IN (SELECT sku FROM r)',
    'SELECT quantity FROM orders o WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.sku = o.sku)',
    'SELECT sku FROM orders EXCEPT SELECT sku FROM r',
    "SELECT sum(amount) FROM r WHERE sku = 'S1'",
    "SELECT sum(amount) FROM r WHERE sku IN ('S1', 'S2')",
    "SELECT sum(amount) FROM r WHERE sku <> 'S1'",
    "SELECT sum(amount) FROM r WHERE sku LIKE 'S%'",
    'SELECT count(sku) FROM r',
    'SELECT count(DISTINCT sku) FROM r',
    'SELECT DISTINCT sku FROM r',
    'SELECT s, n FROM (SELECT sku AS s, count(*) AS n FROM r GROUP BY sku) ORDER BY n',
    'WITH x AS (SELECT sku, amount FROM r) SELECT sku, sum(amount) FROM x GROUP BY sku',
  ])('is told at %s', (sql) => {
    const [note, ...others] = notesOf(sql);
    for (const figure of ['r.sku', '14 of 67', 'fnsku is filled in 12', 'asin is filled in 3', 'by fnsku'])
      expect(note).toContain(figure);
    expect(others).toEqual([]);
  });

  it.each([
    'SELECT sku, amount FROM r',
    'SELECT sku, amount FROM r WHERE amount > 5',
    'SELECT sku, amount FROM r ORDER BY sku',
    'SELECT sku, amount FROM r WHERE amount > 5 ORDER BY amount, sku LIMIT 3',
    'SELECT * FROM r WHERE amount > 5',
    'SELECT count(*) FROM r',
    'SELECT fnsku, sum(amount) FROM r GROUP BY fnsku',
    'SELECT fnsku AS sku, sum(amount) FROM r GROUP BY fnsku',
    'SELECT sku, amount FROM r WHERE sku IS NULL',
    'SELECT sku, sum(amount) FROM r WHERE sku IS NOT NULL GROUP BY sku',
    'SELECT count(*) FROM r WHERE r.sku ISNULL',
    'SELECT coalesce(sku, fnsku), sum(amount) FROM r GROUP BY 1',
    'SELECT ifnull(r.sku, r.fnsku) AS k, sum(amount) FROM r GROUP BY k',
    'SELECT o.sku, sum(quantity) FROM orders AS o, r WHERE r.fnsku = o.sku GROUP BY o.sku',
    "SELECT 'sku', sum(amount) FROM r GROUP BY fnsku",
  ])('is not told at %s', (sql) => {
    expect(notesOf(sql)).toEqual([]);
  });

  it('without another key is told as well, each key for itself', () => {
    const notes = notesOf("SELECT sku, sum(amount) FROM r WHERE amazon_order_id = '1' GROUP BY sku");
    expect(notes.map((note) => /r\.(\w+)/.exec(note)?.[1])).toEqual(['sku', 'amazon_order_id']);
    expect(notes[1]).toContain('7 of 67');
  });
});

describe('a column in doubt', () => {
  const doubt = { kind: 'number' as const, reason: 'no decimal sign' };
  const prices = table('t', column('cena', { doubt }), column('sku'));
  it.each([
    ['SELECT sum(cena) FROM t', 1],
    ['SELECT sum(t.cena) FROM t', 1],
    ['SELECT sum(x.cena) FROM t AS x', 1],
    ['SELECT x.sku FROM t x WHERE x.cena > 2', 1],
    ['SELECT x.sku FROM t x ORDER BY x.cena', 1],
    ['SELECT x.cena FROM t x', 0],
    ['SELECT x.sku, x.cena FROM t x', 0],
  ])('is told at %s: %d', (sql, times) => {
    expect(notesOnDoubts(readStatement(sql).tokens, [prices])).toHaveLength(times);
  });
});
