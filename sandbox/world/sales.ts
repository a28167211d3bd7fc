/** Sums of what buyers ordered, which every report and metric of sales shows alike: canceled orders do not count. */

import type { Order, OrderItem } from './make-orders.ts';

export interface Sales {
  /** Holds the first of them. */
  item: OrderItem;
  orders: Set<string>;
  items: number;
  units: number;
  cents: number;
}

export const isSold = ({ status }: Pick<Order, 'status'>): boolean => status !== 'Canceled';

/** Groups stand in the order in which the keys are met. */
export function sumSales(
  orders: readonly Order[],
  keyOf: (order: Order, item: OrderItem) => string,
): Map<string, Sales> {
  const sums = new Map<string, Sales>();
  for (const order of orders.filter(isSold)) {
    for (const item of order.items) {
      const key = keyOf(order, item);
      const sum = sums.get(key) ?? { item, orders: new Set(), items: 0, units: 0, cents: 0 };
      sums.set(key, sum);
      sum.orders.add(order.id);
      sum.items += 1;
      sum.units += item.ordered;
      sum.cents += item.priceCents;
    }
  }
  return sums;
}
