/** Data Kiosk's Seller Analytics of the sandbox's seller: sales, visits and returns, summed from the same orders as all reports. */

import * as z from 'zod';
import { groupBy } from '../../src/base/group-by.ts';
import { invalid } from '../answer.ts';
import { type ListingDay, readListingDays, sumDays } from '../world/listing-days.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { paidForGoods } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import type { Selection } from './read-query.ts';

export const SELLER_ANALYTICS = 'analytics_sellerAnalytics_2025_03_31';

/** Returns of a period are known so many days after its end. */
const RETURNS_LAG_DAYS = 45;

const day = z.iso.date();
const argumentsSchema = z.strictObject({
  startDate: day,
  endDate: day,
  aggregateBy: z.enum(['DAY', 'WEEK', 'MONTH']),
  currencyCode: z.string().optional(),
  marketplaceId: z.array(z.string()).min(1),
});
type Arguments = z.output<typeof argumentsSchema>;

/** Returns the items of the answer as JSON lines; undefined where there are none. @throws Refusal */
export function sellerAnalytics(world: World, query: Selection, now: number): string | undefined {
  const read = argumentsSchema.safeParse(query.takes);
  if (!read.success) return invalid(`query: ${z.prettifyError(read.error)}`);
  const { startDate, endDate, aggregateBy, marketplaceId } = read.data;
  const asked = world.markets.filter(({ id }) => marketplaceId.includes(id));
  const days = asked
    .flatMap((market) => readListingDays(world, market, { first: startDate, last: endDate }))
    .filter(({ pageViews }) => pageViews > 0);
  const periods = groupBy(days, ({ day: date }) => beginOf(date, aggregateBy));
  const lines = [...periods]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([begin, all]) => {
      const end = endOf(begin, aggregateBy);
      const hasReturns = now - Date.parse(end) > RETURNS_LAG_DAYS * DAY_MS;
      const returned = hasReturns ? returnsOf(world) : undefined;
      return JSON.stringify(project(periodOf(begin, end, all, { query, returned }), query.selects));
    });
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

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
  const { lines, cents, units, shipped, sessions, pageViews, unitSessionPercent } = sumDays(days);
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
      sessions: { value: sessions },
      pageViews: { value: pageViews },
      glanceViews: { value: pageViews },
      conversionRatePct: { value: unitSessionPercent },
    },
    returns: returned && { returnedUnits: { value: unitsBack }, totalRefundAmount: amount(refunded) },
  };
}

/** An item with what was selected of it, in that order; null for what is not there. */
function project(value: unknown, selects: readonly Selection[]): unknown {
  if (selects.length === 0) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => project(item, selects));
  if (!(value instanceof Object)) return null;
  return Object.fromEntries(
    selects.map(({ name, selects: below }) => [name, project(Reflect.get(value, name), below)]),
  );
}

function selected({ selects }: Selection, ...path: readonly string[]): readonly Selection[] {
  const [first, ...rest] = path;
  if (first === undefined) return selects;
  const below = selects.find(({ name }) => name === first);
  return below === undefined ? [] : selected(below, ...rest);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Weeks begin on Sunday. */
function beginOf(date: string, by: Arguments['aggregateBy']): string {
  if (by === 'MONTH') return `${date.slice(0, 7)}-01`;
  const ms = Date.parse(date);
  return by === 'DAY' ? date : dayOf(ms - new Date(ms).getUTCDay() * DAY_MS);
}

function endOf(begin: string, by: Arguments['aggregateBy']): string {
  if (by === 'DAY') return begin;
  const ms = Date.parse(begin);
  if (by === 'WEEK') return dayOf(ms + 6 * DAY_MS);
  const first = new Date(ms);
  return dayOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
}
