/** Orders 2026-01-01: the same orders in their new shape, each part of it only where it is asked for. */

import { type Answer, type Call, ok } from '../answer.ts';
import type { Played } from '../router.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem, OrderStatus } from '../world/make-orders.ts';
import { amountText, isoSeconds } from '../world/plain-values.ts';
import { paidForItem, paidForOrder } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { findOrders, orderOf, SETTLING_MS } from './find-orders.ts';
import { findPlace, readInteger, readList, readSpan, refuseChoices, refuseUnplayed } from './query.ts';

const MAX_PAGE = 100;

/** The others of this version have no order in this world. */
const STATUSES: Readonly<Record<string, OrderStatus>> = {
  PENDING: 'Pending',
  UNSHIPPED: 'Unshipped',
  PARTIALLY_SHIPPED: 'PartiallyShipped',
  SHIPPED: 'Shipped',
  CANCELLED: 'Canceled',
};

export const playOrders2026 = (world: World): Played => ({
  'orders/searchOrders': (call) => search(world, call),
  'orders/getOrder@2026-01-01': (call) => {
    refuseChoices(call);
    return ok({
      order: showOrder(orderOf(world, call.params.orderId), readList(call.query, 'includedData')),
    });
  },
});

function search(world: World, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call);
  const { query, cut } = findPlace(call);
  const pageSize = readInteger(query, 'maxResultsPerPage', { most: MAX_PAGE, otherwise: MAX_PAGE });
  const wanted = {
    marketplaceIds: readList(query, 'marketplaceIds'),
    // A status that no order of this world has still has to be asked for: it finds none.
    statuses: readList(query, 'fulfillmentStatuses').map((name) => STATUSES[name] ?? name),
    fulfilledBy: readList(query, 'fulfilledBy'),
    created: readSpan(query, 'created'),
    updated: readSpan(query, 'lastUpdated'),
  };
  const { items, next } = cut(findOrders(world, wanted, call.now), pageSize);
  const parts = readList(query, 'includedData');
  return ok({
    orders: items.map((order) => showOrder(order, parts)),
    ...(next.nextToken !== undefined && { pagination: next }),
    [query.has('lastUpdatedAfter') ? 'lastUpdatedBefore' : 'createdBefore']: isoSeconds(
      call.now - SETTLING_MS,
    ),
  });
}

// An order in the shape of this version; of EXPENSE, PROMOTION, TAX and FULFILLMENT_ORDERS none of this world has anything.

type Has = (part: string) => boolean;

function showOrder(order: Order, parts: readonly string[]): object {
  const has: Has = (part) => parts.includes(part);
  const { market, status, fulfilledBy } = order;
  const grandTotal = money(paidForOrder(order), order);
  const isPriced = status !== 'Pending' && status !== 'Canceled';
  return {
    orderId: order.id,
    createdTime: isoSeconds(order.purchasedAt),
    lastUpdatedTime: isoSeconds(order.updatedAt),
    ...(order.isPrime && { programs: ['PRIME'] }),
    salesChannel: { channelName: 'AMAZON', marketplaceId: market.id, marketplaceName: market.channel },
    ...(has('BUYER') && { buyer: buyerOf(order) }),
    ...(has('RECIPIENT') && { recipient: recipientOf(order) }),
    ...(has('PROCEEDS') && isPriced && { proceeds: { grandTotal } }),
    ...(has('PAYMENT') &&
      isPriced && {
        payment: { paymentExecutions: [{ paymentMethod: 'Standard', paymentAmount: grandTotal }] },
      }),
    ...(has('FULFILLMENT') && {
      fulfillment: {
        fulfillmentStatus: Object.keys(STATUSES).find((name) => STATUSES[name] === status) ?? 'PENDING',
        fulfilledBy,
        fulfillmentServiceLevel: 'STANDARD',
        shipByWindow: window(order.shipBy),
        deliverByWindow: window(order.deliverBy),
      },
    }),
    orderItems: order.items.map((item) => showItem(order, item, has)),
    ...(has('PACKAGES') && status === 'Shipped' && { packages: [packageOf(order)] }),
  };
}

const money = (cents: number, { market }: Order): object => ({
  amount: amountText(cents, market),
  currencyCode: market.currency,
});

const window = ([earliest, latest]: readonly [number, number]): object => ({
  earliestDateTime: isoSeconds(earliest),
  latestDateTime: isoSeconds(latest),
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

/** The parts add up to the total: tax that a price includes is taken out of it. */
function proceedsOf(order: Order, item: OrderItem): object {
  const { priceCents, taxCents, shippingCents, shippingTaxCents, discountCents } = item;
  const included = order.market.addsTax ? 0 : 1;
  const parts = {
    ITEM: priceCents - included * taxCents,
    TAX: taxCents + shippingTaxCents,
    SHIPPING: shippingCents - included * shippingTaxCents,
    DISCOUNT: -discountCents,
  };
  return {
    proceedsTotal: money(paidForItem(item, order.market), order),
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
