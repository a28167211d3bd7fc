/** The currencies that occur in a table, so that amounts of two are never added up by mistake. */

import { isCurrencyName } from '../amounts.ts';

/** Values of one column that are kept: enough to see that there are several. */
const MOST_CURRENCIES = 20;

export interface CurrencyRows {
  column: string;
  rows: readonly number[];
}

export interface Currencies {
  /** Places of the columns to look at. */
  places: readonly number[];
  see(place: number, value: unknown, row: number): void;
  /** The column with the most values, and a row with each of them; undefined where there is none. */
  found(): CurrencyRows | undefined;
}

export function watchCurrencies(columns: readonly { name: string }[]): Currencies {
  const seen = new Map<number, Map<string, number>>();
  for (const [place, { name }] of columns.entries()) if (isCurrencyName(name)) seen.set(place, new Map());
  return {
    places: [...seen.keys()],
    see(place, value, row) {
      const values = seen.get(place);
      if (typeof value !== 'string' || values === undefined || values.has(value)) return;
      if (values.size < MOST_CURRENCIES) values.set(value, row);
    },
    found() {
      const [most] = [...seen].sort(([, one], [, other]) => other.size - one.size);
      const column = most === undefined ? undefined : columns[most[0]]?.name;
      if (most === undefined || column === undefined || most[1].size === 0) return undefined;
      return { column, rows: [...most[1].values()] };
    },
  };
}
