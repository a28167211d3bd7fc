/** Orders 2026-01-01: the same orders in their new shape, each part of it only where it is asked for. */

import type { Answer, Call } from '../answer.ts';
import { type Route, route } from '../router.ts';
import type { Order, OrderStatus } from '../world/make-orders.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findOrders } from './find-orders.ts';
import { withOrder } from './known-order.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, readInteger, readList, readMoment, refuseOthers, refuseUnknown } from './query.ts';
import { ORDER_PARTS, showNewOrder } from './show-new-order.ts';

const SEARCH = 'searchOrders';
const BASE = '/orders/2026-01-01/orders';
const MAX_PAGE = 100;

const STATUSES: Readonly<Record<string, OrderStatus | undefined>> = {
  PENDING_AVAILABILITY: undefined,
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
  UNFULFILLABLE: undefined,
};
const CHOICES = {
  fulfillmentStatuses: Object.keys(STATUSES),
  fulfilledBy: ['MERCHANT', 'AMAZON'],
  includedData: ORDER_PARTS,
};
const PLAYED = [
  'createdAfter',
  'createdBefore',
  'lastUpdatedAfter',
  'lastUpdatedBefore',
  'marketplaceIds',
  'maxResultsPerPage',
  'paginationToken',
  ...Object.keys(CHOICES),
];

export function buildOrders2026Routes(world: World, now: () => number): Route[] {
  return [
    route(SEARCH, 'GET', BASE, (call) => answerQuery(() => search(world, now(), call))),
    route('getOrder', 'GET', `${BASE}/{orderId}`, (call) => getOrder(world, call)),
  ];
}

function getOrder(world: World, { params, query }: Call): Answer {
  const refused = refuseOthers(query, 'includedData', ORDER_PARTS);
  if (refused !== undefined) return refused;
  return withOrder(world, params.orderId, (order) => ({
    status: 200,
    body: { order: showNewOrder(order, statusName(order), readList(query, 'includedData')) },
  }));
}

function search(world: World, now: number, { query: given }: Call): Answer {
  const refused = refuseUnknown(SEARCH, given, { played: PLAYED, choices: CHOICES });
  if (refused !== undefined) return refused;
  const { query, cut } = findPlace(given, { operation: SEARCH, tokenName: 'paginationToken', now });
  const pageSize = readInteger(query, 'maxResultsPerPage', { least: 1, most: MAX_PAGE, otherwise: MAX_PAGE });
  const { items, next } = cut(find(world, query, now), pageSize);
  const parts = readList(query, 'includedData');
  return {
    status: 200,
    body: {
      orders: items.map((order) => showNewOrder(order, statusName(order), parts)),
      ...(next !== undefined && { pagination: { nextToken: next } }),
      [query.has('lastUpdatedAfter') ? 'lastUpdatedBefore' : 'createdBefore']: isoSeconds(now - 120_000),
    },
  };
}

function find(world: World, query: URLSearchParams, now: number): Order[] {
  const names = readList(query, 'fulfillmentStatuses');
  const wanted = {
    marketplaceIds: readList(query, 'marketplaceIds'),
    // A status that no order of this world has still has to be asked for: it finds none.
    statuses: names.map((name) => STATUSES[name] ?? name),
    fulfilledBy: readList(query, 'fulfilledBy'),
    created: { after: readMoment(query, 'createdAfter'), before: readMoment(query, 'createdBefore') },
    updated: { after: readMoment(query, 'lastUpdatedAfter'), before: readMoment(query, 'lastUpdatedBefore') },
  };
  return findOrders(world.orders(), wanted, now);
}

const statusName = ({ status }: Order): string =>
  Object.keys(STATUSES).find((name) => STATUSES[name] === status) ?? 'PENDING';
