/** Sums of money: of each column, in each currency, exact to the cent whatever the order of the rows. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMoneySums } from '../../../../src/data/tables/worker/money-sums.ts';

it('adds up each column of money by currency, and nothing else', () => {
  const row = fc.tuple(
    fc.integer({ min: -9_999, max: 99_999_999 }),
    fc.constantFrom('EUR', 'SEK', null),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 2_000, size: 'max' }), (rows) => {
      const sums = createMoneySums(['sku', 'Item Price', 'currency', 'quantity']);
      const cents = new Map<string | null, number>();
      for (const [price, currency, quantity] of rows) {
        sums.add(['a', price / 100, currency, quantity]);
        cents.set(currency, (cents.get(currency) ?? 0) + price);
      }
      const summed = sums.end().map(({ column, sum, currency = null }) => [column, currency, sum]);
      const meant = [...cents].map(([currency, sum]) => ['Item Price', currency, sum / 100]);
      expect(summed).toEqual(meant);
      for (const { sum } of sums.end()) expect(String(sum)).toMatch(/^-?\d+(?:\.\d{1,2})?$/);
    }),
  );
});
