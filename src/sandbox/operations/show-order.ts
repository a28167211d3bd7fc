/** An order and its items in the shape of orders v0. */

import type { Call } from '../answer.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { isoSeconds, moneyText } from '../world/plain-values.ts';
import { totalCents } from './find-orders.ts';
import { showAddress, showBuyer } from './order-buyer.ts';

const money = (cents: number, { market }: Order): object => ({
  CurrencyCode: market.currency,
  Amount: moneyText(cents),
});

/** The buyer is shown only to a restricted data token. */
export function showOrder(order: Order, { token }: Call): object {
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
    ...(token.kind === 'restricted' && {
      BuyerInfo: showBuyer(order.buyer),
      ShippingAddress: showAddress(order.buyer),
    }),
  };
}

export function showItems(order: Order): object {
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
      IsGift: 'false',
      ConditionId: 'New',
      ConditionSubtypeId: 'New',
    })),
  };
}
