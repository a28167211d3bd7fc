/** Data Kiosk's sales and traffic are the figures of the report of that name, by date and by product. */

import * as z from 'zod';
import { groupDays, readListingDays, sumDays } from '../world/listing-days.ts';
import { beginOf, type Days, endOf, GRANULARITIES } from '../world/periods.ts';
import { describeDays } from '../world/sales-and-traffic.ts';
import type { World } from '../world/world.ts';
import { daysSchema, defineView, marketplaceIds, marketsOf, wholePeriods } from './dataset.ts';

const dateSchema = daysSchema.extend({ aggregateBy: z.enum(GRANULARITIES), marketplaceIds });

export const salesAndTrafficByDate = defineView(dateSchema, (world, { aggregateBy, ...args }) => {
  const days = wholePeriods({ first: args.startDate, last: args.endDate }, aggregateBy);
  return daysByMarketplace(world, args.marketplaceIds, days).flatMap(([marketplaceId, all]) =>
    groupDays(all, ({ day }) => beginOf(day, aggregateBy)).map(([startDate, own]) => {
      const { ordered, sales, traffic, offers } = describeDays(own);
      return {
        startDate,
        endDate: endOf(startDate, aggregateBy),
        marketplaceId,
        sales: { ...ordered, ...sales },
        traffic: { ...traffic, ...offers },
      };
    }),
  );
});

const productSchema = daysSchema.extend({ aggregateBy: z.enum(['PARENT', 'CHILD', 'SKU']), marketplaceIds });

export const salesAndTrafficByAsin = defineView(productSchema, (world, { aggregateBy, ...args }) => {
  const { startDate, endDate } = args;
  const days = { first: startDate, last: endDate };
  return daysByMarketplace(world, args.marketplaceIds, days).flatMap(([marketplaceId, all]) => {
    const whole = sumDays(all).traffic;
    return groupDays(all, ({ row }) => row.sku).flatMap(([sku, own]) => {
      const { ordered, sales, traffic, shares } = describeDays(own, whole);
      const { asin } = own[0].row;
      const item = {
        startDate,
        endDate,
        marketplaceId,
        parentAsin: asin,
        childAsin: aggregateBy === 'PARENT' ? null : asin,
        sku: aggregateBy === 'SKU' ? sku : null,
        sales: { ...ordered, ...sales },
        traffic: { ...traffic, ...shares },
      };
      return traffic.pageViews === 0 ? [] : [item];
    });
  });
});

const daysByMarketplace = (world: World, ids: readonly string[], days: Days) =>
  marketsOf(world, ids).map((market) => [market.id, readListingDays(world, market, days)] as const);
