/**
 * The function that the currency guard writes into a statement: it returns a figure unless amounts of several
 * currencies are behind it.
 */

import { marketplaces } from '../../../service/facts/marketplaces.ts';
import domains from './domains.json' with { type: 'json' };
import type { FunctionValue } from './mask-values.ts';

/** A name that no other function, column or table has. */
export const ONE_CURRENCY = '__one_currency';

/** The beginning of its error message; the number of the check and the currencies as JSON follow. */
export const MIXED = 'amounts of several currencies';

/**
 * Creates the function for one run of a statement. `group` numbers figures that must share one currency in
 * all rows. `key` numbers a column in which each `label` must mean one currency in all rows. Either is NULL
 * if not needed.
 */
export function createOneCurrency() {
  const known = new Map<string, string>();
  return (...values: FunctionValue[]): FunctionValue => {
    const [check = null, group = null, key = null, label = null, figure = null, ...currencies] = values;
    // A list of currencies is split at commas, which no currency contains.
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

/**
 * Returns the currency of a marketplace by its id, country, name or address; any other value is returned
 * unchanged.
 */
export function currencyOfMarketplace(value: string): string {
  const bare = value.trim().toLowerCase();
  const found = marketplaces().find(
    ({ id, country, name }) =>
      [id, country, name].some((one) => one.toLowerCase() === bare) || DOMAINS[bare] === country,
  );
  return found?.currency ?? value;
}

/** The domain endings by which reports name marketplaces. */
const DOMAINS: Readonly<Record<string, string>> = domains;
