/** The days of each listing in one marketplace, by its time zone: what was sold, refunded and booked, and how many buyers looked. */

import { groupBy } from '../../src/base/group-by.ts';
import { readProductMarket } from './competitors.ts';
import { type Feedback, isNegative } from './feedback.ts';
import type { ListingRow } from './listing-row.ts';
import type { Order, OrderItem } from './make-orders.ts';
import type { Market } from './markets.ts';
import { addDays, type Days, dayIn, daysBetween } from './periods.ts';
import type { Refund } from './refunds.ts';
import { isSold } from './sales.ts';
import { createSequence, seedOf } from './sequence.ts';
import type { Posting } from './settlements.ts';
import type { World } from './world.ts';

export interface ListingDay {
  /** `2026-11-21` */
  day: string;
  market: Market;
  row: ListingRow;
  sold: readonly { order: Order; item: OrderItem }[];
  refunds: readonly Refund[];
  /** Counts for the first item of the order. */
  feedback: readonly Feedback[];
  /** Holds the amounts that a settlement has of that day. */
  postings: readonly Posting[];
  pageViews: number;
  browserPageViews: number;
  sessions: number;
  browserSessions: number;
  /** Counts those page views that had the seller's offer as the featured one. */
  featuredPageViews: number;
}

const VIEWS_PER_UNIT = 25;
const MAX_OTHER_VIEWS = 3;
const SESSIONS_PER_VIEW = 0.75;
const BROWSER_SHARE = 0.6;
/** Percent of the views that had the seller's offer as the featured one, by whether it is that now. */
const FEATURED_PERCENT = { own: 95, other: 25 } as const;

/** Days before the first order, and after the last, have nothing. */
export function readListingDays(world: World, market: Market, { first, last }: Days): ListingDay[] {
  const orders = world.orders().filter((order) => order.market === market && isSold(order));
  const [oldest] = orders;
  if (oldest === undefined) return [];
  const keyAt = (at: number, { sku }: ListingRow): string => `${dayIn(market, at)} ${sku}`;
  const sold = groupBy(
    orders.flatMap((order) => order.items.map((item) => ({ order, item }))),
    ({ order, item }) => keyAt(order.purchasedAt, item.row),
  );
  const refunds = groupBy(
    world.refunds().filter(({ order }) => order.market === market),
    ({ at, item }) => keyAt(at, item.row),
  );
  const feedback = groupBy(
    world.feedback().filter(({ order }) => order.market === market),
    ({ at, order: { items } }) => items[0] && keyAt(at, items[0].row),
  );
  const booked = groupBy(
    world
      .events()
      .filter((event) => event.market === market)
      .flatMap(({ at, postings }) => {
        const day = dayIn(market, at);
        return postings.map((posting) => ({ key: `${day} ${posting.row.sku}`, posting }));
      }),
    ({ key }) => key,
  );
  const days = listDays(
    [first, dayIn(market, oldest.purchasedAt)].sort().at(-1) ?? first,
    [last, dayIn(market, world.madeAt)].sort()[0] ?? last,
  );
  return world.rows(market.id).flatMap((row) => {
    const created = row.createdDate === undefined ? last : dayIn(market, Date.parse(row.createdDate));
    const { featured } = readProductMarket(world, row.asin, market) ?? {};
    const isFeatured = featured?.sku === row.sku;
    return days
      .filter((day) => day >= created)
      .map((day): ListingDay => {
        const key = `${day} ${row.sku}`;
        const lines = sold.get(key) ?? [];
        return {
          day,
          market,
          row,
          sold: lines,
          refunds: refunds.get(key) ?? [],
          feedback: feedback.get(key) ?? [],
          postings: (booked.get(key) ?? []).map(({ posting }) => posting),
          ...countVisits(row, day, lines, isFeatured),
        };
      });
  });
}

/** Both days are inclusive. */
export const listDays = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, n) => addDays(first, n));

/** Counts the buyers who looked at a listing that day; one that is suppressed and hidden is found by nobody. */
function countVisits(
  { sku, status }: ListingRow,
  day: string,
  sold: ListingDay['sold'],
  isFeatured: boolean,
) {
  const units = sold.reduce((sum, { item }) => sum + item.ordered, 0);
  const others = status.length === 0 ? 0 : createSequence(seedOf(`${day} ${sku}`))() % (MAX_OTHER_VIEWS + 1);
  const pageViews = units * VIEWS_PER_UNIT + others;
  const sessions = Math.ceil(pageViews * SESSIONS_PER_VIEW);
  return {
    pageViews,
    browserPageViews: Math.round(pageViews * BROWSER_SHARE),
    sessions,
    browserSessions: Math.round(sessions * BROWSER_SHARE),
    featuredPageViews: Math.round((pageViews * FEATURED_PERCENT[isFeatured ? 'own' : 'other']) / 100),
  };
}

/** Groups stand in the order of their keys. */
export const groupDays = (days: readonly ListingDay[], keyOf: (one: ListingDay) => string) =>
  [...groupBy(days, keyOf)].sort(([one], [other]) => one.localeCompare(other));

/** All counts add up to the same sum by day and by listing. */
export function sumDays(days: readonly ListingDay[]) {
  const add = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0);
  const count = (of: (one: ListingDay) => number) => add(days, of);
  const lines = days.flatMap(({ sold }) => sold);
  const refunds = days.flatMap((one) => one.refunds);
  const shipped = lines.filter(({ item }) => item.shipped > 0);
  const [pageViews, browserPageViews] = [count((one) => one.pageViews), count((one) => one.browserPageViews)];
  const [sessions, browserSessions] = [count((one) => one.sessions), count((one) => one.browserSessions)];
  return {
    lines,
    refunds,
    postings: days.flatMap((one) => one.postings),
    items: lines.length,
    units: add(lines, ({ item }) => item.ordered),
    cents: add(lines, ({ item }) => item.priceCents),
    shippedOrders: new Set(shipped.map(({ order }) => order.id)).size,
    shipped: add(shipped, ({ item }) => item.shipped),
    shippedCents: add(shipped, ({ item }) => item.priceCents),
    refundedUnits: add(refunds, ({ units }) => units),
    refundedCents: add(refunds, ({ item }) => item.priceCents - item.discountCents),
    feedback: count((one) => one.feedback.length),
    negativeFeedback: count((one) => one.feedback.filter(isNegative).length),
    traffic: {
      browserPageViews,
      mobileAppPageViews: pageViews - browserPageViews,
      pageViews,
      browserSessions,
      mobileAppSessions: sessions - browserSessions,
      sessions,
    },
    featuredViews: count((one) => one.featuredPageViews),
  };
}

/** Computes a percentage to two decimals; 0 if the whole is 0. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
