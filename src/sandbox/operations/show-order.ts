/** An order and its items in the shape of orders v0. */

import type { Call } from '../answer.ts';
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { isoSeconds, moneyText } from '../world/plain-values.ts';
import { totalCents } from './find-orders.ts';
import { showAddress, showBuyer, showBuyerTax, showItemBuyer } from './order-buyer.ts';

const money = (cents: number, { market }: Order): object => ({
  CurrencyCode: market.currency,
  Amount: moneyText(cents),
});

/** The buyer is shown only to a restricted data token, and of that what it was bought for. */
export function showOrder(order: Order, { shows }: Call): object {
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

export function showItems(order: Order, { shows }: Call): object {
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
