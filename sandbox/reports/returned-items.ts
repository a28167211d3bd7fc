/** What buyers sent back: some of the items that were shipped, a while after that. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import { DAY_MS } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import type { ReportRequest } from './report-type.ts';

export interface ReturnedItem {
  order: Order;
  item: OrderItem;
  /** In milliseconds. */
  returnedAt: number;
}

interface Habit {
  fulfilledBy: Order['fulfilledBy'];
  /** One of so many items comes back. */
  oneOf: number;
  afterDays: number;
}

/** Those that came back in the time of the report. */
export function returnedItems(
  world: World,
  { markets, start, end }: ReportRequest,
  { fulfilledBy, oneOf, afterDays }: Habit,
): ReturnedItem[] {
  return world
    .orders()
    .filter((order) => markets.includes(order.market))
    .filter((order) => order.status === 'Shipped' && order.fulfilledBy === fulfilledBy)
    .flatMap((order) => {
      const returnedAt = order.updatedAt + afterDays * DAY_MS;
      const sentBack = order.items.filter(({ id }) => Number(id) % oneOf === 0);
      return sentBack.map((item) => ({ order, item, returnedAt }));
    })
    .filter(({ returnedAt }) => returnedAt >= start && returnedAt < end);
}
