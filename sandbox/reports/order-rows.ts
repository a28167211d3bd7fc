/** Rows of the reports on orders: one for each item, and for each that was sent back. */

import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem, OrderStatus } from '../world/make-orders.ts';
import { dayIn, daysBetween } from '../world/periods.ts';
import { feeCents } from '../world/plain-values.ts';
import type { Refund } from '../world/refunds.ts';
import { paidForGoods, paidForOrder } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { isInTime, type ReportRequest, type Rows } from './report-type.ts';

const itemsOf = (world: World, isMeant: (order: Order) => boolean) =>
  world
    .orders()
    .filter(isMeant)
    .flatMap((order) => order.items.map((item) => rowOf(order, item)));

function rowOf(order: Order, item: OrderItem) {
  const { market, status, buyer } = order;
  const isCanceled = status === 'Canceled';
  // An order that was cancelled before it was paid stands there without amounts; the others keep theirs.
  const isBlank = status === 'Pending' || (isCanceled && item.id.charCodeAt(6) % 2 === 0);
  const details = detailsOf(order);
  return {
    order,
    item,
    row: item.row,
    market,
    buyer,
    details,
    giftMessage: details.giftMessages.get(item.id),
    promisedAt: order.shipBy[1],
    itemStatus: item.shipped > 0 ? 'Shipped' : isCanceled ? 'Cancelled' : 'Unshipped',
    quantity: isBlank && isCanceled ? 0 : item.ordered,
    toShip: item.ordered - item.shipped,
    currency: isBlank ? '' : market.currency,
    priced: isBlank ? undefined : item,
  };
}

const itemsBy =
  (momentOf: (order: Order) => number): Rows =>
  (world, request) =>
    itemsOf(world, (order) => request.markets.includes(order.market) && isInTime(request, momentOf(order)));

/** The items of that time which the seller ships. */
const itemsBySeller = (world: World, request: ReportRequest, statuses: readonly OrderStatus[]) =>
  itemsOf(
    world,
    ({ market, fulfilledBy, status, purchasedAt }) =>
      request.markets.includes(market) &&
      fulfilledBy === 'MERCHANT' &&
      statuses.includes(status) &&
      isInTime(request, purchasedAt),
  );

const returned =
  (isMeant: (order: Order) => boolean): Rows =>
  (world, request) =>
    world
      .refunds()
      .filter(({ order, at, isReturned }) => isReturned && isInTime(request, at) && isMeant(order))
      .filter(({ order }) => request.markets.includes(order.market))
      .map(returnRowOf);

const returnRowOf = ({ order, item, at, reason }: Refund) => ({
  ...rowOf(order, item),
  at,
  reason,
  complaint: order.market.words.complaints[reason],
  labelCents: feeCents(590, order.market),
  paidCents: paidForOrder(order),
  goodsCents: paidForGoods(item, order.market),
});

export const orderRows = {
  itemsPurchased: itemsBy(({ purchasedAt }) => purchasedAt),
  itemsUpdated: itemsBy(({ updatedAt }) => updatedAt),
  itemsShippedBySeller: (world, request) =>
    itemsBySeller(world, request, ['Unshipped', 'PartiallyShipped', 'Shipped']),
  // It holds the whole region, whichever marketplace is asked for.
  itemsToShip: (world, request) =>
    itemsBySeller(world, { ...request, markets: world.soldIn }, ['Unshipped', 'PartiallyShipped'])
      .filter(({ toShip }) => toShip > 0)
      // Days of the marketplace are counted, and those that are left are negative.
      .map((row) => ({
        ...row,
        daysPastPromise: daysBetween(dayIn(row.market, row.promisedAt), dayIn(row.market, world.madeAt)),
      })),
  returnsToWarehouses: returned(({ fulfilledBy }) => fulfilledBy === 'AMAZON'),
  primeReturns: returned(({ fulfilledBy, isPrime }) => fulfilledBy === 'MERCHANT' && isPrime),
  sellerReturns: returned(({ fulfilledBy }) => fulfilledBy === 'MERCHANT'),
} satisfies Readonly<Record<string, Rows>>;
