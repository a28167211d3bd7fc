/** The days of each listing in one marketplace, by its time zone: what was sold, and how many buyers looked. */

import { localTime } from '../../src/base/text/local-time.ts';
import { readProductMarket } from './competitors.ts';
import type { ListingRow } from './listing-row.ts';
import type { Order, OrderItem } from './make-orders.ts';
import type { Market } from './markets.ts';
import { DAY_MS } from './plain-values.ts';
import { isSold } from './sales.ts';
import { createSequence, seedOf } from './sequence.ts';
import type { World } from './world.ts';

export interface ListingDay {
  /** `2026-11-21` */
  day: string;
  market: Market;
  row: ListingRow;
  sold: readonly { order: Order; item: OrderItem }[];
  pageViews: number;
  sessions: number;
  /** Says whether the seller's offer is the featured one. */
  isFeatured: boolean;
}

/** Days as `2026-11-21`; the last is inclusive. */
interface Days {
  first: string;
  last: string;
}

const VIEWS_PER_UNIT = 25;
const MAX_OTHER_VIEWS = 3;
const SESSIONS_PER_VIEW = 0.75;
/** A buyer who looks at several products in one visit is counted once for the day. */
const DAY_SHARE = 0.8;
const BROWSER_SHARE = 0.6;

export const dayIn = ({ timeZone }: Market, ms: number): string => localTime(ms, timeZone).slice(0, 10);

/** Days before the first order, and after the last, have nothing. */
export function readListingDays(world: World, market: Market, { first, last }: Days): ListingDay[] {
  const orders = world.orders().filter((order) => order.market === market && isSold(order));
  const [oldest] = orders;
  if (oldest === undefined) return [];
  const sold = new Map<string, { order: Order; item: OrderItem }[]>();
  for (const order of orders) {
    const day = dayIn(market, order.purchasedAt);
    for (const item of order.items) {
      const key = `${day} ${item.row.sku}`;
      sold.set(key, [...(sold.get(key) ?? []), { order, item }]);
    }
  }
  const days = listDays(
    [first, dayIn(market, oldest.purchasedAt)].sort().at(-1) ?? first,
    [last, dayIn(market, world.madeAt)].sort()[0] ?? last,
  );
  return world.rows(market.id).flatMap((row) => {
    const created = row.createdDate?.slice(0, 10) ?? last;
    const { featured } = readProductMarket(world, row.asin, market) ?? {};
    const isFeatured = featured?.sku === row.sku;
    return days
      .filter((day) => day >= created)
      .map((day): ListingDay => {
        const lines = sold.get(`${day} ${row.sku}`) ?? [];
        return { day, market, row, sold: lines, ...countVisits(row, day, lines), isFeatured };
      });
  });
}

function listDays(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, n) =>
    new Date(Date.parse(first) + n * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Counts the buyers who looked at a listing that day; one that is suppressed and hidden is found by nobody. */
function countVisits({ sku, status }: ListingRow, day: string, sold: ListingDay['sold']) {
  const units = sold.reduce((sum, { item }) => sum + item.ordered, 0);
  const others = status.length === 0 ? 0 : createSequence(seedOf(`${day} ${sku}`))() % (MAX_OTHER_VIEWS + 1);
  const pageViews = units * VIEWS_PER_UNIT + others;
  return { pageViews, sessions: Math.ceil(pageViews * SESSIONS_PER_VIEW) };
}

/** Page views add up to the same sum by day and by listing; a session of a day can be one of several listings. */
export function sumDays(days: readonly ListingDay[]) {
  const lines = days.flatMap(({ sold }) => sold);
  const count = (of: (line: (typeof lines)[number]) => number) =>
    lines.reduce((sum, one) => sum + of(one), 0);
  const byDay = new Map<string, ListingDay[]>();
  for (const one of days) byDay.set(one.day, [...(byDay.get(one.day) ?? []), one]);
  const sessions = [...byDay.values()].reduce((sum, all) => {
    const ofListings = all.reduce((part, one) => part + one.sessions, 0);
    return sum + (all.length === 1 ? ofListings : Math.round(ofListings * DAY_SHARE));
  }, 0);
  const views = (all: readonly ListingDay[]) => all.reduce((sum, { pageViews }) => sum + pageViews, 0);
  const pageViews = views(days);
  const units = count(({ item }) => item.ordered);
  const browserSessions = Math.round(sessions * BROWSER_SHARE);
  return {
    lines,
    orders: new Set(lines.map(({ order }) => order.id)).size,
    items: lines.length,
    units,
    shipped: count(({ item }) => item.shipped),
    cents: count(({ item }) => item.priceCents),
    pageViews,
    sessions,
    browserSessions,
    mobileSessions: sessions - browserSessions,
    featuredPercent: percentOf(views(days.filter(({ isFeatured }) => isFeatured)), pageViews),
    unitSessionPercent: percentOf(units, sessions),
  };
}

/** To two decimals; 0 of nothing. */
const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
