/** Data Kiosk's Seller Analytics of the sandbox's seller: sales, visits and returns, summed from the same orders as all reports. */

import * as z from 'zod';
import { invalid } from '../answer.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import { DAY_MS } from '../world/plain-values.ts';
import { isSold } from '../world/sales.ts';
import type { World } from '../world/world.ts';
import type { Selection } from './read-query.ts';

export const SELLER_ANALYTICS = 'analytics_sellerAnalytics_2025_03_31';

/** Returns of a period are known so many days after its end. */
const RETURNS_LAG_DAYS = 45;
const VIEWS_PER_UNIT = 41;
const SESSIONS_PER_ORDER = 30;
const UNITS_PER_RETURN = 20;

const day = z.iso.date();
const argumentsSchema = z.strictObject({
  startDate: day,
  endDate: day,
  aggregateBy: z.enum(['DAY', 'WEEK', 'MONTH']),
  currencyCode: z.string().optional(),
  marketplaceId: z.array(z.string()).min(1),
});
type Arguments = z.output<typeof argumentsSchema>;

interface Sale {
  order: Order;
  item: OrderItem;
}

/** Returns the items of the answer as JSON lines; undefined where there are none. @throws Refusal */
export function sellerAnalytics(world: World, query: Selection, now: number): string | undefined {
  const read = argumentsSchema.safeParse(query.takes);
  if (!read.success) return invalid(`query: ${z.prettifyError(read.error)}`);
  const { startDate, endDate, aggregateBy, marketplaceId } = read.data;
  const sales = world.orders().flatMap((order): Sale[] => {
    const date = dayOf(order.purchasedAt);
    const isAsked = date >= startDate && date <= endDate && marketplaceId.includes(order.market.id);
    return isAsked && isSold(order) ? order.items.map((item) => ({ order, item })) : [];
  });
  const periods = groupBy(sales, ({ order }) => beginOf(dayOf(order.purchasedAt), aggregateBy));
  const lines = [...periods]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([begin, all]) => {
      const end = endOf(begin, aggregateBy);
      const hasReturns = now - Date.parse(end) > RETURNS_LAG_DAYS * DAY_MS;
      return JSON.stringify(project(periodOf(begin, end, all, { query, hasReturns }), query.selects));
    });
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

function periodOf(
  startDate: string,
  endDate: string,
  sales: readonly Sale[],
  { query, hasReturns }: { query: Selection; hasReturns: boolean },
) {
  const keys = selected(query, 'metrics', 'groupByKey').map(({ name }) => name);
  const groups = groupBy(sales, (sale) =>
    JSON.stringify(keys.map((name) => Reflect.get(keyOf(sale), name) ?? null)),
  );
  return {
    startDate,
    endDate,
    totals: metricsOf(sales, hasReturns),
    metrics: [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [{ groupByKey: keyOf(first), metrics: metricsOf(group, hasReturns) }];
    }),
  };
}

const keyOf = ({ order, item: { row } }: Sale) => ({
  asin: row.asin,
  parentAsin: row.asin,
  msku: row.sku,
  productTitle: row.title,
  fulfilmentChannel: row.fulfilledBy === 'AMAZON' ? 'FBA' : 'FBM',
  marketplaceId: order.market.id,
});

/** What the sandbox does not know is null, as a figure that is not yet available. */
function metricsOf(sales: readonly Sale[], hasReturns: boolean) {
  const cents = sales.reduce((sum, { item }) => sum + item.priceCents, 0);
  const units = sales.reduce((sum, { item }) => sum + item.ordered, 0);
  const orders = new Set(sales.map(({ order }) => order.id)).size;
  const currencyCode = sales[0]?.order.market.currency ?? 'USD';
  const amount = (value: number) => ({ amount: { amount: Math.round(value) / 100, currencyCode } });
  const returned = Math.floor(units / UNITS_PER_RETURN);
  const sessions = orders * SESSIONS_PER_ORDER + 3;
  return {
    sales: {
      orderedProductSales: amount(cents),
      averageSellingPrice: amount(units === 0 ? 0 : cents / units),
      unitsOrdered: { value: units },
      unitsShipped: { value: units },
    },
    traffic: {
      sessions: { value: sessions },
      pageViews: { value: units * VIEWS_PER_UNIT + 7 },
      glanceViews: { value: units * VIEWS_PER_UNIT },
      conversionRatePct: { value: Math.round((units / sessions) * 10_000) / 100 },
    },
    returns: hasReturns
      ? {
          returnedUnits: { value: returned },
          totalRefundAmount: amount(units === 0 ? 0 : (cents / units) * returned),
        }
      : null,
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

function groupBy(sales: readonly Sale[], keyOfSale: (sale: Sale) => string): Map<string, Sale[]> {
  const groups = new Map<string, Sale[]>();
  for (const sale of sales) {
    const key = keyOfSale(sale);
    const group = groups.get(key) ?? [];
    group.push(sale);
    groups.set(key, group);
  }
  return groups;
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
