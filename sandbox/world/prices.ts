/** The price of a listing at a moment, and whether it could be bought then: its last update changed one or the other. */

import type { ListingRow } from './listing-row.ts';
import type { Market } from './markets.ts';
import { centsOf, toStep } from './plain-values.ts';
import { seedOf } from './sequence.ts';

/** A price was so many times higher before it changed. */
const FORMER = 1.1;

const isBeforeUpdate = ({ lastUpdatedDate }: ListingRow, at: number): boolean =>
  lastUpdatedDate !== undefined && at < Date.parse(lastUpdatedDate);

/** @param at in milliseconds. @returns hundredths of the currency; 0 where the listing has no price */
export function priceCentsAt(row: ListingRow, market: Market, at: number): number {
  const cents = centsOf(row.price) ?? 0;
  const hadOther = isBeforeUpdate(row, at) && seedOf(row.sku) % 2 === 0;
  return hadOther ? toStep(cents * FORMER, market) : cents;
}

/** A listing that cannot be bought today could be until its last update. @param at in milliseconds */
export const isForSale = (row: ListingRow, at: number): boolean =>
  Date.parse(row.createdDate ?? '') <= at && (row.status.includes('BUYABLE') || isBeforeUpdate(row, at));
