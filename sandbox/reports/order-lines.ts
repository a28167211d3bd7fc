/** The lines of a report on orders: one for each item of each order. */

import type { Order, OrderItem } from '../world/make-orders.ts';

export interface OrderLine {
  order: Order;
  item: OrderItem;
}

export const linesOf = (orders: readonly Order[]): OrderLine[] =>
  orders.flatMap((order) => order.items.map((item) => ({ order, item })));

/** `2026-11-21T08:00:00+00:00` */
export const reportMoment = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00');
