/** GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING: what the seller still has to ship, with the made-up buyers' addresses. */

import { type Columns, tabSeparated } from './delimited.ts';
import { linesOf, type OrderLine, reportMoment } from './order-lines.ts';
import type { ReportType } from './report-type.ts';

const none = (): string => '';

const COLUMNS: Columns<OrderLine> = [
  ['order-id', ({ order }) => order.id],
  ['order-item-id', ({ item }) => item.id],
  ['purchase-date', ({ order }) => reportMoment(order.purchasedAt)],
  ['payments-date', ({ order }) => reportMoment(order.purchasedAt)],
  ['reporting-date', ({ order }) => reportMoment(order.updatedAt)],
  ['promise-date', ({ order }) => reportMoment(order.shipBy[1])],
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
  charset: 'Cp1252',
  contentType: 'text/plain;charset=Cp1252',
  isCompressed: false,
  isRestricted: true,
  build(world, { markets, start, end }) {
    const orders = world
      .orders()
      .filter(({ market, fulfilledBy }) => markets.includes(market) && fulfilledBy === 'MERCHANT')
      .filter(({ status }) => status === 'Unshipped' || status === 'PartiallyShipped')
      .filter(({ purchasedAt }) => purchasedAt >= start && purchasedAt < end);
    const lines = linesOf(orders).filter(({ item }) => item.shipped < item.ordered);
    return lines.length > 0 ? tabSeparated(COLUMNS, lines) : undefined;
  },
};
