/** GET_SALES_AND_TRAFFIC_REPORT: sales and visits as JSON, by day and by product, of one marketplace. */

import { groupBy } from '../../src/base/group-by.ts';
import { dayIn, type ListingDay, readListingDays, sumDays } from '../world/listing-days.ts';
import type { ListingRow } from '../world/listing-row.ts';
import type { Market } from '../world/markets.ts';
import { isInTime, longerThan, type ReportType } from './report-type.ts';

type Sums = ReturnType<typeof sumDays>;

const sales = ({ items, units, cents }: Sums, { currency }: Market): object => ({
  orderedProductSales: { amount: cents / 100, currencyCode: currency },
  unitsOrdered: units,
  totalOrderItems: items,
});

const traffic = (sums: Sums): object => ({
  browserSessions: sums.browserSessions,
  mobileAppSessions: sums.mobileSessions,
  sessions: sums.sessions,
  pageViews: sums.pageViews,
  buyBoxPercentage: sums.featuredPercent,
  unitSessionPercentage: sums.unitSessionPercent,
});

/** How far `asinGranularity` goes: a product's parent, its child, its SKU. */
function idsOf({ asin, sku }: ListingRow, granularity: string): Record<string, string> {
  if (granularity === 'PARENT') return { parentAsin: asin };
  return { parentAsin: asin, childAsin: asin, ...(granularity === 'SKU' && { sku }) };
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
    if (market === undefined) return undefined;
    const [dataStartTime, dataEndTime] = [dayIn(market, start), dayIn(market, Math.max(start, end - 1))];
    const days = readListingDays(world, market, { first: dataStartTime, last: dataEndTime }).map((one) => ({
      ...one,
      sold: one.sold.filter(({ order }) => isInTime(request, order.purchasedAt)),
    }));
    if (days.every(({ sold }) => sold.length === 0)) return undefined;
    const { asinGranularity = 'PARENT' } = options;
    return JSON.stringify({
      reportSpecification: {
        reportType,
        reportOptions: options,
        dataStartTime,
        dataEndTime,
        marketplaceIds: markets.map(({ id }) => id),
      },
      salesAndTrafficByDate: sumBy(days, ({ day }) => day).map(({ key: date, sums }) => ({
        date,
        salesByDate: sales(sums, market),
        trafficByDate: traffic(sums),
      })),
      salesAndTrafficByAsin: sumBy(days, ({ row }) => row.sku)
        .filter(({ sums }) => sums.pageViews > 0)
        .map(({ row, sums }) => ({
          ...idsOf(row, asinGranularity),
          salesByAsin: sales(sums, market),
          trafficByAsin: traffic(sums),
        })),
    });
  },
};

const sumBy = (days: readonly ListingDay[], keyOf: (one: ListingDay) => string) =>
  [...groupBy(days, keyOf)]
    .map(([key, all]) => ({ key, row: all[0].row, sums: sumDays(all) }))
    .sort((one, other) => one.key.localeCompare(other.key));
