/** GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING: what the seller still has to ship, with the made-up buyers' addresses. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import type { ReportType } from './report-type.ts';

interface Line {
  order: Order;
  item: OrderItem;
}

const moment = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00');
const none = (): string => '';

const COLUMNS: Columns<Line> = [
  ['order-id', ({ order }) => order.id],
  ['order-item-id', ({ item }) => item.id],
  ['purchase-date', ({ order }) => moment(order.purchasedAt)],
  ['payments-date', ({ order }) => moment(order.purchasedAt)],
  ['reporting-date', ({ order }) => moment(order.updatedAt)],
  ['promise-date', ({ order }) => moment(order.shipBy[1])],
  ['days-past-promise', none],
  ['buyer-email', ({ order }) => order.buyer.email],
  ['buyer-name', ({ order }) => order.buyer.name],
  ['sku', ({ item }) => item.row.sku],
  ['product-name', ({ item }) => item.row.title],
  ['quantity-purchased', ({ item }) => item.ordered],
  ['quantity-shipped', ({ item }) => item.shipped],
  ['quantity-to-ship', ({ item }) => item.ordered - item.shipped],
  ['ship-service-level', () => 'Standard'],
  ['recipient-name', ({ order }) => order.buyer.name],
  ['ship-address-1', ({ order }) => order.buyer.street],
  ['ship-city', ({ order }) => order.buyer.town.city],
  ['ship-state', ({ order }) => order.buyer.town.state],
  ['ship-postal-code', ({ order }) => order.buyer.town.postalCode],
  ['ship-country', ({ order }) => order.buyer.countryCode],
];

export const unshippedReport: ReportType = {
  ...{ charset: 'Cp1252', contentType: 'text/plain;charset=Cp1252', isCompressed: false },
  isRestricted: true,
  build(world, { markets, start, end }) {
    const lines = world
      .orders()
      .filter(({ market, fulfilledBy }) => markets.includes(market) && fulfilledBy === 'MERCHANT')
      .filter(({ status }) => status === 'Unshipped' || status === 'PartiallyShipped')
      .filter(({ purchasedAt }) => purchasedAt >= start && purchasedAt < end)
      .flatMap((order) => order.items.map((item) => ({ order, item })))
      .filter(({ item }) => item.shipped < item.ordered);
    return lines.length > 0 ? tabSeparated(COLUMNS, lines) : undefined;
  },
};
