/** GET_SALES_AND_TRAFFIC_REPORT: sales and visits as JSON, by day and by product, of one marketplace. */

import type { Order, OrderItem } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { isSold, type Sales, sumSales } from '../world/sales.ts';
import { isInTime, longerThan, type ReportType } from './report-type.ts';

const sales = ({ items, units, cents }: Sales, { currency }: Market): object => ({
  orderedProductSales: { amount: cents / 100, currencyCode: currency },
  unitsOrdered: units,
  totalOrderItems: items,
});

/** Somebody looks some thirty times for every purchase. */
const traffic = ({ orders, items }: Sales): object => ({
  browserSessions: orders.size * 19 + 3,
  mobileAppSessions: orders.size * 11,
  sessions: orders.size * 30 + 3,
  pageViews: items * 41 + 7,
  buyBoxPercentage: 97.4,
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** How far `asinGranularity` goes: a product's parent, its child, its SKU. */
function idsOf(item: OrderItem, granularity: string): Record<string, string> {
  const { asin, sku } = item.row;
  if (granularity === 'PARENT') return { parentAsin: asin };
  return { parentAsin: asin, childAsin: asin, ...(granularity === 'SKU' && { sku }) };
}

function byProduct(orders: readonly Order[], market: Market, granularity: string): object[] {
  const sums = sumSales(orders, (_, item) => item.row.sku);
  return [...sums.values()].map((sum) => ({
    ...idsOf(sum.item, granularity),
    salesByAsin: sales(sum, market),
    trafficByAsin: traffic(sum),
  }));
}

export const salesReport: ReportType = {
  contentType: 'application/json',
  isCompressed: true,
  unplayed: { dateGranularity: ['WEEK', 'MONTH'] },
  failure(request) {
    const { dateGranularity = 'DAY', asinGranularity = 'PARENT' } = request.options;
    if (dateGranularity !== 'DAY') return 'dateGranularity is DAY, WEEK or MONTH.';
    if (!['PARENT', 'CHILD', 'SKU'].includes(asinGranularity))
      return 'asinGranularity is PARENT, CHILD or SKU.';
    return longerThan(366)(request);
  },
  build(world, request) {
    const { type: reportType, markets, start, end, options } = request;
    const [market] = markets;
    const orders = world
      .orders()
      .filter((order) => order.market === market && isInTime(request, order.purchasedAt))
      .filter(isSold);
    if (market === undefined || orders.length === 0) return undefined;
    const [dataStartTime, dataEndTime] = [start, end].map(dayOf);
    return JSON.stringify({
      reportSpecification: {
        reportType,
        reportOptions: options,
        dataStartTime,
        dataEndTime,
        marketplaceIds: markets.map(({ id }) => id),
      },
      salesAndTrafficByDate: [...sumSales(orders, ({ purchasedAt }) => dayOf(purchasedAt))].map(
        ([date, sum]) => ({
          date,
          salesByDate: sales(sum, market),
          trafficByDate: traffic(sum),
        }),
      ),
      salesAndTrafficByAsin: byProduct(orders, market, options.asinGranularity ?? 'PARENT'),
    });
  },
};
