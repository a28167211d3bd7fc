/** GET_SALES_AND_TRAFFIC_REPORT: sales and visits as JSON, by date and by product, of one marketplace. */

import { groupDays, readListingDays, sumDays } from '../world/listing-days.ts';
import type { ListingRow } from '../world/listing-row.ts';
import { beginOf, dayOf, GRANULARITIES } from '../world/periods.ts';
import { describeDays } from '../world/sales-and-traffic.ts';
import { longerThan, type ReportRequest, type ReportType } from './report-type.ts';

/** How far `asinGranularity` goes: a product's parent, its child, its SKU. */
function idsOf({ asin, sku }: ListingRow, granularity: string): Record<string, string> {
  if (granularity === 'PARENT') return { parentAsin: asin };
  return { parentAsin: asin, childAsin: asin, ...(granularity === 'SKU' && { sku }) };
}

const granularityOf = ({ options: { dateGranularity = 'DAY' } }: ReportRequest) =>
  GRANULARITIES.find((one) => one === dateGranularity);

export const salesReport: ReportType = {
  contentType: 'application/json',
  isCompressed: true,
  failure(request) {
    if (granularityOf(request) === undefined) return 'dateGranularity is DAY, WEEK or MONTH.';
    const { asinGranularity = 'PARENT' } = request.options;
    if (!['PARENT', 'CHILD', 'SKU'].includes(asinGranularity))
      return 'asinGranularity is PARENT, CHILD or SKU.';
    return longerThan(366)(request);
  },
  build(world, request) {
    const { type: reportType, markets, options } = request;
    const [market] = markets;
    if (market === undefined) return undefined;
    // The service takes the dates of the request as names of whole days, whatever the time of day.
    const [dataStartTime, dataEndTime] = [dayOf(request.start), dayOf(request.end)];
    const days = readListingDays(world, market, { first: dataStartTime, last: dataEndTime });
    if (days.every(({ sold }) => sold.length === 0)) return undefined;
    const { asinGranularity = 'PARENT' } = options;
    const byDate = groupDays(days, ({ day }) => beginOf(day, granularityOf(request) ?? 'DAY'));
    const byProduct = groupDays(days, ({ row }) => row.sku);
    const { traffic: all } = sumDays(days);
    return JSON.stringify({
      reportSpecification: {
        reportType,
        reportOptions: options,
        dataStartTime,
        dataEndTime,
        marketplaceIds: markets.map(({ id }) => id),
      },
      salesAndTrafficByDate: byDate.map(([date, own]) => {
        const { ordered, sales, traffic, offers } = describeDays(own);
        return {
          date,
          salesByDate: { ...ordered, ...sales },
          trafficByDate: { ...traffic, ...offers },
        };
      }),
      salesAndTrafficByAsin: byProduct.flatMap(([, own]) => {
        const { ordered, traffic, shares } = describeDays(own, all);
        const product = idsOf(own[0].row, asinGranularity);
        return traffic.pageViews === 0
          ? []
          : [{ ...product, salesByAsin: ordered, trafficByAsin: { ...traffic, ...shares } }];
      }),
    });
  },
};
