/** Sums of the columns of money of rows that go by: by currency, so that no two are ever added up. */

import { isCurrencyName, isMoneyName } from '../amounts.ts';
import { toName } from '../names.ts';
import type { MoneySum, SqlValue } from '../types.ts';

/** Sums that are told. */
const MOST_SUMS = 12;

/** Digits that a sum keeps exactly; beyond them stands what binary fractions add. */
const EXACT_DIGITS = 15;

export function createMoneySums(columns: readonly string[]) {
  const names = columns.map(toName);
  const currency = names.findIndex(isCurrencyName);
  const money = [...columns.entries()].filter(([at]) => isMoneyName(names[at] ?? '') && at !== currency);
  const sums = new Map<string, MoneySum>();
  return {
    add(row: readonly SqlValue[]): void {
      const of = currency < 0 ? null : (row[currency] ?? null);
      for (const [at, column] of money) {
        const value = row[at];
        if (typeof value !== 'number') continue;
        const key = `${at} ${String(of)}`;
        const known = sums.get(key);
        if (known !== undefined) known.sum += value;
        else if (sums.size < MOST_SUMS) {
          sums.set(key, { column, sum: value, ...(typeof of === 'string' ? { currency: of } : {}) });
        }
      }
    },
    end: (): MoneySum[] =>
      [...sums.values()].map((one) => ({ ...one, sum: Number(one.sum.toPrecision(EXACT_DIGITS)) })),
  };
}
