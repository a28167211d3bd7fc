/** GET_FLAT_FILE_ALL_ORDERS_DATA_BY_...: a line for each item of the orders of a time, several marketplaces together. */

import type { OrderItem } from '../world/make-orders.ts';
import { moneyText } from '../world/plain-values.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import { linesOf, type OrderLine, reportMoment } from './order-lines.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';

/** This report spells two of them its own way. */
const STATUSES = {
  Pending: 'Pending',
  Unshipped: 'Unshipped',
  PartiallyShipped: 'Shipping',
  Shipped: 'Shipped',
  Canceled: 'Cancelled',
} as const;

const none = (): string => '';

/** Cancelled before it was paid: it stands there without amounts. The others keep theirs. */
const isBlank = ({ order, item }: OrderLine): boolean =>
  order.status === 'Pending' || (order.status === 'Canceled' && item.id.charCodeAt(6) % 2 === 0);

const amount =
  (of: (item: OrderItem) => number) =>
  (line: OrderLine): string =>
    isBlank(line) || of(line.item) === 0 ? '' : moneyText(of(line.item));

const COLUMNS: Columns<OrderLine> = [
  ['amazon-order-id', ({ order }) => order.id],
  ['merchant-order-id', none],
  ['purchase-date', ({ order }) => reportMoment(order.purchasedAt)],
  ['last-updated-date', ({ order }) => reportMoment(order.updatedAt)],
  ['order-status', ({ order }) => STATUSES[order.status]],
  ['fulfillment-channel', ({ order }) => (order.fulfilledBy === 'AMAZON' ? 'Amazon' : 'Merchant')],
  ['sales-channel', ({ order }) => order.market.channel],
  ['order-channel', none],
  ['ship-service-level', () => 'Standard'],
  ['product-name', ({ item }) => item.row.title],
  ['sku', ({ item }) => item.row.sku],
  ['asin', ({ item }) => item.row.asin],
  [
    'item-status',
    ({ order, item }) =>
      item.shipped > 0 ? 'Shipped' : order.status === 'Canceled' ? 'Cancelled' : 'Unshipped',
  ],
  ['quantity', (line) => (isBlank(line) && line.order.status === 'Canceled' ? 0 : line.item.ordered)],
  ['currency', (line) => (isBlank(line) ? '' : line.order.market.currency)],
  ['item-price', amount(({ priceCents }) => priceCents)],
  ['item-tax', amount(({ taxCents }) => taxCents)],
  ['shipping-price', amount(({ shippingCents }) => shippingCents)],
  ['shipping-tax', none],
  ['gift-wrap-price', none],
  ['gift-wrap-tax', none],
  ['item-promotion-discount', amount(({ discountCents }) => discountCents)],
  ['ship-promotion-discount', none],
  ['ship-city', ({ order }) => order.buyer.town.city],
  ['ship-state', ({ order }) => order.buyer.town.state],
  ['ship-postal-code', ({ order }) => order.buyer.town.postalCode],
  ['ship-country', ({ order }) => order.buyer.countryCode],
  ['promotion-ids', ({ item }) => (item.discountCents > 0 ? 'SANDBOX-10-OFF' : '')],
  ['is-business-order', ({ order }) => `${order.isBusiness}`],
  ['purchase-order-number', none],
  ['price-designation', ({ order }) => (order.isBusiness ? 'Business Price' : '')],
];

export const ordersReport = (by: 'purchasedAt' | 'updatedAt'): ReportType => ({
  charset: 'Cp1252',
  contentType: 'text/plain;charset=Cp1252',
  isCompressed: true,
  failure: longerThan(366),
  build(world, { markets, start, end }) {
    const orders = world
      .orders()
      .filter((order) => markets.includes(order.market) && order[by] >= start && order[by] < end);
    const lines = linesOf(orders);
    return lines.length > 0 ? tabSeparated(COLUMNS, lines) : undefined;
  },
});
