/** Orders v0: searched, and read one by one; personal data only for a restricted data token. */

import type { Answer, Call } from '../answer.ts';
import { type Route, route } from '../router.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { isoSeconds, moneyText } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findOrders, totalCents } from './find-orders.ts';
import { withOrder } from './known-order.ts';
import { showAddress, showBuyer, showBuyerTax, showItemBuyer, showRegulated } from './order-buyer.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readInteger, readList, readMoment, refuseUnknown } from './query.ts';

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
  const get = (operation: string, path: string, show: (order: Order, call: Call) => object): Route =>
    route(
      operation,
      'GET',
      path,
      (call) =>
        withOrder(world, call.params.orderId, (order) => ({
          status: 200,
          body: { payload: show(order, call) },
        })),
      {},
    );
  const seller = { auth: 'seller' } as const;
  const restricted = { auth: 'restricted' } as const;
  return [
    route(SEARCH, 'GET', '/orders/v0/orders', (call) => answerQuery(() => search(world, now(), call))),
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

// An order and its items in the shape of orders v0.

const money = (cents: number, { market }: Order): object => ({
  CurrencyCode: market.currency,
  Amount: moneyText(cents),
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
    ...(hasTotal && { OrderTotal: money(totalCents(order), order) }),
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
        PromotionDiscount: money(item.discountCents, order),
      }),
      IsGift: `${detailsOf(order).giftMessages.has(item.id)}`,
      ConditionId: 'New',
      ConditionSubtypeId: 'New',
      ...(shows('buyerInfo') && { BuyerInfo: showItemBuyer(order, item) }),
    })),
  };
}
