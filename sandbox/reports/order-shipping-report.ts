/** GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING: every order that the seller ships, with all that goes onto a label. */

import { detailsOf } from '../world/buyer-details.ts';
import { moneyText } from '../world/plain-values.ts';
import { type Columns, tabSeparated } from './delimited.ts';
import { linesOf, type OrderLine, reportMoment } from './order-lines.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';

const none = (): string => '';

const COLUMNS: Columns<OrderLine> = [
  ['order-id', ({ order }) => order.id],
  ['order-item-id', ({ item }) => item.id],
  ['purchase-date', ({ order }) => reportMoment(order.purchasedAt)],
  ['payments-date', ({ order }) => reportMoment(order.purchasedAt)],
  ['buyer-email', ({ order }) => order.buyer.email],
  ['buyer-name', ({ order }) => order.buyer.name],
  ['buyer-phone-number', ({ order }) => order.buyer.phone],
  ['sku', ({ item }) => item.row.sku],
  ['product-name', ({ item }) => item.row.title],
  ['quantity-purchased', ({ item }) => item.ordered],
  ['currency', ({ order }) => order.market.currency],
  ['item-price', ({ item }) => moneyText(item.priceCents)],
  ['item-tax', ({ item }) => moneyText(item.taxCents)],
  ['shipping-price', ({ item }) => moneyText(item.shippingCents)],
  ['shipping-tax', none],
  ['ship-service-level', () => 'Standard'],
  ['recipient-name', ({ order }) => order.buyer.name],
  ['ship-address-1', ({ order }) => order.buyer.street],
  ['ship-address-2', ({ order }) => detailsOf(order).addressLine2],
  ['ship-address-3', none],
  ['ship-city', ({ order }) => order.buyer.town.city],
  ['ship-state', ({ order }) => order.buyer.town.state],
  ['ship-postal-code', ({ order }) => order.buyer.town.postalCode],
  ['ship-country', ({ order }) => order.buyer.countryCode],
  ['ship-phone-number', ({ order }) => order.buyer.phone],
  ['delivery-start-date', none],
  ['delivery-end-date', none],
  ['delivery-time-zone', none],
  ['delivery-Instructions', ({ order }) => detailsOf(order).deliveryNote ?? ''],
  ['gift-message-text', ({ order, item }) => detailsOf(order).giftMessages.get(item.id) ?? ''],
  ['is-business-order', ({ order }) => `${order.isBusiness}`],
  ['purchase-order-number', ({ order }) => detailsOf(order).company?.purchaseOrderNumber ?? ''],
  ['buyer-company-name', ({ order }) => detailsOf(order).company?.name ?? ''],
  ['buyer-tax-registration-id', ({ order }) => detailsOf(order).company?.taxId ?? ''],
];

export const orderShippingReport: ReportType = {
  charset: 'Cp1252',
  contentType: 'text/plain;charset=Cp1252',
  isCompressed: true,
  isRestricted: true,
  failure: longerThan(60),
  build(world, { markets, start, end }) {
    const orders = world
      .orders()
      .filter(({ market, fulfilledBy }) => markets.includes(market) && fulfilledBy === 'MERCHANT')
      .filter(({ status }) => status !== 'Pending' && status !== 'Canceled')
      .filter(({ purchasedAt }) => purchasedAt >= start && purchasedAt < end);
    const lines = linesOf(orders);
    return lines.length > 0 ? tabSeparated(COLUMNS, lines) : undefined;
  },
};
