/** getOrderMetrics: what buyers ordered in an interval, by hours, days, weeks, months or years of a time zone. */

import { localTime, momentOfDay } from '../../src/base/text/local-time.ts';
import { type Answer, type Call, invalid, okPayload } from '../answer.ts';
import type { Played } from '../router.ts';
import type { Order } from '../world/make-orders.ts';
import { DAY_MS, HOUR_MS } from '../world/plain-values.ts';
import { type Sales, sumSales } from '../world/sales.ts';
import type { World } from '../world/world.ts';
import { fits, readFilledList, readList, refuseChoices, refuseUnplayed } from './query.ts';

/** A moment so long after the begin of a period always lies in the next one, whatever the clocks change between. */
const STEPS: Readonly<Record<string, number>> = {
  Hour: HOUR_MS,
  Day: 1.1 * DAY_MS,
  Week: 7.1 * DAY_MS,
  Month: 31.1 * DAY_MS,
  Year: 366.1 * DAY_MS,
};
const MAX_HOURLY_DAYS = 30;
const MAX_DAYS = 731;

export const playOrderMetrics = (world: World): Played => ({
  'sales/getOrderMetrics': (call) => measure(world, call),
});

function measure(world: World, call: Call): Answer {
  refuseUnplayed(call);
  refuseChoices(call, { fulfillmentNetwork: ['AFN', 'MFN'] });
  const { query, now } = call;
  const [marketplaceId, ...others] = readFilledList(query, 'marketplaceIds');
  const market = world.markets.find(({ id }) => id === marketplaceId);
  if (market === undefined || others.length > 0) {
    return invalid('marketplaceIds: must name one marketplace of the seller.');
  }
  const clock = readClock(query, now);
  const { start, end, beginOf, step, show } = clock;
  const orders = findItems(world, query).filter(
    (order) => order.market === market && order.purchasedAt >= start && order.purchasedAt < end,
  );
  const sums = sumSales(orders, ({ purchasedAt }) => String(beginOf(purchasedAt)));
  const metrics = [];
  for (let begin = beginOf(start); begin < end; ) {
    const next = step === undefined ? end : beginOf(begin + step);
    metrics.push({
      interval: `${show(begin)}--${show(next)}`,
      ...countsOf(sums.get(String(begin)), market.currency),
    });
    begin = next;
  }
  return okPayload(metrics);
}

function countsOf({ orders, items, units, cents }: Partial<Sales> = {}, currencyCode: string): object {
  const money = (amount = 0) => ({ currencyCode, amount: String(Math.round(amount) / 100) });
  return {
    unitCount: units ?? 0,
    orderItemCount: items ?? 0,
    orderCount: orders?.size ?? 0,
    averageUnitPrice: money((cents ?? 0) / (units ?? 1)),
    totalSales: money(cents),
  };
}

/** Returns the orders that pass the filters, each with only those items that do. */
function findItems(world: World, query: URLSearchParams): Order[] {
  const [asins, skus] = [query.getAll('asin'), query.getAll('sku')];
  if (asins.length > 0 && skus.length > 0) invalid('asin, sku: only one of them may be given.');
  return world
    .orders()
    .filter(
      ({ isBusiness, fulfilledBy }) =>
        fits(readList(query, 'buyerType'), 'All', isBusiness ? 'B2B' : 'B2C') &&
        fits(readList(query, 'fulfillmentNetwork'), fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN') &&
        !query.has('amazonProgram'),
    )
    .map((order) => ({
      ...order,
      items: order.items.filter(({ row }) => fits(asins, row.asin) && fits(skus, row.sku)),
    }));
}

const ZONED = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

/** Reads the interval, and how its time zone parts it. @throws Refusal for what the service does not take */
function readClock(query: URLSearchParams, now: number) {
  const granularity = query.get('granularity') ?? invalid('granularity: is missing.');
  const [from = '', to = ''] = (query.get('interval') ?? '').split('--');
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const offset = ZONED.exec(from)?.[1];
  if (offset === undefined || !ZONED.test(to) || !(start < end))
    invalid('interval: must be two moments with a time zone, joined by "--".');
  const maxDays = granularity === 'Hour' ? MAX_HOURLY_DAYS : MAX_DAYS;
  if (start < now - maxDays * DAY_MS || end > now + maxDays * DAY_MS) {
    invalid(`interval: reaches ${maxDays} days from now at most for granularity ${granularity}.`);
  }
  const zone = query.get('granularityTimeZone');
  const step = STEPS[granularity];
  if (zone === null && step !== undefined && step > HOUR_MS) {
    invalid(`granularityTimeZone: is needed for granularity ${granularity}.`);
  }
  const shift = Date.parse('1970-01-01T00:00Z') - Date.parse(`1970-01-01T00:00${offset}`);
  const shiftAt = (ms: number): number => (zone === null ? shift : shiftOf(zone, ms));
  if (shiftAt(start) !== shift) invalid('granularityTimeZone: must have the offset of the interval.');
  const local = (ms: number): string => new Date(ms + shiftAt(ms)).toISOString();
  const beginOf = (ms: number): number => {
    if (step === undefined) return start;
    if (granularity === 'Hour') return ms - ((ms + shiftAt(ms)) % HOUR_MS);
    const day = firstDayOf(local(ms).slice(0, 10), granularity, query.get('firstDayOfWeek'));
    return Date.parse(momentOfDay(day, zone ?? 'UTC', 'start'));
  };
  return {
    start,
    end,
    step,
    beginOf,
    show: (ms: number) => `${local(ms).slice(0, 16)}${offsetText(shiftAt(ms))}`,
  };
}

/** Returns how far the zone is ahead of UTC. @throws Refusal for an unknown zone */
function shiftOf(zone: string, ms: number): number {
  try {
    const second = Math.floor(ms / 1000) * 1000;
    return Date.parse(`${localTime(second, zone).replace(' ', 'T')}Z`) - second;
  } catch {
    return invalid(`granularityTimeZone: ${zone} is not known.`);
  }
}

/** Returns the local day on which the period of a day begins. */
function firstDayOf(day: string, granularity: string, firstDayOfWeek: string | null): string {
  if (granularity === 'Year') return `${day.slice(0, 4)}-01-01`;
  if (granularity === 'Month') return `${day.slice(0, 7)}-01`;
  if (granularity === 'Day') return day;
  const weekday = new Date(day).getUTCDay();
  const since = firstDayOfWeek === 'Sunday' ? weekday : (weekday + 6) % 7;
  return new Date(Date.parse(day) - since * DAY_MS).toISOString().slice(0, 10);
}

/** Formats an offset: `-07:00`, `Z`. */
function offsetText(ms: number): string {
  if (ms === 0) return 'Z';
  return `${ms < 0 ? '-' : '+'}${new Date(Math.abs(ms)).toISOString().slice(11, 16)}`;
}
