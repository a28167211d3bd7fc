/** Orders v0: searched, and read one by one; personal data only for a restricted data token. */

import type { Answer, Call } from '../answer.ts';
import type { Route } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findOrders } from './find-orders.ts';
import { withOrder } from './known-order.ts';
import { showAddress, showBuyer, showItemBuyer, showRegulated } from './order-buyer.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readInteger, readList, readMoment, refuseUnknown } from './query.ts';
import { showItems, showOrder } from './show-order.ts';

const SEARCH = 'getOrders';
const MAX_PAGE = 100;
const CHOICES = {
  OrderStatuses: ['Pending', 'Unshipped', 'PartiallyShipped', 'Shipped', 'Canceled', 'Unfulfillable'],
  FulfillmentChannels: ['AFN', 'MFN'],
} as const;
const PLAYED = [
  'MarketplaceIds',
  'CreatedAfter',
  'CreatedBefore',
  'LastUpdatedAfter',
  'LastUpdatedBefore',
  'AmazonOrderIds',
  'MaxResultsPerPage',
  'NextToken',
  ...Object.keys(CHOICES),
];

export function buildOrdersV0Routes(world: World, now: () => number): Route[] {
  const one = '/orders/v0/orders/{orderId}';
  const get = (operation: string, path: string, show: (order: Order, call: Call) => object): Route => ({
    operation,
    path,
    method: 'GET',
    handle: (call) =>
      withOrder(world, call.params.orderId, (order) => ({
        status: 200,
        body: { payload: show(order, call) },
      })),
  });
  const seller = { auth: 'seller' } as const;
  const restricted = { auth: 'restricted' } as const;
  return [
    {
      ...seller,
      operation: SEARCH,
      method: 'GET',
      path: '/orders/v0/orders',
      handle: (call) => answerQuery(() => search(world, now(), call)),
    },
    { ...get('getOrder', one, showOrder), ...seller },
    { ...get('getOrderItems', `${one}/orderItems`, showItems), ...seller },
    {
      ...get('getOrderBuyerInfo', `${one}/buyerInfo`, (order) => ({
        ...idOf(order),
        ...showBuyer(order),
      })),
      ...restricted,
    },
    {
      ...get('getOrderAddress', `${one}/address`, (order) => ({
        ...idOf(order),
        ShippingAddress: showAddress(order),
      })),
      ...restricted,
    },
    {
      ...get('getOrderItemsBuyerInfo', `${one}/orderItems/buyerInfo`, (order) => ({
        ...idOf(order),
        OrderItems: order.items.map((item) => ({ OrderItemId: item.id, ...showItemBuyer(order, item) })),
      })),
      ...restricted,
    },
    {
      ...get('getOrderRegulatedInfo', `${one}/regulatedInfo`, (order) => ({
        ...idOf(order),
        ...showRegulated(order),
      })),
      ...restricted,
    },
  ];
}

const idOf = ({ id }: Order): object => ({ AmazonOrderId: id });

function search(world: World, now: number, call: Call): Answer {
  const refused = refuse(call.query);
  if (refused !== undefined) return refused;
  const { query, cut } = findPlace(call.query, { operation: SEARCH, tokenName: 'NextToken', now });
  const pageSize = readInteger(query, 'MaxResultsPerPage', { least: 1, most: MAX_PAGE, otherwise: MAX_PAGE });
  const { items, next } = cut(find(world, query, now), pageSize);
  const payload = {
    Orders: items.map((order) => showOrder(order, call)),
    ...(next !== undefined && { NextToken: next }),
    [query.has('LastUpdatedAfter') ? 'LastUpdatedBefore' : 'CreatedBefore']: isoSeconds(now - 120_000),
  };
  return { status: 200, body: { payload } };
}

function refuse(query: URLSearchParams): Answer | undefined {
  const refused = refuseUnknown(SEARCH, query, { played: PLAYED, choices: CHOICES });
  if (refused !== undefined) return refused;
  return readList(query, 'MarketplaceIds').length === 0 ? invalid('MarketplaceIds: is missing.') : undefined;
}

function find(world: World, query: URLSearchParams, now: number): Order[] {
  const marketplaceIds = readList(query, 'MarketplaceIds');
  const ids = readList(query, 'AmazonOrderIds');
  if (ids.length > 0) {
    return world.orders().filter(({ id, market }) => ids.includes(id) && marketplaceIds.includes(market.id));
  }
  const channels = readList(query, 'FulfillmentChannels');
  const wanted = {
    marketplaceIds,
    statuses: readList(query, 'OrderStatuses'),
    fulfilledBy: channels.map((channel) => (channel === 'AFN' ? 'AMAZON' : 'MERCHANT')),
    created: { after: readMoment(query, 'CreatedAfter'), before: readMoment(query, 'CreatedBefore') },
    updated: { after: readMoment(query, 'LastUpdatedAfter'), before: readMoment(query, 'LastUpdatedBefore') },
  };
  return findOrders(world.orders(), wanted, now);
}
