/** Tests that the samples taken while rows pass equal those of all rows read afterwards. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SqlValue } from '../../../../src/data/tables/table-types.ts';
import { watchRows } from '../../../../src/data/tables/worker/samples.ts';

const COLUMNS = ['id', 'at', 'currency', 'price_currency_code'].map((name) => ({ name }));
const few = fc.constantFrom(null, 'EUR', 'USD', 'GBP', 5);
const any = fc.constantFrom(
  null,
  null,
  '2026-01-02',
  '2026-01-01T10:00:00Z',
  '2026-12-31 x',
  'x 2026-01-01',
  '',
  0,
);

it('first rows, days and currencies are those of all rows', () => {
  const rows = fc.array(fc.tuple(any, any, few, few), { maxLength: 8 });
  fc.assert(
    fc.property(rows, (all) => {
      const seen = watchRows(COLUMNS);
      for (const [at, row] of all.entries()) seen.see(row, at + 1);
      const columns = COLUMNS.map(({ name }, at) => ({
        name,
        at,
        values: all.map((row) => row[at] ?? null),
      }));
      const filled = columns
        .map(({ name, at, values }) => ({
          name,
          at,
          values,
          first: values.findIndex((value) => value !== null),
        }))
        .filter(({ first }) => first >= 0);
      expect(Object.fromEntries(seen.firstRows)).toEqual(
        Object.fromEntries(filled.map(({ name, first }) => [name, first + 1])),
      );
      const days = filled
        .filter(({ values, first }) => String(values[first]).startsWith('2026-'))
        .map(({ at, name, values }) => {
          const [first, ...others] = values.filter((value) => typeof value === 'string').sort();
          return { at, name, first, last: others.at(-1) ?? first };
        });
      expect(seen.dates.toSorted((one, other) => one.at - other.at)).toEqual(days);
      const [none, most] = columns
        .slice(2)
        .map(({ name, values }) => ({
          column: name,
          rows: values.flatMap((value, at) =>
            typeof value === 'string' && values.indexOf(value) === at ? [at + 1] : [],
          ),
        }))
        .sort((one, other) => one.rows.length - other.rows.length || (one.column < other.column ? 1 : -1));
      expect(none?.rows.length).toBeLessThanOrEqual(most?.rows.length ?? 0);
      const codes = new Set(
        columns.slice(2).flatMap(({ values }) => values.filter((one) => typeof one === 'string')),
      );
      const isOnly = codes.size === 1 ? { isOnly: true } : {};
      expect(seen.currency()).toEqual(most?.rows.length === 0 ? undefined : { ...most, ...isOnly });
    }),
    { numRuns: 500 },
  );
});

it('a currency is the only one where every amount has it beside it', () => {
  const isOnly = (...rows: SqlValue[][]) => {
    const seen = watchRows([{ name: 'price' }, { name: 'currency' }, { name: 'sku' }]);
    for (const [at, row] of rows.entries()) seen.see(row, at + 1);
    return seen.currency()?.isOnly === true;
  };
  expect(isOnly([1, 'EUR', 'A'], [2, 'EUR', 'B'], [null, null, 'C'])).toBe(true);
  expect(isOnly([1, 'EUR', 'A'], [2, null, 'B'])).toBe(false);
  expect(isOnly([1, 'EUR', 'A'], [2, 'GBP', 'B'])).toBe(false);
});

it('of more than twenty currencies the first twenty are noted', () => {
  const seen = watchRows([{ name: 'currency' }]);
  for (let row = 1; row <= 30; row++) seen.see([`C${row}`], row);
  expect(seen.currency()?.rows).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
