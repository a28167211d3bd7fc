/** Sums the money columns of passing rows by currency, so that amounts of two currencies are never added. */

import { isCurrencyName, isMoneyName } from '../amounts.ts';
import { toName } from '../sql-names.ts';
import type { MoneySum, SqlValue } from '../table-types.ts';

/** Max sums in an answer. */
const MAX_SUMS = 12;

/** No currency has more decimals; rates do. */
const MAX_DECIMALS = 6;

export function createMoneySums(columns: readonly string[]) {
  const names = columns.map(toName);
  const currency = names.findIndex(isCurrencyName);
  const money = [...columns.entries()].filter(([at]) => isMoneyName(names[at] ?? '') && at !== currency);
  const sums = new Map<string, MoneySum & { decimals: number }>();
  return {
    add(row: readonly SqlValue[]): void {
      const of = currency < 0 ? null : (row[currency] ?? null);
      for (const [at, column] of money) {
        const value = row[at];
        if (typeof value !== 'number') continue;
        const key = `${at} ${String(of)}`;
        const known = sums.get(key);
        const decimals = decimalsOf(value);
        if (known !== undefined) {
          known.sum += value;
          known.decimals = Math.max(known.decimals, decimals);
        } else if (sums.size < MAX_SUMS) {
          const currencyOf = typeof of === 'string' ? { currency: of } : {};
          sums.set(key, { column, sum: value, decimals, ...currencyOf });
        }
      }
    },
    end: (): MoneySum[] =>
      // Rounding to the decimals of the amounts removes errors of binary fractions.
      [...sums.values()].map(({ decimals, sum, ...one }) => ({ ...one, sum: Number(sum.toFixed(decimals)) })),
  };
}

function decimalsOf(value: number): number {
  const [, fraction = ''] = String(value).split('.');
  return Math.min(MAX_DECIMALS, fraction.length);
}
