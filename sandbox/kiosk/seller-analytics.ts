/** Data Kiosk's Seller Analytics of the sandbox's seller: sales, visits and returns, summed from the same orders as all reports. */

import * as z from 'zod';
import { groupBy } from '../../src/base/group-by.ts';
import { groupDays, type ListingDay, percentOf, readListingDays, sumDays } from '../world/listing-days.ts';
import { beginOf, endOf, GRANULARITIES } from '../world/periods.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { paidForGoods } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { daysSchema, defineView, marketplaceIds, marketsOf } from './dataset.ts';
import type { Selection } from './read-query.ts';

/** Returns of a period are known so many days after its end. */
const RETURNS_LAG_DAYS = 45;

const schema = daysSchema.extend({
  aggregateBy: z.enum(GRANULARITIES),
  currencyCode: z.string().optional(),
  marketplaceId: marketplaceIds,
});

export const sellerAnalyticsView = defineView(schema, (world, args, { query, now }) => {
  const { startDate, endDate, aggregateBy, marketplaceId } = args;
  const days = marketsOf(world, marketplaceId)
    .flatMap((market) => readListingDays(world, market, { first: startDate, last: endDate }))
    .filter(({ pageViews }) => pageViews > 0);
  return groupDays(days, ({ day }) => beginOf(day, aggregateBy)).map(([begin, all]) => {
    const end = endOf(begin, aggregateBy);
    const hasReturns = now - Date.parse(end) > RETURNS_LAG_DAYS * DAY_MS;
    return periodOf(begin, end, all, { query, returned: hasReturns ? returnsOf(world) : undefined });
  });
});

/** Returns the units that came back, by order item id. */
const returnsOf = (world: World): ReadonlyMap<string, number> =>
  new Map(
    world.refunds().flatMap(({ item, units, isReturned }) => (isReturned ? [[item.id, units] as const] : [])),
  );

type Returned = ReturnType<typeof returnsOf>;

function periodOf(
  startDate: string,
  endDate: string,
  days: readonly ListingDay[],
  { query, returned }: { query: Selection; returned: Returned | undefined },
) {
  const keys = selected(query, 'metrics', 'groupByKey').map(({ name }) => name);
  const groups = groupBy(days, (one) =>
    JSON.stringify(keys.map((name) => Reflect.get(keyOf(one), name) ?? null)),
  );
  return {
    startDate,
    endDate,
    totals: metricsOf(days, returned),
    metrics: [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [{ groupByKey: keyOf(first), metrics: metricsOf(group, returned) }];
    }),
  };
}

const keyOf = ({ market, row }: ListingDay) => ({
  asin: row.asin,
  parentAsin: row.asin,
  msku: row.sku,
  productTitle: row.title,
  fulfilmentChannel: row.fulfilledBy === 'AMAZON' ? 'FBA' : 'FBM',
  marketplaceId: market.id,
});

/** A figure that is not yet available is null, as is one that the sandbox does not have. */
function metricsOf(days: readonly ListingDay[], returned: Returned | undefined) {
  const { lines, cents, units, shipped, traffic } = sumDays(days);
  const currencyCode = days[0]?.market.currency ?? 'USD';
  const amount = (value: number) => ({ amount: { amount: Math.round(value) / 100, currencyCode } });
  const back = lines.filter(({ item }) => returned?.has(item.id));
  const refunded = back.reduce((sum, { order, item }) => sum + paidForGoods(item, order.market), 0);
  const unitsBack = back.reduce((sum, { item }) => sum + (returned?.get(item.id) ?? 0), 0);
  return {
    sales: {
      orderedProductSales: amount(cents),
      averageSellingPrice: amount(units === 0 ? 0 : cents / units),
      unitsOrdered: { value: units },
      unitsShipped: { value: shipped },
    },
    traffic: {
      sessions: { value: traffic.sessions },
      pageViews: { value: traffic.pageViews },
      glanceViews: { value: traffic.pageViews },
      conversionRatePct: { value: percentOf(units, traffic.sessions) },
    },
    returns: returned && { returnedUnits: { value: unitsBack }, totalRefundAmount: amount(refunded) },
  };
}

function selected({ selects }: Selection, ...path: readonly string[]): readonly Selection[] {
  const [first, ...rest] = path;
  if (first === undefined) return selects;
  const below = selects.find(({ name }) => name === first);
  return below === undefined ? [] : selected(below, ...rest);
}
