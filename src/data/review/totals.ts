/** Computes the totals of a review: listings and inventory of a section, with each listing counted once. */

import { groupBy } from '../../base/group-by.ts';
import { plural } from '../../base/text/format-value.ts';
import { formatMoney } from './causes.ts';
import type { ReviewFacts } from './read-review.ts';

type TotalRow = ReviewFacts['totals'][number];

interface SectionTotal {
  listings: number;
  /** The number of listings in several groups of the section, each of which counts them. */
  in_several?: number;
  /** The amounts, one text for each currency. */
  standing_still?: string[];
  /** Whether marketplaces share stock, which counts once. */
  shared_stock_once?: true;
  price_or_stock_unknown?: number;
}

type SectionTotals = { [section in TotalRow['section']]?: SectionTotal };

/** Sections whose inventory cannot be sold, now or soon. */
const WITH_MONEY = ['causes', 'exempt'];

/** Sums over all marketplaces, so that no reader has to add up groups that count a listing again. */
export function sectionTotals(rows: readonly TotalRow[]): SectionTotals {
  const bySection = groupBy(rows, ({ section }) => section);
  return Object.fromEntries([...bySection].map(([section, of]) => [section, totalOf(of)]));
}

function totalOf(rows: readonly TotalRow[]): SectionTotal {
  const sum = (member: 'listings' | 'unpriced' | 'in_several') =>
    rows.reduce((all, row) => all + row[member], 0);
  const several = sum('in_several');
  const isMoney = rows.some(({ section }) => WITH_MONEY.includes(section));
  const known = rows.filter(({ amount, currency }) => amount !== null && currency !== null);
  const unknown = sum('unpriced');
  return {
    listings: sum('listings'),
    ...(several === 0 ? {} : { in_several: several }),
    ...(isMoney && known.length > 0
      ? { standing_still: known.map(({ amount, currency }) => formatMoney(amount, currency)) }
      : {}),
    ...(isMoney && known.some(({ is_shared: isShared }) => isShared === 1)
      ? { shared_stock_once: true }
      : {}),
    ...(isMoney && unknown > 0 ? { price_or_stock_unknown: unknown } : {}),
  };
}

/** Formats ` (40 listings, 7 counted under several, 12345 EUR)`; empty if nothing was counted. */
export function formatTotal(total: SectionTotal | undefined): string {
  if (total === undefined) return '';
  const {
    listings,
    in_several: several,
    standing_still: money = [],
    shared_stock_once: isShared = false,
    price_or_stock_unknown: unknown,
  } = total;
  const words = [
    plural(listings, 'listing'),
    ...(several === undefined ? [] : [`${several} counted under several`]),
    ...(money.length === 0
      ? []
      : [`${money.join(' and ')}${isShared ? ', with stock that marketplaces share counted once' : ''}`]),
    ...(unknown === undefined ? [] : [`price or stock of ${unknown} not known`]),
  ];
  return ` (${words.join(', ')})`;
}
