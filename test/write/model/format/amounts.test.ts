/** Amounts as they are read by a seller: with the decimals of their currency, never rounded. */

import { expect, it } from 'vitest';
import { formatMoney } from '../../../../src/write/model/format/value.ts';

it.each([
  [73.5, 'USD', '73.50 USD'],
  [20, 'EUR', '20.00 EUR'],
  [-5.5, 'EUR', '-5.50 EUR'],
  [1200, 'JPY', '1200 JPY'],
  // The amount is shown exactly as it is sent.
  [19.995, 'EUR', '19.995 EUR'],
  [1200.5, 'JPY', '1200.5 JPY'],
  [1e21, 'EUR', '1e+21 EUR'],
  ['73.5', 'USD', '73.5 USD'],
  [5, 'usd', undefined],
  ['5 EUR', 'USD', undefined],
])('%s in %s', (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});
