/** Finds the world's orders by what both versions of the orders operations can ask for. */

import type { Order } from '../world/make-orders.ts';
import { BadParameter } from './query.ts';

export interface OrderSearch {
  marketplaceIds: readonly string[];
  /** Empty: any. */
  statuses: readonly string[];
  fulfilledBy: readonly string[];
  created: Span;
  updated: Span;
}

/** Moments in milliseconds. */
export interface Span {
  after: number | undefined;
  before: number | undefined;
}

/** The service answers about no order that is younger. */
const SETTLING_MS = 2 * 60_000;

/** Oldest first. @throws BadParameter when the moments contradict each other. */
export function findOrders(orders: readonly Order[], search: OrderSearch, now: number): Order[] {
  const { created, updated } = search;
  if ((created.after === undefined) === (updated.after === undefined)) {
    throw new BadParameter(
      'Exactly one of the moments after which orders were created or last updated must be given.',
    );
  }
  for (const { after, before } of [created, updated]) {
    if (before !== undefined && (after === undefined || before < after || before > now - SETTLING_MS)) {
      throw new BadParameter(
        'A moment before which must follow the moment after which, and lie two minutes before the request.',
      );
    }
  }
  const fits = (names: readonly string[], name: string): boolean =>
    names.length === 0 || names.includes(name);
  return orders.filter(
    (order) =>
      fits(search.marketplaceIds, order.market.id) &&
      fits(search.statuses, order.status) &&
      fits(search.fulfilledBy, order.fulfilledBy) &&
      isWithin(created, order.purchasedAt) &&
      isWithin(updated, order.updatedAt),
  );
}

const isWithin = ({ after, before }: Span, at: number): boolean =>
  at >= (after ?? -Infinity) && at <= (before ?? Infinity);

/** What the buyer pays for an order, in cents. */
export const totalCents = ({ items }: Order): number =>
  items.reduce((sum, { priceCents, taxCents, shippingCents, discountCents }) => {
    return sum + priceCents + taxCents + shippingCents - discountCents;
  }, 0);
