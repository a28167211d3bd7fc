/** Amounts of several currencies are never added up: whatever the statement looks like, unless it tells them apart. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { checkCurrencies } from '../../../src/data/tables/currency-guard.ts';
import { readTokens } from '../../../src/data/tables/statement.ts';
import type { TableInfo } from '../../../src/data/tables/tables.ts';

const table = (name: string, currencies: readonly string[] | undefined, ...columns: string[]): TableInfo => ({
  name,
  rows: 1,
  columns: columns.map((column) => ({ name: column, type: 'text' })),
  notes: [],
  ...(currencies === undefined ? {} : { currency: { column: `${name}_currency`, values: [...currencies] } }),
});
const SALES = table('sales', ['EUR', 'SEK'], 'sku', 'price', 'quantity', 'sales_currency');

function refusal(sql: string, ...tables: TableInfo[]) {
  try {
    checkCurrencies(readTokens(sql), tables.length === 0 ? [SALES] : tables);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return { words: error.message, hint: error.hint };
    throw error;
  }
}

const REFUSED = {
  words: 'Not run: sum(...) would add up amounts of 2 currencies (EUR, SEK) in table sales.',
  hint: "Group by sales_currency, or choose one of them: WHERE sales_currency = 'EUR'.",
};

describe('what adds up money of two currencies is refused', () => {
  it.each([
    'SELECT sum(price) FROM sales',
    'SELECT SUM("price") FROM sales',
    'SELECT sum(price * quantity) FROM sales',
    'SELECT sum(sales.price) FROM sales',
    'SELECT sum(coalesce(price, 0)) FROM sales',
    'SELECT sum(coalesce(0, 0) + price) FROM sales',
    'SELECT sku FROM sales WHERE quantity < sum(price',
    'SELECT quantity, sum((price) + 1) AS x FROM sales GROUP BY 1',
    'SELECT sum(x) FROM (SELECT price AS x FROM sales)',
    'SELECT sum(x) FROM (SELECT * FROM sales) y JOIN (SELECT price x FROM sales)',
    'WITH y AS (SELECT sales.* FROM sales) SELECT sum(price) FROM y',
    'SELECT sum(quantity), sum(price) FROM sales',
  ])('%s', (sql) => {
    expect(refusal(sql)).toEqual(REFUSED);
  });

  it.each(['avg', 'total'])('by %s too', (name) => {
    expect(refusal(`SELECT ${name}(price) FROM sales`)?.words).toContain(`Not run: ${name}(...)`);
  });

  it('a sum that is never closed is read to its end', () => {
    expect(refusal('SELECT sum(price FROM sales')).toEqual(REFUSED);
  });

  it('under a name of the statement’s own, where a star takes the money along', () => {
    for (const star of ['SELECT *', 'SELECT DISTINCT *', 'SELECT ALL *', 'SELECT sku, *', 'SELECT sales.*']) {
      expect(refusal(`SELECT sum(x) FROM (${star} FROM sales)`), star).toEqual(REFUSED);
    }
  });
});

describe('what adds up none of it is run', () => {
  it.each([
    'SELECT price FROM sales',
    'SELECT max(price) FROM sales',
    'SELECT sum(quantity) FROM sales WHERE price > 5',
    'SELECT sum(quantity), price FROM sales',
    'SELECT sales_currency, sum(price) FROM sales GROUP BY 1',
    `SELECT sum(price) FROM sales WHERE "sales_currency" = 'EUR'`,
    'SELECT sum(sales.quantity), price FROM sales',
    'SELECT sum, price FROM sales',
    'SELECT sum(CASE WHEN quantity IS NOT NULL THEN 1 ELSE 0 END), price FROM sales',
    'SELECT sum(DISTINCT quantity), price FROM sales',
    "SELECT sum(1), sum('price'), price FROM sales",
    'SELECT sum(x) FROM (SELECT count(*) AS x FROM sales)',
    'SELECT sum(x) FROM (SELECT quantity * 2 AS x FROM sales)',
    "SELECT sum(x) FROM (SELECT sku || '*' AS x FROM sales)",
    "SELECT sum(x) FROM (SELECT '*', quantity AS x FROM sales)",
    'SELECT sum(x) FROM (SELECT (quantity) AS x FROM sales)',
  ])('%s', (sql) => {
    expect(refusal(sql)).toBeUndefined();
  });

  it('of one currency, or of a table that tells none', () => {
    const sql = 'SELECT sum(price) FROM sales';
    expect(refusal(sql, table('sales', ['EUR'], 'price'))).toBeUndefined();
    expect(refusal(sql, table('sales', [], 'price'))).toBeUndefined();
    expect(refusal(sql, table('sales', undefined, 'price'))).toBeUndefined();
    expect(refusal('SELECT sum(x) FROM sales', table('sales', ['EUR', 'SEK'], 'x', 'sku'))).toBeUndefined();
  });
});

it('tables are looked at together, and each whose currency is named is told apart', () => {
  const one = table('one', ['EUR'], 'price');
  const two = table('two', ['SEK', 'EUR'], 'fee');
  const three = table('three', ['GBP'], 'sku');
  expect(refusal('SELECT sum(price), fee, sku FROM one, two, three', one, two, three)).toEqual({
    words: 'Not run: sum(...) would add up amounts of 2 currencies (EUR, SEK) in tables one, two.',
    hint: "Group by one_currency, or choose one of them: WHERE one_currency = 'EUR'.",
  });
  expect(refusal('SELECT sum(price), fee, two_currency FROM one, two', one, two)).toBeUndefined();
});

it('codes are told as they are, other texts as those of the service, eight at most', () => {
  const odd = table('t', ['kr', 'EUR', 'XEURX', 'x'.repeat(80)], 'price');
  expect(refusal('SELECT sum(price) FROM t', odd)).toEqual({
    words: `Not run: sum(...) would add up amounts of 4 currencies (EUR, «XEURX», «kr», «${'x'.repeat(20)}» (60 more characters)) in table t.`,
    hint: "Group by t_currency, or choose one of them: WHERE t_currency = 'EUR'.",
  });
  const none = table('t', ['kr', '€'], 'price');
  expect(refusal('SELECT sum(price) FROM t', none)?.hint).toContain("WHERE t_currency = '...'");
  const many = (count: number) =>
    table(
      't',
      Array.from({ length: count }, (_, i) => `AA${'ABCDEFGHIJ'[i]}`),
      'price',
    );
  const eight = 'AAA, AAB, AAC, AAD, AAE, AAF, AAG, AAH';
  expect(refusal('SELECT sum(price) FROM t', many(8))?.words).toContain(`(${eight})`);
  expect(refusal('SELECT sum(price) FROM t', many(10))?.words).toContain(`(${eight} and 2 more)`);
});

it('a sum is refused exactly where it is of money that is not told apart', () => {
  const columns = fc.subarray(['price', 'fee', 'quantity', 'sku'], { minLength: 1 });
  const of = fc.constantFrom('price', 'fee', 'quantity', 'sku');
  fc.assert(
    fc.property(columns, of, fc.boolean(), fc.nat({ max: 3 }), (names, summed, isGrouped, currencies) => {
      const one = table('t', ['EUR', 'SEK', 'GBP'].slice(0, currencies), ...names);
      const sql = `SELECT sum(${summed})${isGrouped ? ', t_currency' : ''} FROM t`;
      const isMoney = names.includes(summed) && ['price', 'fee'].includes(summed);
      expect(refusal(sql, one) !== undefined).toBe(isMoney && !isGrouped && currencies > 1);
    }),
  );
});
