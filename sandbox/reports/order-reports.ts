/** The reports on orders: a line for each item, all of them, those that wait to be shipped, and what was sent back. */

import columns from '../recorded/report-columns.json' with { type: 'json' };
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem, OrderStatus } from '../world/make-orders.ts';
import { dayIn, daysBetween } from '../world/periods.ts';
import { amountText, feeCents } from '../world/plain-values.ts';
import type { Refund } from '../world/refunds.ts';
import { paidForGoods, paidForOrder } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import {
  csvReport,
  isInTime,
  longerThan,
  type ReportRequest,
  type ReportType,
  tableReport,
  type Values,
} from './report-type.ts';

interface OrderLine {
  order: Order;
  item: OrderItem;
}

/** Of the orders of these marketplaces. */
function linesOf(world: World, { markets }: ReportRequest, isMeant: (order: Order) => boolean): OrderLine[] {
  return world
    .orders()
    .filter((order) => markets.includes(order.market) && isMeant(order))
    .flatMap((order) => order.items.map((item) => ({ order, item })));
}

/** Of the orders of that time which the seller ships. */
const linesToShip = (world: World, request: ReportRequest, statuses: readonly OrderStatus[]): OrderLine[] =>
  linesOf(
    world,
    request,
    ({ fulfilledBy, status, purchasedAt }) =>
      fulfilledBy === 'MERCHANT' && statuses.includes(status) && isInTime(request, purchasedAt),
  );

/** `2026-11-21T08:00:00+00:00` */
const moment = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00');

/** This report spells two of them its own way. */
const STATUSES = {
  Pending: 'Pending',
  Unshipped: 'Unshipped',
  PartiallyShipped: 'Shipping',
  Shipped: 'Shipped',
  Canceled: 'Cancelled',
} as const;

/** Cancelled before it was paid: it stands there without amounts. The others keep theirs. */
const isBlank = ({ order, item }: OrderLine): boolean =>
  order.status === 'Pending' || (order.status === 'Canceled' && item.id.charCodeAt(6) % 2 === 0);

const amount =
  (of: (item: OrderItem) => number) =>
  (line: OrderLine): string =>
    isBlank(line) || of(line.item) === 0 ? '' : amountText(of(line.item), line.order.market);

/** A column means the same in all of these reports. */
const VALUES: Values<OrderLine> = {
  'order-id': ({ order }) => order.id,
  'amazon-order-id': ({ order }) => order.id,
  'order-item-id': ({ item }) => item.id,
  'purchase-date': ({ order }) => moment(order.purchasedAt),
  'payments-date': ({ order }) => moment(order.purchasedAt),
  'last-updated-date': ({ order }) => moment(order.updatedAt),
  'reporting-date': ({ order }) => moment(order.updatedAt),
  'promise-date': ({ order }) => moment(order.shipBy[1]),
  'order-status': ({ order }) => STATUSES[order.status],
  'fulfillment-channel': ({ order }) => (order.fulfilledBy === 'AMAZON' ? 'Amazon' : 'Merchant'),
  'sales-channel': ({ order }) => order.market.channel,
  'ship-service-level': 'Standard',
  'product-name': ({ item }) => item.row.title,
  sku: ({ item }) => item.row.sku,
  asin: ({ item }) => item.row.asin,
  fnsku: ({ item }) => item.row.fnSku ?? '',
  'item-status': ({ order, item }) =>
    item.shipped > 0 ? 'Shipped' : order.status === 'Canceled' ? 'Cancelled' : 'Unshipped',
  quantity: (line) => (isBlank(line) && line.order.status === 'Canceled' ? 0 : line.item.ordered),
  'quantity-purchased': ({ item }) => item.ordered,
  'quantity-shipped': ({ item }) => item.shipped,
  'quantity-to-ship': ({ item }) => item.ordered - item.shipped,
  currency: (line) => (isBlank(line) ? '' : line.order.market.currency),
  'item-price': amount(({ priceCents }) => priceCents),
  'item-tax': amount(({ taxCents }) => taxCents),
  'shipping-price': amount(({ shippingCents }) => shippingCents),
  'shipping-tax': amount(({ shippingTaxCents }) => shippingTaxCents),
  'item-promotion-discount': amount(({ discountCents }) => discountCents),
  'promotion-ids': ({ item }) => (item.discountCents > 0 ? 'SANDBOX-10-OFF' : ''),
  'buyer-email': ({ order }) => order.buyer.email,
  'buyer-name': ({ order }) => order.buyer.name,
  'buyer-phone-number': ({ order }) => order.buyer.phone,
  'recipient-name': ({ order }) => order.buyer.name,
  'ship-address-1': ({ order }) => order.buyer.street,
  'ship-address-2': ({ order }) => detailsOf(order).addressLine2,
  'ship-city': ({ order }) => order.buyer.town.city,
  'ship-state': ({ order }) => order.buyer.town.state,
  'ship-postal-code': ({ order }) => order.buyer.town.postalCode,
  'ship-country': ({ order }) => order.buyer.countryCode,
  'ship-phone-number': ({ order }) => order.buyer.phone,
  'delivery-Instructions': ({ order }) => detailsOf(order).deliveryNote ?? '',
  'gift-message-text': ({ order, item }) => detailsOf(order).giftMessages.get(item.id) ?? '',
  'is-business-order': ({ order }) => `${order.isBusiness}`,
  'price-designation': ({ order }) => (order.isBusiness ? 'Business Price' : ''),
  'purchase-order-number': ({ order }) => detailsOf(order).company?.purchaseOrderNumber ?? '',
  'buyer-company-name': ({ order }) => detailsOf(order).company?.name ?? '',
  'buyer-tax-registration-id': ({ order }) => detailsOf(order).company?.taxId ?? '',
};

/** GET_FLAT_FILE_ALL_ORDERS_DATA_BY_...: the orders of a time, several marketplaces together. */
export const ordersReport = (by: 'purchasedAt' | 'updatedAt'): ReportType =>
  tableReport({
    charset: 'Cp1252',
    isCompressed: true,
    failure: longerThan(366),
    head: columns.orders,
    values: { ...VALUES, 'purchase-order-number': '' },
    rows: (world, request) => linesOf(world, request, (order) => isInTime(request, order[by])),
  });

/** GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING: every order that the seller ships, with all that goes onto a label. */
export const orderShippingReport = tableReport({
  charset: 'Cp1252',
  isCompressed: true,
  isRestricted: true,
  failure: longerThan(60),
  head: columns.orderShipping,
  values: VALUES,
  rows: (world, request) => linesToShip(world, request, ['Unshipped', 'PartiallyShipped', 'Shipped']),
});

/** GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING: what the seller still has to ship, with the made-up buyers' addresses. */
export const unshippedReport = tableReport<OrderLine & { now: number }>({
  charset: 'Cp1252',
  isRestricted: true,
  head: columns.unshipped,
  values: {
    ...VALUES,
    // Days of the marketplace are counted, and those that are left are negative.
    'days-past-promise': ({ order: { market, shipBy }, now }) =>
      daysBetween(dayIn(market, shipBy[1]), dayIn(market, now)),
  },
  // It holds the whole region, whichever marketplace is asked for.
  rows: (world, request) =>
    linesToShip(world, { ...request, markets: world.soldIn }, ['Unshipped', 'PartiallyShipped'])
      .filter(({ item }) => item.shipped < item.ordered)
      .map((line) => ({ ...line, now: world.madeAt })),
});

// These reports tell what buyers sent back.

/** Those that came back in the time of the report. */
const returnedItems =
  (isMeant: (order: Order) => boolean) =>
  (world: World, request: ReportRequest): Refund[] =>
    world
      .refunds()
      .filter(({ order, at, isReturned }) => isReturned && isInTime(request, at) && isMeant(order))
      .filter(({ order }) => request.markets.includes(order.market));

/** GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: sent back to the service's warehouses, in the buyers' own words too. */
export const customerReturnsReport = tableReport<Refund>({
  charset: 'Cp1252',
  isCompressed: true,
  failure: longerThan(366),
  head: columns.customerReturns,
  values: {
    ...VALUES,
    'return-date': ({ at }) => moment(at),
    'fulfillment-center-id': 'SBX1',
    'detailed-disposition': ({ reason }) =>
      reason === 'DAMAGED_BY_CARRIER' ? 'CARRIER_DAMAGED' : 'SELLABLE',
    reason: ({ reason }) => reason,
    status: 'Unit returned to inventory',
    'license-plate-number': ({ item }) => `LPN${item.id}`,
    'customer-comments': ({ order, reason }) =>
      `${order.market.words.complaints[reason]}${detailsOf(order).reach}`,
  },
  rows: returnedItems(({ fulfilledBy }) => fulfilledBy === 'AMAZON'),
});

/** `21-Nov-2026` */
function day(ms: number): string {
  const [, date, month, year] = new Date(ms).toUTCString().split(/[ ,]+/);
  return `${date}-${month}-${year}`;
}

const RETURN_VALUES: Values<Refund> = {
  'Order ID': ({ order }) => order.id,
  'Order date': ({ order }) => day(order.purchasedAt),
  'Return request date': ({ at }) => day(at),
  'Return request status': 'Approved',
  'Amazon RMA ID': ({ item }) => `D${item.id}RRMA`,
  'Label type': 'AmazonUnPaidLabel',
  'Label cost': ({ order }) => amountText(feeCents(590, order.market), order.market),
  'Currency code': ({ order }) => order.market.currency,
  ASIN: ({ item }) => item.row.asin,
  'Merchant SKU': ({ item }) => item.row.sku,
  'Item Name': ({ item }) => item.row.title,
  'Return quantity': ({ item }) => item.ordered,
  'Return Reason': ({ reason }) => `CR-${reason}`,
  'Order Amount': ({ order }) => amountText(paidForOrder(order), order.market),
  'Refunded Amount': ({ order, item }) => amountText(paidForGoods(item, order.market), order.market),
};

/** GET_CSV_MFN_PRIME_RETURNS_REPORT: sent back to the seller, of Prime orders. */
export const returnsReport = csvReport<Refund>({
  failure: longerThan(366),
  values: RETURN_VALUES,
  rows: returnedItems(({ fulfilledBy, isPrime }) => fulfilledBy === 'MERCHANT' && isPrime),
});

/** GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: sent back to the seller, of all orders that it shipped. */
export const sellerReturnsReport = tableReport<Refund>({
  failure: longerThan(366),
  values: {
    ...RETURN_VALUES,
    'Is prime': ({ order }) => (order.isPrime ? 'Y' : 'N'),
    'Order quantity': ({ item }) => item.ordered,
  },
  rows: returnedItems(({ fulfilledBy }) => fulfilledBy === 'MERCHANT'),
});
