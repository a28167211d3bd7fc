/** Some buyers are refunded for an item: most send it back, some keep it, which the service pays the seller for. */

import type { Order, OrderItem } from './make-orders.ts';
import { RETURN_REASONS, type ReturnReason } from './markets.ts';
import { DAY_MS } from './plain-values.ts';
import { createSequence, pick } from './sequence.ts';

/** Moments are in milliseconds. */
export interface Refund {
  order: Order;
  item: OrderItem;
  /** All units of the item. */
  units: number;
  at: number;
  reason: ReturnReason;
  /** False if the buyer kept the item. */
  isReturned: boolean;
}

/** One of so many items comes back so many days after it was shipped. */
const RETURNS = { AMAZON: { oneOf: 11, days: 9 }, MERCHANT: { oneOf: 9, days: 7 } } as const;
const KEPT = { oneOf: 47, days: 5 };

/** Oldest first. @param now no refund is younger */
export const makeRefunds = (orders: readonly Order[], now: number): Refund[] =>
  orders
    .filter(({ status }) => status === 'Shipped')
    .flatMap((order) => order.items.flatMap((item) => refundOf(order, item) ?? []))
    .filter(({ at }) => at <= now)
    .toSorted((one, other) => one.at - other.at);

function refundOf(order: Order, item: OrderItem): Refund | undefined {
  const number = Number(item.id);
  const habit = RETURNS[order.fulfilledBy];
  const isReturned = number % habit.oneOf === 0;
  if (!isReturned && (order.fulfilledBy !== 'AMAZON' || number % KEPT.oneOf !== 0)) return undefined;
  const days = isReturned ? habit.days : KEPT.days;
  const reason = pick(createSequence(number), RETURN_REASONS);
  return { order, item, units: item.ordered, at: order.updatedAt + days * DAY_MS, reason, isReturned };
}
