/** The totals of a review: how many listings a section is about and how much inventory, with each listing counted once. */

import { plural } from '../../base/text/value-words.ts';
import { moneyWords } from './causes.ts';
import type { ReviewFacts } from './read-review.ts';

type TotalRow = ReviewFacts['totals'][number];

export interface SectionTotal {
  listings: number;
  /** One text for each currency. */
  standing_still: string[];
  price_or_stock_unknown?: number;
  /** Listings that stand in several groups, each of which counts them. */
  in_several_groups: number;
}

/** Undefined where there are no listings. */
export function totalOf(rows: readonly TotalRow[]): SectionTotal | undefined {
  if (rows.length === 0) return undefined;
  const sum = (member: 'listings' | 'unpriced' | 'in_several') =>
    rows.reduce((all, row) => all + row[member], 0);
  const amounts = new Map<string, number>();
  for (const { amount, currency } of rows) {
    if (amount !== null && currency !== null) amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  }
  const unpriced = sum('unpriced');
  return {
    listings: sum('listings'),
    standing_still: [...amounts].map(([currency, amount]) => moneyWords(amount, currency)),
    ...(unpriced === 0 ? {} : { price_or_stock_unknown: unpriced }),
    in_several_groups: sum('in_several'),
  };
}

/** Totals of the listings that are suppressed now, those that cannot be sold apart from those that are not found. */
export function suppressedTotal(rows: readonly TotalRow[]) {
  const total = totalOf(rows);
  if (total === undefined) return undefined;
  const altogether = totalOf(rows.filter(({ suppressed }) => suppressed === 'altogether'));
  const search = totalOf(rows.filter(({ suppressed }) => suppressed === 'search'));
  return {
    ...total,
    ...(altogether === undefined ? {} : { suppressed_altogether: altogether }),
    ...(search === undefined ? {} : { hidden_from_search: search }),
  };
}

/** `40 listings, each counted once, 12345 EUR; 7 of these stand in several groups and are counted in each`. */
export function totalWords({ listings, in_several_groups: several, ...total }: SectionTotal): string {
  const repeated =
    several === 0
      ? ''
      : `; ${several} of these ${several === 1 ? 'stands' : 'stand'} in several groups and ${several === 1 ? 'is' : 'are'} counted in each`;
  return `${plural(listings, 'listing')} in all, each counted once${amountWords(total)}${repeated}`;
}

/** `, 12345 EUR, price or stock of 2 not known`. */
export function amountWords({
  standing_still: money,
  price_or_stock_unknown: unknown,
}: Pick<SectionTotal, 'standing_still' | 'price_or_stock_unknown'>): string {
  const words = [
    ...(money.length === 0 ? [] : [money.join(' and ')]),
    ...(unknown === undefined ? [] : [`price or stock of ${unknown} not known`]),
  ];
  return words.map((each) => `, ${each}`).join('');
}
