/** Finds the world's orders: one by its number, or all by what both versions of the orders operations can ask for. */

import { invalid, known } from '../answer.ts';
import type { Order } from '../world/make-orders.ts';
import type { World } from '../world/world.ts';
import { fits, isWithin, type Span } from './query.ts';

/** @throws Refusal where no order of the world has this number. */
export const orderOf = (world: World, id: string | undefined): Order =>
  known(
    world.orders().find((one) => one.id === id),
    'Order',
    id,
  );

export interface OrderSearch {
  marketplaceIds: readonly string[];
  /** Empty: any. */
  statuses: readonly string[];
  fulfilledBy: readonly string[];
  created: Span;
  updated: Span;
}

/** The service answers about no order that is younger. */
export const SETTLING_MS = 2 * 60_000;

/** Oldest first. @throws Refusal when the moments contradict each other. */
export function findOrders({ orders }: World, search: OrderSearch, now: number): Order[] {
  const { created, updated } = search;
  if ((created.after === undefined) === (updated.after === undefined)) {
    invalid('Exactly one of the moments after which orders were created or last updated must be given.');
  }
  for (const { after, before } of [created, updated]) {
    if (before !== undefined && (after === undefined || before < after || before > now - SETTLING_MS)) {
      invalid(
        'A moment before which must follow the moment after which, and lie two minutes before the request.',
      );
    }
  }
  return orders().filter(
    (order) =>
      fits(search.marketplaceIds, order.market.id) &&
      fits(search.statuses, order.status) &&
      fits(search.fulfilledBy, order.fulfilledBy) &&
      isWithin(created, order.purchasedAt) &&
      isWithin(updated, order.updatedAt),
  );
}
