/** Point 10: all listings of a seller through review_listings, and one call for each of many rows, next to the least time in which the limits of the service let it be done. */

import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { type Answer, startHttpService } from '../../../test/helpers/http-service.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from '../account.ts';
import type { Context } from '../context.ts';
import { type Row, timesOf } from '../report.ts';
import { exactly } from '../statistics.ts';

/** A catalog that a search gives whole, and one of which the report has to tell the SKUs. */
const CATALOGS = [
  { listings: 260, most: 1.05 },
  { listings: 10_000, most: 1.02 },
];
const EACH = 1_000;
const QUICK_EACH = 60;
const MOST_EACH = 1.05;
/** Items of an order, each of which takes its time. */
const ITEMS = '/orders/v0/orders/';
const LATENCY_MS = 150;
const NO_ITEMS = { payload: { AmazonOrderId: '1', OrderItems: [] } };
/** Of the public service. */
const LIMITS: Readonly<Record<string, { requestsPerSecond: number; burst: number }>> = {
  '/listings/2021-08-01/items/': { requestsPerSecond: 5, burst: 5 },
  '/fba/inventory/v1/summaries': { requestsPerSecond: 2, burst: 2 },
  // Its burst is the documented one; its rate what this service says.
  [ITEMS]: { requestsPerSecond: 5, burst: 30 },
};
const MARKETPLACE = 'A1PA6795UKMFR9';
const MOST_BY_PAGES = 1_000;
const DAY_MS = 86_400_000;
const REPORT_ID = 'R1';

const toldSchema = z.looseObject({ state: z.string() });

export async function measureReviews(context: Context): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { listings, most } of context.quick ? CATALOGS.slice(0, 1) : CATALOGS) {
    const work: Work = {
      measure: `${listings} listings reviewed`,
      most,
      tool: 'review_listings',
      arguments: {},
    };
    rows.push(...(await measure(context, work, listings)));
  }
  const each = context.quick ? QUICK_EACH : EACH;
  const work: Work = {
    measure: `each of ${each} rows`,
    most: MOST_EACH,
    tool: 'collect_data',
    arguments: {
      operation: 'orders/getOrderItems',
      each: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${each}) SELECT CAST(i AS TEXT) AS orderId FROM n`,
    },
  };
  rows.push(...(await measure(context, work, 0)));
  return rows;
}

/** What is asked until it is done. */
interface Work {
  measure: string;
  /** Times what the limits take. */
  most: number;
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

async function measure(context: Context, work: Work, listings: number): Promise<Row[]> {
  await using folder = await tempFolder('seller-bench-');
  const calls = new Map<string, number>();
  await using service = closing(
    await startHttpService(async ({ path, headers }) => {
      const url = new URL(path, `http://${headers.host}`);
      const limited = Object.keys(LIMITS).find((start) => url.pathname.startsWith(start));
      if (limited === undefined) return otherAnswer(url, listings);
      calls.set(limited, (calls.get(limited) ?? 0) + 1);
      const limit = String(LIMITS[limited]?.requestsPerSecond);
      if (limited === ITEMS) await setTimeout(LATENCY_MS);
      const body =
        limited === ITEMS ? NO_ITEMS : limited.startsWith('/fba') ? stockOf(url) : searchIn(url, listings);
      return { headers: { 'x-amzn-RateLimit-Limit': limit }, body };
    }),
  );
  const env = { HOME: folder.path, SELLER_DATA_DIR: folder.path, ...accountAt(service.url, MARKETPLACE) };
  await using session = await context.open(context.programs.ours, { env });
  await session.call('read_operation', { operation: 'getMarketplaceParticipations' });
  const started = performance.now();
  await session.ask(work.tool, work.arguments, toldSchema, ({ state }) => state !== 'done');
  const seconds = (performance.now() - started) / 1000;
  return rowsOf(context, work, seconds, leastSeconds(calls));
}

function rowsOf({ programs }: Context, { measure, most }: Work, seconds: number, least: number): Row[] {
  const row = { point: 10, measure, unit: 's' };
  const to = 'the limits';
  return [
    { ...row, program: to, value: exactly(least) },
    {
      ...row,
      program: programs.ours.name,
      value: exactly(seconds),
      ...timesOf(to, exactly(seconds / least), most),
    },
  ];
}

/** All calls of an operation but its burst wait for its rate; the operations do so at the same time. */
function leastSeconds(calls: ReadonlyMap<string, number>): number {
  const each = [...calls].map(([path, count]) => {
    const { requestsPerSecond = 1, burst = 0 } = LIMITS[path] ?? {};
    return Math.max(0, count - burst) / requestsPerSecond;
  });
  return Math.max(...each);
}

const skuOf = (i: number) => `SKU-${i}`;

/** By pages, or those of some SKUs. */
function searchIn(url: URL, listings: number) {
  const query = url.searchParams;
  const wanted = query.get('identifiers')?.split(',');
  const from = Number(query.get('pageToken') ?? '0');
  const to = Math.min(from + Number(query.get('pageSize') ?? '10'), listings, MOST_BY_PAGES);
  const skus = wanted ?? Array.from({ length: to - from }, (_, i) => skuOf(from + i));
  const isLast = wanted !== undefined || to >= Math.min(listings, MOST_BY_PAGES);
  return {
    numberOfResults: wanted?.length ?? listings,
    pagination: isLast ? {} : { nextToken: String(to) },
    items: skus.map(listingOf),
  };
}

/** Every fourth is suppressed, every second in the warehouses of the service. */
function listingOf(sku: string) {
  const i = Number(sku.slice('SKU-'.length));
  const isSuppressed = i % 4 === 0;
  const issue = {
    code: `9022${i % 3}`,
    message: 'An image is missing.',
    severity: 'WARNING',
    categories: ['MISSING_ATTRIBUTE'],
    enforcements: { actions: [{ action: 'SEARCH_SUPPRESSED' }], exemption: { status: 'NOT_EXEMPT' } },
  };
  const status = isSuppressed ? ['BUYABLE'] : ['BUYABLE', 'DISCOVERABLE'];
  return {
    sku,
    summaries: [
      { marketplaceId: MARKETPLACE, asin: `B0${sku}`, itemName: `Lamp ${i}`, productType: 'LAMP', status },
    ],
    issues: isSuppressed ? [issue] : [],
    offers: [
      { marketplaceId: MARKETPLACE, offerType: 'B2C', price: { currencyCode: 'EUR', amount: '9.99' } },
    ],
    fulfillmentAvailability:
      i % 2 === 0
        ? [{ fulfillmentChannelCode: 'AMAZON_EU' }]
        : [{ fulfillmentChannelCode: 'DEFAULT', quantity: 3 }],
  };
}

function stockOf(url: URL) {
  const skus = url.searchParams.get('sellerSkus')?.split(',') ?? [];
  const inventorySummaries = skus.map((sellerSku) => ({
    sellerSku,
    inventoryDetails: { fulfillableQuantity: 5 },
    totalQuantity: 5,
  }));
  return { payload: { inventorySummaries } };
}

/** The token, and the report of all SKUs, which is made at once. */
function otherAnswer({ pathname, origin }: URL, listings: number): Answer {
  if (pathname === TOKEN_PATH) return TOKEN_ANSWER;
  if (pathname === '/signed') {
    const lines = Array.from({ length: listings }, (_, i) => `Lamp ${i}\t${skuOf(i)}\t9.99`);
    return { body: ['item-name\tseller-sku\tprice', ...lines, ''].join('\r\n') };
  }
  if (pathname.includes('/documents/')) return { body: { reportDocumentId: 'D1', url: `${origin}/signed` } };
  const isReport = pathname.endsWith('/reports') || pathname.endsWith(`/reports/${REPORT_ID}`);
  if (!isReport) return { body: { payload: [] } };
  const report = {
    reportId: REPORT_ID,
    reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    marketplaceIds: [MARKETPLACE],
    processingStatus: 'DONE',
    reportDocumentId: 'D1',
    createdTime: new Date(Date.now() - DAY_MS / 24).toISOString(),
  };
  // Asked for, looked at, or listed.
  return { body: { ...report, reports: [report] } };
}
