/** Settles shipped orders: what the service owes for each, and the periods of two weeks for which it pays. */

import { referralFeeCents, unitFulfillmentFeeCents } from './fees.ts';
import type { Order, OrderItem } from './make-orders.ts';
import type { Market } from './markets.ts';
import { DAY_MS } from './plain-values.ts';
import type { World } from './world.ts';

/** Holds one amount of one item; fees are negative. */
export interface Posting {
  order: Order;
  item: OrderItem;
  type: 'ItemPrice' | 'ItemFees';
  description: string;
  cents: number;
}

export const sumOf = (postings: readonly Posting[]): number =>
  postings.reduce((sum, { cents }) => sum + cents, 0);

/** The settlement report and the transactions of an order both show these. */
export const postingsOf = (order: Order): Posting[] => order.items.flatMap((item) => postItem(order, item));

function postItem(order: Order, item: OrderItem): Posting[] {
  const { market, fulfilledBy } = order;
  const posting = (type: Posting['type'], description: string, cents: number): Posting[] =>
    cents === 0 ? [] : [{ order, item, type, description, cents }];
  const principal = item.priceCents - item.discountCents;
  const fulfillment = fulfilledBy === 'AMAZON' ? unitFulfillmentFeeCents(market) * item.ordered : 0;
  return [
    ...posting('ItemPrice', 'Principal', principal),
    ...posting('ItemPrice', 'Tax', item.taxCents),
    ...posting('ItemPrice', 'Shipping', item.shippingCents),
    ...posting('ItemFees', 'Commission', -referralFeeCents(principal, market)),
    ...posting('ItemFees', 'FBAPerUnitFulfillmentFee', -fulfillment),
  ];
}

/** Moments are in milliseconds; the end is exclusive. */
export interface Settlement {
  id: string;
  groupId: string;
  market: Market;
  start: number;
  end: number;
  /** Is false for the running period, which is not paid out yet. */
  isClosed: boolean;
  payoutAt: number;
}

const PERIOD_MS = 14 * DAY_MS;
/** So many closed periods reach back behind the first order. */
const CLOSED_PERIODS = 13;
/** The last closed period ended so long before the world was made. */
const DAYS_SINCE_PAYOUT = 3;

/** The newest stands first; those of the first marketplace come first within a period. */
export function settlementsOf({ madeAt, markets, soldIn }: World): Settlement[] {
  const opened = (Math.floor(madeAt / DAY_MS) - DAYS_SINCE_PAYOUT) * DAY_MS;
  return Array.from({ length: CLOSED_PERIODS + 1 }, (_, periodsAgo) => {
    const start = opened - periodsAgo * PERIOD_MS;
    const end = start + PERIOD_MS;
    return soldIn.map((market): Settlement => {
      const id = `20${markets.indexOf(market)}${String(Math.floor(end / DAY_MS)).padStart(8, '0')}`;
      const groupId = `SandboxEventGroup${id}`;
      return { id, groupId, market, start, end, isClosed: periodsAgo > 0, payoutAt: end + 2 * DAY_MS };
    });
  }).flat();
}

/** An order that the service accounts for, in its settlement. */
export interface PostedOrder {
  order: Order;
  settlement: Settlement;
}

/** The oldest stands first: an order is posted in the moment when it ships. */
export function postedOrders(world: World): PostedOrder[] {
  const settlements = settlementsOf(world);
  return world.orders().flatMap((order) => {
    const settlement = settlements.find((one) => settles(one, order));
    return settlement === undefined ? [] : [{ order, settlement }];
  });
}

const settles = ({ market, start, end }: Settlement, order: Order): boolean =>
  order.status === 'Shipped' && order.market === market && order.updatedAt >= start && order.updatedAt < end;
