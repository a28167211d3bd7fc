/** The sandbox's Data Kiosk, through the program: groups add up to the totals, and returns of the last weeks are not there yet. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outside, startOutside } from '../../helpers/outside-service.ts';
import { connect, type Session } from '../../helpers/sessions.ts';

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const TYPE = 'analytics_sellerAnalytics_2025_03_31';

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside({ reportSpeed: 1_000 });
  session = await connect({ env: outside.env, args: outside.args });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

it.each(['DAY', 'WEEK', 'MONTH'])('answers by %s', async (granularity) => {
  const as = `by_${granularity.toLowerCase()}`;
  const report = {
    type: TYPE,
    marketplaces: ['US'],
    start: dayAgo(100),
    end: dayAgo(1),
    options: { granularity },
  };
  const collected = await session.call('collect_data', { report, as });
  expect(collected.isError, collected.text).toBe(false);
  const ask = async (sql: string) => (await session.call('query_data', { sql })).structured?.rows;
  const units = 'sales_units_ordered_value';
  const totals = await ask(`SELECT sum(totals_${units}), count(*) > 1 FROM ${as}`);
  expect(totals).toEqual([[expect.any(Number), 1]]);
  const sums = await ask(`SELECT sum(metrics_${units}) FROM ${as}_metrics`);
  expect(sums).toEqual([[Array.isArray(totals) ? totals[0][0] : undefined]]);
  const returns = await ask(
    `SELECT max(totals_returns_returned_units_value IS NULL AND end_date < '${dayAgo(50)}'),
      max(totals_returns_returned_units_value IS NOT NULL AND end_date > '${dayAgo(40)}') FROM ${as}`,
  );
  expect(returns).toEqual([[0, 0]]);
});

it.each([
  ['analytics_economics_2024_03_15', { granularity: 'RANGE', 'aggregateBy.productId': 'CHILD_ASIN' }],
  ['analytics_salesAndTraffic_2024_04_24', { granularity: 'WEEK' }],
  ['analytics_salesAndTraffic_2024_04_24', { query: 'salesAndTrafficByAsin', aggregateBy: 'SKU' }],
])('answers %s with %j, as the program asks for all of its fields', async (type, options) => {
  const report = { type, marketplaces: ['US'], start: dayAgo(60), end: dayAgo(1), options };
  const as = `all_${Object.values(options).join('_').toLowerCase()}`;
  const collected = await session.call('collect_data', { report, as });
  expect(collected.isError, collected.text).toBe(false);
  const ask = async (sql: string) => (await session.call('query_data', { sql })).structured?.rows;
  const sales = 'sum(sales_ordered_product_sales_amount)';
  expect(await ask(`SELECT ${sales} > 1000, count(*) > 5 FROM ${as}`)).toEqual([[1, 1]]);
});

it('refuses a dataset that it does not play, and a text that is no query', async () => {
  const create = (query: string) =>
    session.call('write_operation', { operation: 'createQuery', body: { query } });
  const valid = `{${TYPE}{sellerAnalyticsView(startDate:"2026-11-01",endDate:"2026-11-02",aggregateBy:DAY,marketplaceId:["ATVPDKIKX0DER"]){startDate}}}`;
  expect((await create(valid)).isError).toBe(false);
  for (const [query, reason] of [
    ['{analytics_vendorAnalytics_2024_09_30{sourcingView{startDate}}}', 'does not have this'],
    ['{analytics_economics_2024_03_15{economicsPreview{startDate}}}', 'does not have this'],
    ['{analytics_economics_2024_03_15{economics(startDate:"2026-11-01"){startDate}}}', 'endDate'],
    ['{analytics', 'query'],
    ['x', 'query'],
  ] as const) {
    const { isError, text } = await create(query);
    expect(isError).toBe(true);
    expect(text).toContain(reason);
  }
});
