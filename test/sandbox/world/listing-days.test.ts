/** Visits and sales by day are the same figures in the report on sales and traffic and in Seller Analytics. */

import { expect, it } from 'vitest';
import * as z from 'zod';
import { buildHomeListings } from '../../../sandbox/fixtures/listings.ts';
import { writeItems } from '../../../sandbox/kiosk/dataset.ts';
import type { Selection } from '../../../sandbox/kiosk/read-query.ts';
import { sellerAnalyticsView } from '../../../sandbox/kiosk/seller-analytics.ts';
import { findReportType } from '../../../sandbox/reports/report-types.ts';
import { readProductMarket } from '../../../sandbox/world/competitors.ts';
import { marketOf } from '../../../sandbox/world/markets.ts';
import { createWorld } from '../../../sandbox/world/world.ts';
import { NOON } from '../helpers.ts';

const REPORT = 'GET_SALES_AND_TRAFFIC_REPORT';
const [first, last] = ['2026-10-20', '2026-11-19'];

const sales = z.object({ unitsOrdered: z.int(), orderedProductSales: z.object({ amount: z.number() }) });
const traffic = z.object({
  pageViews: z.int(),
  sessions: z.int(),
  buyBoxPercentage: z.number(),
  unitSessionPercentage: z.number(),
});
const reportSchema = z.object({
  salesAndTrafficByDate: z.array(z.object({ date: z.string(), salesByDate: sales, trafficByDate: traffic })),
  salesAndTrafficByAsin: z.array(
    z.object({ childAsin: z.string(), salesByAsin: sales, trafficByAsin: traffic }),
  ),
});
const value = z.object({ value: z.number() });
const metricsSchema = z.object({
  sales: z.object({ unitsOrdered: value }),
  traffic: z.object({ pageViews: value, sessions: value }),
});
const lineSchema = z.object({
  startDate: z.string(),
  totals: metricsSchema,
  metrics: z.array(z.object({ groupByKey: z.object({ asin: z.string() }), metrics: metricsSchema })),
});

const select = (name: string, ...selects: Selection[]): Selection => ({ name, takes: {}, selects });
const metric = [
  select('sales', select('unitsOrdered', select('value'))),
  select('traffic', select('pageViews', select('value')), select('sessions', select('value'))),
];

it.each(['US', 'ES', 'JP'])('in %s', (country) => {
  const home = marketOf(country);
  const world = createWorld(buildHomeListings(NOON, [home]), [country], NOON);
  const request = {
    type: REPORT,
    markets: [home],
    start: Date.parse(first),
    end: Date.parse(`${last}T23:59:59Z`),
    options: { asinGranularity: 'CHILD' },
  };
  const report = reportSchema.parse(JSON.parse(findReportType(REPORT)?.build(world, request) ?? ''));
  const { salesAndTrafficByDate: days, salesAndTrafficByAsin: products } = report;
  const query = {
    name: 'sellerAnalyticsView',
    takes: { startDate: first, endDate: last, aggregateBy: 'DAY', marketplaceId: [home.id] },
    selects: [
      select('startDate'),
      select('totals', ...metric),
      select('metrics', select('groupByKey', select('asin')), select('metrics', ...metric)),
    ],
  };
  const lines = (writeItems(sellerAnalyticsView(query)(world, NOON), query.selects) ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  expect(days).toHaveLength(31);
  expect(
    lines.map(({ startDate, totals }) => [
      startDate,
      totals.sales.unitsOrdered.value,
      totals.traffic.pageViews.value,
      totals.traffic.sessions.value,
    ]),
  ).toEqual(
    days.map(({ date, salesByDate, trafficByDate }) => [
      date,
      salesByDate.unitsOrdered,
      trafficByDate.pageViews,
      trafficByDate.sessions,
    ]),
  );
  const metrics = lines.flatMap((line) => line.metrics);
  for (const { childAsin, salesByAsin, trafficByAsin } of products) {
    const own = metrics.filter(({ groupByKey }) => groupByKey.asin === childAsin);
    const add = (of: (one: z.infer<typeof metricsSchema>) => { value: number }) =>
      own.reduce((sum, one) => sum + of(one.metrics).value, 0);
    expect([salesByAsin.unitsOrdered, trafficByAsin.pageViews, trafficByAsin.sessions]).toEqual([
      add((one) => one.sales.unitsOrdered),
      add((one) => one.traffic.pageViews),
      add((one) => one.traffic.sessions),
    ]);
    const product = readProductMarket(world, childAsin, home);
    const isOwn = product?.own !== undefined && product.featured?.sku === product.own.sku;
    if (trafficByAsin.pageViews > 0) expect(trafficByAsin.buyBoxPercentage > 50).toBe(isOwn);
  }
  expect(products.some(({ salesByAsin }) => salesByAsin.unitsOrdered === 0)).toBe(true);
});
