/** Orders v0: searched, and read one by one; personal data only for a restricted data token. */

import { type Answer, type Call, okPayload } from '../answer.ts';
import type { Handler, Played } from '../router.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { amountText, isoSeconds } from '../world/plain-values.ts';
import { paidForOrder } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { findOrders, orderOf, SETTLING_MS } from './find-orders.ts';
import {
  findPlace,
  readFilledList,
  readInteger,
  readList,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

const MAX_PAGE = 100;
/** The facts have no values of them. */
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

export function playOrdersV0(world: World): Played {
  const one =
    (show: (order: Order, call: Call) => object): Handler =>
    (call) =>
      okPayload(show(orderOf(world, call.params.orderId), call));
  /** Only what was asked for, beside the number. */
  const part = (show: (order: Order) => object) =>
    one((order) => ({ AmazonOrderId: order.id, ...show(order) }));
  return {
    'orders/getOrders': (call) => search(world, call),
    'orders/getOrder': one(showOrder),
    'orders/getOrderItems': one(showItems),
    'orders/getOrderBuyerInfo': part(showBuyer),
    'orders/getOrderAddress': part((order) => ({ ShippingAddress: showAddress(order) })),
    'orders/getOrderItemsBuyerInfo': part((order) => ({
      OrderItems: order.items.map((item) => ({ OrderItemId: item.id, ...showItemBuyer(order, item) })),
    })),
    'orders/getOrderRegulatedInfo': part(showRegulated),
  };
}

function search(world: World, call: Call): Answer {
  refuseUnplayed(call, PLAYED);
  refuseChoices(call, CHOICES);
  readFilledList(call.query, 'MarketplaceIds');
  const { query, cut } = findPlace(call);
  const pageSize = readInteger(query, 'MaxResultsPerPage', { most: MAX_PAGE, otherwise: MAX_PAGE });
  const { items, next } = cut(find(world, query, call.now), pageSize);
  return okPayload({
    Orders: items.map((order) => showOrder(order, call)),
    ...(next.nextToken !== undefined && { NextToken: next.nextToken }),
    [query.has('LastUpdatedAfter') ? 'LastUpdatedBefore' : 'CreatedBefore']: isoSeconds(
      call.now - SETTLING_MS,
    ),
  });
}

function find(world: World, query: URLSearchParams, now: number): readonly Order[] {
  const marketplaceIds = readList(query, 'MarketplaceIds');
  const ids = readList(query, 'AmazonOrderIds');
  if (ids.length > 0) {
    return world.orders().filter(({ id, market }) => ids.includes(id) && marketplaceIds.includes(market.id));
  }
  const wanted = {
    marketplaceIds,
    statuses: readList(query, 'OrderStatuses'),
    fulfilledBy: readList(query, 'FulfillmentChannels').map((one) => (one === 'AFN' ? 'AMAZON' : 'MERCHANT')),
    created: readSpan(query, 'Created'),
    updated: readSpan(query, 'LastUpdated'),
  };
  return findOrders(world, wanted, now);
}

// An order and its items in the shape of orders v0.

const money = (cents: number, { market }: Order): object => ({
  CurrencyCode: market.currency,
  Amount: amountText(cents, market),
});

/** The buyer is shown only to a restricted data token, and of that what it was bought for. */
function showOrder(order: Order, { shows }: Call): object {
  const { market, status, fulfilledBy, items } = order;
  const count = (of: (item: OrderItem) => number): number => items.reduce((sum, item) => sum + of(item), 0);
  const hasTotal = status !== 'Pending' && status !== 'Canceled';
  return {
    AmazonOrderId: order.id,
    PurchaseDate: isoSeconds(order.purchasedAt),
    LastUpdateDate: isoSeconds(order.updatedAt),
    OrderStatus: status,
    FulfillmentChannel: fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN',
    SalesChannel: market.channel,
    ShipServiceLevel: 'Standard',
    ...(hasTotal && { OrderTotal: money(paidForOrder(order), order) }),
    NumberOfItemsShipped: count(({ shipped }) => shipped),
    NumberOfItemsUnshipped: status === 'Canceled' ? 0 : count(({ ordered, shipped }) => ordered - shipped),
    PaymentMethod: 'Other',
    PaymentMethodDetails: ['Standard'],
    MarketplaceId: market.id,
    ShipmentServiceLevelCategory: 'Standard',
    OrderType: 'StandardOrder',
    EarliestShipDate: isoSeconds(order.shipBy[0]),
    LatestShipDate: isoSeconds(order.shipBy[1]),
    EarliestDeliveryDate: isoSeconds(order.deliverBy[0]),
    LatestDeliveryDate: isoSeconds(order.deliverBy[1]),
    IsBusinessOrder: order.isBusiness,
    IsPrime: order.isPrime,
    IsPremiumOrder: false,
    IsGlobalExpressEnabled: false,
    IsReplacementOrder: false,
    IsSoldByAB: false,
    IsISPU: false,
    ...(shows('buyerInfo') && { BuyerInfo: showBuyer(order) }),
    ...(shows('shippingAddress') && { ShippingAddress: showAddress(order) }),
    ...(shows('buyerTaxInformation') && showBuyerTax(order)),
  };
}

function showItems(order: Order, { shows }: Call): object {
  return {
    AmazonOrderId: order.id,
    OrderItems: order.items.map((item) => ({
      ASIN: item.row.asin,
      SellerSKU: item.row.sku,
      OrderItemId: item.id,
      Title: item.row.title,
      QuantityOrdered: item.ordered,
      QuantityShipped: item.shipped,
      ProductInfo: { NumberOfItems: '1' },
      ...(order.status !== 'Pending' && {
        ItemPrice: money(item.priceCents, order),
        ItemTax: money(item.taxCents, order),
        ShippingPrice: money(item.shippingCents, order),
        ShippingTax: money(item.shippingTaxCents, order),
        PromotionDiscount: money(item.discountCents, order),
      }),
      IsGift: `${detailsOf(order).giftMessages.has(item.id)}`,
      ConditionId: 'New',
      ConditionSubtypeId: 'New',
      ...(shows('buyerInfo') && { BuyerInfo: showItemBuyer(order, item) }),
    })),
  };
}

// Made-up buyers in that shape.

function showBuyer(order: Order): object {
  const { name, email } = order.buyer;
  const { company } = detailsOf(order);
  return {
    BuyerEmail: email,
    BuyerName: name,
    ...(company && {
      BuyerTaxInfo: {
        CompanyLegalName: company.name,
        TaxingRegion: order.market.country,
        TaxClassifications: [{ Name: 'VATNumber', Value: company.taxId }],
      },
      PurchaseOrderNumber: company.purchaseOrderNumber,
    }),
  };
}

/** Of a business alone. */
function showBuyerTax(order: Order): object {
  const { company } = detailsOf(order);
  if (company === undefined) return {};
  return {
    BuyerTaxInformation: {
      BuyerLegalCompanyName: company.name,
      BuyerBusinessAddress: `${order.buyer.street}, ${order.buyer.town.city}`,
      BuyerTaxRegistrationId: company.taxId,
    },
  };
}

export function showAddress(order: Order): Record<string, string> {
  const { name, street, town, countryCode, phone } = order.buyer;
  const { addressLine2, company } = detailsOf(order);
  return {
    Name: name,
    ...(company && { CompanyName: company.name }),
    AddressLine1: street,
    ...(addressLine2 !== '' && { AddressLine2: addressLine2 }),
    City: town.city,
    ...(town.state !== '' && { StateOrRegion: town.state }),
    PostalCode: town.postalCode,
    CountryCode: countryCode,
    Phone: phone,
    AddressType: company === undefined ? 'Residential' : 'Commercial',
  };
}

/** What the buyer wrote about one item. */
function showItemBuyer(order: Order, { id }: OrderItem): object {
  const message = detailsOf(order).giftMessages.get(id);
  return message === undefined ? {} : { GiftMessageText: message, GiftWrapLevel: 'Classic' };
}

/** As if each order held something for which the buyer has to say who it is for. */
const showRegulated = ({ buyer }: Order): object => ({
  RegulatedInformation: {
    Fields: [
      { FieldId: 'patient_name', FieldLabel: 'Patient name', FieldType: 'Text', FieldValue: buyer.name },
      {
        FieldId: 'contact',
        FieldLabel: 'Contact',
        FieldType: 'Text',
        FieldValue: `${buyer.email}, ${buyer.phone}`,
      },
    ],
  },
  RequiresDosageLabel: false,
  RegulatedOrderVerificationStatus: {
    Status: 'Pending',
    RequiresMerchantAction: true,
    ValidRejectionReasons: [
      {
        RejectionReasonId: 'sbx-1',
        RejectionReasonDescription: 'What the buyer gave could not be verified.',
      },
    ],
  },
});
