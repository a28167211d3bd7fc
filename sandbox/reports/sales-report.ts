/** GET_SALES_AND_TRAFFIC_REPORT: sales and visits as JSON, by day and by product, of one marketplace. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { longerThan } from './range.ts';
import type { ReportType } from './report-type.ts';

interface Sums {
  orders: Set<string>;
  items: number;
  units: number;
  cents: number;
}

function sumBy(
  orders: readonly Order[],
  keyOf: (order: Order, item: OrderItem) => string,
): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const order of orders) {
    for (const item of order.items) {
      const key = keyOf(order, item);
      const sum = sums.get(key) ?? { orders: new Set(), items: 0, units: 0, cents: 0 };
      sums.set(key, sum);
      sum.orders.add(order.id);
      sum.items += 1;
      sum.units += item.ordered;
      sum.cents += item.priceCents;
    }
  }
  return sums;
}

const sales = ({ items, units, cents }: Sums, { currency }: Market): object => ({
  orderedProductSales: { amount: cents / 100, currencyCode: currency },
  unitsOrdered: units,
  totalOrderItems: items,
});

/** Somebody looks some thirty times for every purchase. */
const traffic = ({ orders, items }: Sums): object => ({
  browserSessions: orders.size * 19 + 3,
  mobileAppSessions: orders.size * 11,
  sessions: orders.size * 30 + 3,
  pageViews: items * 41 + 7,
  buyBoxPercentage: 97.4,
});

const dayOf = ({ purchasedAt }: Order): string => new Date(purchasedAt).toISOString().slice(0, 10);

/** How far `asinGranularity` goes: a product's parent, its child, its SKU. */
function idsOf(item: OrderItem, granularity: string): Record<string, string> {
  const { asin, sku } = item.row;
  if (granularity === 'PARENT') return { parentAsin: asin };
  return { parentAsin: asin, childAsin: asin, ...(granularity === 'SKU' && { sku }) };
}

function byProduct(orders: readonly Order[], market: Market, granularity: string): object[] {
  const sums = sumBy(orders, (_, item) => item.row.sku);
  const items = new Map(orders.flatMap((order) => order.items.map((item) => [item.row.sku, item] as const)));
  return [...items].flatMap(([sku, item]) => {
    const sum = sums.get(sku);
    if (sum === undefined) return [];
    return [{ ...idsOf(item, granularity), salesByAsin: sales(sum, market), trafficByAsin: traffic(sum) }];
  });
}

export const salesReport: ReportType = {
  charset: 'UTF-8',
  contentType: 'application/json',
  isCompressed: true,
  failure(request) {
    const { dateGranularity = 'DAY', asinGranularity = 'PARENT' } = request.options;
    if (dateGranularity !== 'DAY') return 'The sandbox plays dateGranularity DAY only.';
    if (!['PARENT', 'CHILD', 'SKU'].includes(asinGranularity))
      return 'asinGranularity is PARENT, CHILD or SKU.';
    return longerThan(366)(request);
  },
  build(world, { reportType, markets, start, end, options }) {
    const [market] = markets;
    if (market === undefined) return undefined;
    const orders = world
      .orders()
      .filter((order) => order.market === market && order.purchasedAt >= start && order.purchasedAt < end);
    if (orders.length === 0) return undefined;
    const [dataStartTime, dataEndTime] = [start, end].map((ms) => new Date(ms).toISOString().slice(0, 10));
    return JSON.stringify({
      reportSpecification: {
        reportType,
        reportOptions: options,
        dataStartTime,
        dataEndTime,
        marketplaceIds: markets.map(({ id }) => id),
      },
      salesAndTrafficByDate: [...sumBy(orders, dayOf)].map(([date, sum]) => ({
        date,
        salesByDate: sales(sum, market),
        trafficByDate: traffic(sum),
      })),
      salesAndTrafficByAsin: byProduct(orders, market, options.asinGranularity ?? 'PARENT'),
    });
  },
};
