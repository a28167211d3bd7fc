/** Some buyers rate the seller: well, or badly where they still wait for a late order or the goods were not right. */

import type { Order } from './make-orders.ts';
import { DAY_MS } from './plain-values.ts';
import type { Refund } from './refunds.ts';

export interface Feedback {
  order: Order;
  /** The moment of the feedback, in milliseconds. */
  at: number;
  /** Counts one to five stars. */
  rating: number;
  comment: string;
}

const STARS = { DAMAGED_BY_CARRIER: 1, NOT_AS_DESCRIBED: 2, NOT_COMPATIBLE: 3, UNWANTED_ITEM: undefined };
/** The buyer of one of so many orders tells of a fault, and the buyer of another one that all was well. */
const FAULT_ONE_OF = 9;
const LATE_ONE_OF = 2;

export const isNegative = ({ rating }: Feedback): boolean => rating < 3;

/** Returns whether the seller shipped late. @param now in milliseconds */
export const isLate = ({ status, fulfilledBy, updatedAt, shipBy }: Order, now: number): boolean =>
  fulfilledBy === 'MERCHANT' &&
  status !== 'Canceled' &&
  status !== 'Pending' &&
  (status === 'Shipped' ? updatedAt : now) > shipBy[1];

/** The newest stands first. @param now none is younger, in milliseconds */
export function makeFeedback(orders: readonly Order[], refunds: readonly Refund[], now: number): Feedback[] {
  const rest = ({ purchasedAt }: Order, oneOf: number): number => (purchasedAt / 1000) % oneOf;
  const late = orders
    .filter((order) => isLate(order, now) && rest(order, LATE_ONE_OF) === 0)
    .map((order) => ({ order, at: order.deliverBy[1], rating: 1, comment: order.market.words.late }));
  const refunded = refunds
    .filter(({ order, item }) => item === order.items[0] && rest(order, FAULT_ONE_OF) === 0)
    .flatMap(({ order, at, reason }) => {
      const rating = STARS[reason];
      const comment = order.market.words.complaints[reason];
      return rating === undefined ? [] : [{ order, at: at + DAY_MS, rating, comment }];
    });
  const content = orders
    .filter((order) => order.status === 'Shipped' && rest(order, FAULT_ONE_OF) === 1)
    .map((order) => ({ order, at: order.deliverBy[1], rating: 5, comment: '' }));
  return [...late, ...refunded, ...content]
    .filter(({ at }) => at <= now)
    .toSorted((one, other) => other.at - one.at);
}
