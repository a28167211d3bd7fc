/** An order in the shape of the version 2026-01-01. */

import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { isoSeconds, moneyText } from '../world/plain-values.ts';
import { totalCents } from './find-orders.ts';

/** What `includedData` can name; of the last four no order of this world has anything. */
export const ORDER_PARTS: readonly string[] = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'FULFILLMENT',
  'PACKAGES',
  'CANCELLATION',
  'PAYMENT',
  'EXPENSE',
  'PROMOTION',
  'TAX',
  'FULFILLMENT_ORDERS',
];

type Has = (part: string) => boolean;

/** @param statusName as this version spells it. */
export function showNewOrder(order: Order, statusName: string, parts: readonly string[]): object {
  const has: Has = (part) => parts.includes(part);
  const { market, status } = order;
  const isPriced = status !== 'Pending' && status !== 'Canceled';
  return {
    orderId: order.id,
    createdTime: isoSeconds(order.purchasedAt),
    lastUpdatedTime: isoSeconds(order.updatedAt),
    ...(order.isPrime && { programs: ['PRIME'] }),
    salesChannel: { channelName: 'AMAZON', marketplaceId: market.id, marketplaceName: market.channel },
    ...(has('BUYER') && { buyer: buyerOf(order) }),
    ...(has('RECIPIENT') && { recipient: recipientOf(order) }),
    ...(has('PROCEEDS') && isPriced && { proceeds: { grandTotal: money(totalCents(order), order) } }),
    ...(has('PAYMENT') && isPriced && { payment: paymentOf(order) }),
    ...(has('FULFILLMENT') && { fulfillment: fulfillmentOf(order, statusName) }),
    orderItems: order.items.map((item) => showItem(order, item, has)),
    ...(has('PACKAGES') && status === 'Shipped' && { packages: [packageOf(order)] }),
  };
}

const money = (cents: number, { market }: Order): object => ({
  amount: moneyText(cents),
  currencyCode: market.currency,
});

const window = ([earliest, latest]: readonly [number, number]): object => ({
  earliestDateTime: isoSeconds(earliest),
  latestDateTime: isoSeconds(latest),
});

function fulfillmentOf({ fulfilledBy, shipBy, deliverBy }: Order, fulfillmentStatus: string): object {
  return {
    fulfillmentStatus,
    fulfilledBy,
    fulfillmentServiceLevel: 'STANDARD',
    shipByWindow: window(shipBy),
    deliverByWindow: window(deliverBy),
  };
}

const paymentOf = (order: Order): object => ({
  paymentExecutions: [{ paymentMethod: 'Standard', paymentAmount: money(totalCents(order), order) }],
});

function buyerOf(order: Order): object {
  const { company } = detailsOf(order);
  return {
    buyerName: order.buyer.name,
    buyerEmail: order.buyer.email,
    ...(company && {
      buyerCompanyName: company.name,
      buyerPurchaseOrderNumber: company.purchaseOrderNumber,
    }),
  };
}

function recipientOf(order: Order): object {
  const { deliveryNote } = detailsOf(order);
  return {
    deliveryAddress: addressOf(order),
    ...(deliveryNote !== undefined && {
      deliveryPreference: { dropOffLocation: 'NEIGHBOR', addressInstruction: deliveryNote },
    }),
  };
}

/** In the names that Orders 2026-01-01 and Fulfillment Outbound share. */
export function postalAddress({ name, street, town, countryCode, phone }: Order['buyer']) {
  return {
    name,
    addressLine1: street,
    city: town.city,
    postalCode: town.postalCode,
    countryCode,
    phone,
    ...(town.state !== '' && { stateOrRegion: town.state }),
  };
}

function addressOf(order: Order): object {
  const { addressLine2, company } = detailsOf(order);
  return {
    ...postalAddress(order.buyer),
    ...(addressLine2 !== '' && { addressLine2 }),
    ...(company && { companyName: company.name }),
    addressType: company === undefined ? 'RESIDENTIAL' : 'COMMERCIAL',
  };
}

function showItem(order: Order, item: OrderItem, has: Has): object {
  const { row, ordered, shipped, priceCents } = item;
  const { status } = order;
  return {
    orderItemId: item.id,
    quantityOrdered: ordered,
    product: {
      asin: row.asin,
      title: row.title,
      sellerSku: row.sku,
      condition: { conditionType: 'NEW', conditionSubtype: 'NEW' },
      ...(status !== 'Pending' && { price: { unitPrice: money(priceCents / ordered, order) } }),
    },
    ...(has('PROCEEDS') &&
      status !== 'Pending' &&
      status !== 'Canceled' && { proceeds: proceedsOf(order, item) }),
    ...(has('CANCELLATION') &&
      status === 'Canceled' && {
        cancellation: { cancellationExecution: { cancelledBy: 'BUYER', cancelReason: 'NO_LONGER_NEEDED' } },
      }),
    ...(has('FULFILLMENT') && {
      fulfillment: {
        quantityFulfilled: shipped,
        quantityUnfulfilled: status === 'Canceled' ? 0 : ordered - shipped,
      },
    }),
  };
}

function proceedsOf(order: Order, { priceCents, taxCents, shippingCents, discountCents }: OrderItem): object {
  const parts = { ITEM: priceCents, TAX: taxCents, SHIPPING: shippingCents, DISCOUNT: -discountCents };
  return {
    proceedsTotal: money(priceCents + taxCents + shippingCents - discountCents, order),
    breakdowns: Object.entries(parts).flatMap(([type, cents]) =>
      cents === 0 ? [] : [{ type, subtotal: money(cents, order) }],
    ),
  };
}

function packageOf(order: Order): object {
  return {
    packageReferenceId: '1',
    createdTime: isoSeconds(order.shipBy[0]),
    packageStatus: { status: 'SHIPPED' },
    carrier: 'Sandbox Carrier',
    shipTime: isoSeconds(order.updatedAt),
    trackingNumber: `SBX${order.id.replaceAll('-', '')}`,
    packageItems: order.items.map(({ id, shipped }) => ({ orderItemId: id, quantity: shipped })),
  };
}
