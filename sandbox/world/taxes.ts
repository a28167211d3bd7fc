/** The tax on what a buyer pays: a part of the price, or on top of it where the marketplace's prices do not include it; and its invoices. */

import type { Market } from './markets.ts';
import { toStep } from './plain-values.ts';

/** All are for all units of an item. */
interface PaidItem {
  priceCents: number;
  discountCents: number;
  taxCents: number;
  shippingCents: number;
  shippingTaxCents: number;
}

/** @param shownCents as the marketplace shows it to buyers */
export function taxOf(shownCents: number, market: Market): number {
  const rate = market.taxPercent / 100;
  return toStep(market.addsTax ? shownCents * rate : shownCents - shownCents / (1 + rate), market);
}

/** Returns what the buyer pays for the goods alone, with tax. */
export const paidForGoods = ({ priceCents, discountCents, taxCents }: PaidItem, market: Market): number =>
  priceCents - discountCents + (market.addsTax ? taxCents : 0);

/** Returns what the buyer pays for an item, with tax and shipping. */
export const paidForItem = (item: PaidItem, market: Market): number =>
  paidForGoods(item, market) + item.shippingCents + (market.addsTax ? item.shippingTaxCents : 0);

export const paidForOrder = ({ items, market }: { items: readonly PaidItem[]; market: Market }): number =>
  items.reduce((sum, item) => sum + paidForItem(item, market), 0);

/** An order that was shipped has an invoice, but for one of so many, which the seller forgot. */
const FORGOTTEN_ONE_OF = 19;

export const isInvoiced = ({ status, id }: { status: string; id: string }): boolean =>
  status === 'Shipped' && Number(id.slice(-7)) % FORGOTTEN_ONE_OF !== 0;

/** The number is the same in every report and operation. */
export const invoiceNumberOf = ({ id }: { id: string }): string => `INV-${id.replaceAll('-', '')}`;
