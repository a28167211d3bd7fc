/** Orders as both versions of the orders operations show them; personal data only for a restricted data token. */

import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem, OrderStatus } from '../world/make-orders.ts';
import { paidForItem, paidForOrder } from '../world/taxes.ts';
import { perObject } from '../world/world.ts';
import { findOrders, orderOf } from './find-orders.ts';
import { type FindRows, readList, readSpan } from './query.ts';

/** Orders 2026-01-01 has more of them, in which no order of this world is. */
const STATUSES: Readonly<Record<string, OrderStatus>> = {
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
};

const showOrder = perObject((order: Order) => {
  const { market, status, fulfilledBy, buyer, items, id } = order;
  const { addressLine2, company, deliveryNote } = detailsOf(order);
  const count = (of: (item: OrderItem) => number): number => items.reduce((sum, item) => sum + of(item), 0);
  const isCanceled = status === 'Canceled';
  const isPriced = status !== 'Pending' && !isCanceled;
  return {
    ...order,
    network: fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN',
    newStatus: Object.keys(STATUSES).find((name) => STATUSES[name] === status),
    isCanceled,
    isPriced,
    isShipped: status === 'Shipped',
    totalCents: isPriced ? paidForOrder(order) : undefined,
    shippedUnits: count(({ shipped }) => shipped),
    openUnits: isCanceled ? 0 : count(({ ordered, shipped }) => ordered - shipped),
    state: buyer.town.state || undefined,
    addressLine2: addressLine2 || undefined,
    company,
    isCompany: company !== undefined,
    deliveryNote,
    digits: id.replaceAll('-', ''),
    items: items.map((item) => showItem(order, item)),
    market,
  };
});

function showItem(order: Order, item: OrderItem) {
  const { market, status } = order;
  const giftMessage = detailsOf(order).giftMessages.get(item.id);
  const isPending = status === 'Pending';
  // The parts add up to the total: tax that a price includes is taken out of it.
  const included = market.addsTax ? 0 : 1;
  const parts = {
    ITEM: item.priceCents - included * item.taxCents,
    TAX: item.taxCents + item.shippingTaxCents,
    SHIPPING: item.shippingCents - included * item.shippingTaxCents,
    DISCOUNT: -item.discountCents,
  };
  return {
    ...item,
    priced: isPending ? undefined : item,
    unitCents: isPending ? undefined : item.priceCents / item.ordered,
    paidCents: paidForItem(item, market),
    proceeds: Object.entries(parts).flatMap(([type, cents]) => (cents === 0 ? [] : [{ type, cents }])),
    open: status === 'Canceled' ? 0 : item.ordered - item.shipped,
    giftMessage,
    isGift: `${giftMessage !== undefined}`,
  };
}

const one: FindRows = (world, { params }) => [showOrder(orderOf(world, params.orderId))];

export const orderRows = {
  order: one,
  order2026: one,
  orders: (world, { query, now }) => {
    const ids = readList(query, 'AmazonOrderIds');
    const marketplaceIds = readList(query, 'MarketplaceIds');
    const search = {
      marketplaceIds,
      statuses: readList(query, 'OrderStatuses'),
      fulfilledBy: readList(query, 'FulfillmentChannels').map((name) =>
        name === 'AFN' ? 'AMAZON' : 'MERCHANT',
      ),
      created: readSpan(query, 'Created'),
      updated: readSpan(query, 'LastUpdated'),
    };
    const found =
      ids.length > 0
        ? world.orders().filter(({ id, market }) => ids.includes(id) && marketplaceIds.includes(market.id))
        : findOrders(world, search, now);
    return found.map(showOrder);
  },
  orders2026: (world, { query, now }) => {
    const search = {
      marketplaceIds: readList(query, 'marketplaceIds'),
      // A status that no order of this world has still has to be asked for: it finds none.
      statuses: readList(query, 'fulfillmentStatuses').map((name) => STATUSES[name] ?? name),
      fulfilledBy: readList(query, 'fulfilledBy'),
      created: readSpan(query, 'created'),
      updated: readSpan(query, 'lastUpdated'),
    };
    return findOrders(world, search, now).map(showOrder);
  },
} satisfies Readonly<Record<string, FindRows>>;
