/** The function that the guard of currencies writes into a statement: it gives a figure back, unless amounts of several currencies stand behind it. */

import { marketplaces } from '../../../service/facts/marketplaces.ts';
import domains from './domains.json' with { type: 'json' };
import type { FunctionValue } from './mask-values.ts';

/** Not the name of any other function, column or table. */
export const ONE_CURRENCY = '__one_currency';

/** What a message of its error begins with; the number of the check and the currencies as JSON follow. */
export const MIXED = 'amounts of several currencies';

/**
 * Of one run of a statement. `group` numbers figures that have to be of one currency in all rows; `key` numbers a column
 * of which each `label` has to stand for one currency in all rows. Either is NULL where nothing of the kind is asked.
 */
export function createOneCurrency() {
  const known = new Map<string, string>();
  return (...values: FunctionValue[]): FunctionValue => {
    const [check = null, group = null, key = null, label = null, figure = null, ...currencies] = values;
    // A list of them is parted by commas, which no currency has.
    const given = currencies.filter((currency) => currency !== null);
    const seen = new Set(given.flatMap((currency) => String(currency).split(',')));
    const names = [
      ...(group === null ? [] : [`group ${group}`]),
      ...(key === null ? [] : [`key ${key} ${typeof label} ${label}`]),
    ];
    const own = [...seen];
    for (const name of names) {
      const before = known.get(name);
      if (before !== undefined && own.length > 0) seen.add(before);
    }
    if (seen.size > 1) throw new Error(`${MIXED} ${check} ${JSON.stringify([...seen].sort())}`);
    for (const currency of own) for (const name of names) known.set(name, currency);
    return figure;
  };
}

/** Of a marketplace by its ID, country, name or address; the value itself for any other. */
export function currencyOfMarketplace(value: string): string {
  const bare = value.trim().toLowerCase();
  const found = marketplaces().find(
    ({ id, country, name }) =>
      [id, country, name].some((one) => one.toLowerCase() === bare) || DOMAINS[bare] === country,
  );
  return found?.currency ?? value;
}

/** Endings of Amazon's addresses, by which reports call marketplaces. */
const DOMAINS: Readonly<Record<string, string>> = domains;
