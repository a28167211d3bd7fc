/** The currencies that occur in a table, so that amounts of two are never added up by mistake. */

import { isCurrencyName } from '../amounts.ts';
import type { TableInfo } from '../types.ts';

/** Values of one column that are kept: enough to see that there are several. */
const MOST_CURRENCIES = 20;

export interface Currencies {
  /** Places of the columns to look at. */
  places: readonly number[];
  see(place: number, value: unknown): void;
  /** The column with the most values; undefined where there is none. */
  found(): TableInfo['currency'] | undefined;
}

export function watchCurrencies(columns: readonly { name: string }[]): Currencies {
  const seen = new Map<number, Set<string>>();
  for (const [place, { name }] of columns.entries()) if (isCurrencyName(name)) seen.set(place, new Set());
  return {
    places: [...seen.keys()],
    see(place, value) {
      const values = seen.get(place);
      if (typeof value === 'string' && values !== undefined && values.size < MOST_CURRENCIES)
        values.add(value);
    },
    found() {
      const [most] = [...seen].sort(([, one], [, other]) => other.size - one.size);
      const column = most === undefined ? undefined : columns[most[0]]?.name;
      if (most === undefined || column === undefined || most[1].size === 0) return undefined;
      return { column, values: [...most[1]].map((value) => value.slice(0, 20)).sort() };
    },
  };
}
