/** Statements written from descriptions alone, before anything was collected, answered in the call that collects. */

import { afterAll, beforeAll, expect, it, test, vi } from 'vitest';
import { reportColumns } from '../../src/service/facts/generated/report-columns.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { type CallOutcome, connect, type Session } from '../helpers/sessions.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside({ countries: ['DE', 'US'], reportSpeed: 20 });
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

/** Until it is done. */
async function collect(args: Record<string, unknown>): Promise<CallOutcome> {
  for (;;) {
    const answer = await session.call('collect_data', args);
    expect(answer.isError, answer.text).toBe(false);
    if (answer.structured.state !== 'under way') return answer;
  }
}

const describe = async (args: Record<string, unknown>) =>
  (await session.call('describe_operation', args)).text;

/** The columns that a description names of a table, those that join it too. */
function columnsNamed(text: string, table: string): Set<string> {
  const line =
    text.split('\n').find((one) => one.startsWith(`  ${table}:`) || one.startsWith(`  ${table} (`)) ?? '';
  const joining = /those of lists have ([a-z_, ]+) too/.exec(text)?.[1] ?? '';
  return new Set([...`${joining}, ${line}`.matchAll(/[a-z][a-z0-9_]*/g)].map(([name]) => name));
}

it.each([
  {
    asked: { operation: 'searchOrders', parameters: { createdAfter: '2020-01-01T00:00:00Z' } },
    tables: {
      orders: ['order_id', 'created_time'],
      orders_order_items: ['product_seller_sku', 'quantity_ordered', 'item'],
    },
    sql: 'SELECT product_seller_sku, sum(quantity_ordered) FROM orders_order_items GROUP BY 1 ORDER BY 2 DESC LIMIT 3',
  },
  {
    asked: {
      operation: 'searchListingsItems',
      parameters: { marketplaceIds: ['DE'], includedData: ['summaries', 'offers'] },
    },
    tables: {
      listings_items: ['sku'],
      listings_items_offers: ['price_amount', 'price_currency_code', 'item_sku'],
    },
    sql: 'SELECT item_sku, price_amount, price_currency_code FROM listings_items_offers ORDER BY price_amount DESC LIMIT 3',
  },
  {
    asked: {
      operation: 'getInventorySummaries',
      parameters: {
        details: true,
        granularityType: 'Marketplace',
        granularityId: 'DE',
        marketplaceIds: ['DE'],
      },
    },
    tables: { inventory_summaries: ['seller_sku', 'inventory_details_fulfillable_quantity'] },
    sql: 'SELECT seller_sku, inventory_details_fulfillable_quantity FROM inventory_summaries LIMIT 3',
  },
  {
    asked: {
      operation: 'getListingsItem',
      parameters: { includedData: ['summaries'], marketplaceIds: ['US'] },
      each: "SELECT column1 AS sku FROM (VALUES ('LAMP-OAK-E27'))",
    },
    tables: { listings_item: ['sku'], listings_item_summaries: ['asin', 'item_name', 'item'] },
    sql: 'SELECT sku, asin, item_name FROM listings_item JOIN listings_item_summaries USING (item)',
  },
])('rows of $asked.operation in one call', async ({ asked, tables, sql }) => {
  const text = await describe({ operation: asked.operation });
  for (const [table, columns] of Object.entries(tables)) {
    expect([...columnsNamed(text, table)], `${table} in ${text}`).toEqual(expect.arrayContaining(columns));
  }
  const each =
    asked.each === undefined ? {} : { each: "SELECT column1 AS sku FROM (VALUES ('LAMP-OAK-E27'))" };
  const answer = await collect({ ...asked, ...each, sql });
  expect(answer.structured.rows).not.toEqual([]);
});

it('has no rows, and no error, where nothing comes', async () => {
  const parameters = { createdAfter: '2015-01-01T00:00:00Z', createdBefore: '2015-01-02T00:00:00Z' };
  const sql = 'SELECT order_id, product_seller_sku FROM orders JOIN orders_order_items USING (item)';
  const { structured, text } = await collect({ operation: 'searchOrders', parameters, as: 'orders', sql });
  expect(structured.rows).toEqual([]);
  // The tables of lists are there to be asked, and nothing to tell.
  expect(structured.collected).toEqual([{ name: expect.stringMatching(/^orders/), rows: 0 }]);
  expect(text).not.toContain('order_items (');
});

/** Played by the sandbox, and made on request. */
const PLAYED = [
  'GET_MERCHANT_LISTINGS_ALL_DATA',
  'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
  'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
  'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA',
  'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA',
  'GET_SALES_AND_TRAFFIC_REPORT',
];

test.each(PLAYED)('%s: what comes is what was told', async (type) => {
  expect(Object.keys(reportColumns)).toContain(type);
  const text = await describe({ operation: 'createReport', member: type });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const options =
    type === 'GET_SALES_AND_TRAFFIC_REPORT' ? { asinGranularity: 'SKU', dateGranularity: 'DAY' } : {};
  const report = { type, marketplaces: ['US'], start: day(30), end: day(1), options };
  const main = type.replace('GET_', '').toLowerCase();
  const sql = `SELECT table_name, name FROM columns WHERE table_name LIKE '${main}%'`;
  const { structured, text: answered } = await collect({ report, sql });
  if (!Array.isArray(structured.rows)) throw new Error(answered);
  expect(structured.rows.length).toBeGreaterThan(3);
  for (const [table, column] of structured.rows)
    expect([...columnsNamed(text, table)], table).toContain(column);
});
