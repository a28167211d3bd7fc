/** Many reads in one call, and what is told of them, in the built program over a service that counts its requests. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import type { Answer, Handler } from '../helpers/http-service.ts';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { runProgram } from '../helpers/run-program.ts';
import { type SellerListing, sellerService } from '../helpers/seller-service.ts';
import { connect, type Session, type SessionOptions } from '../helpers/sessions.ts';

const IT = 'APJ6JRA9NG5V4';
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const ORDERS = 40;

let outside: Outside;
let service: HttpService;
let sessions: Session[];
let listings: SellerListing[];
/** Paths that are refused (403). */
let refused: string[];
/** Requests for offers that are answered before the next one waits. */
let answered: number;
let held: Promise<void>;
let letGo: () => void;
/** The report that there is of its type, and when it was made. */
let report: { type: string; lines: readonly string[]; createdTime: string } | undefined;

beforeEach(async () => {
  sessions = [];
  refused = [];
  report = undefined;
  answered = Number.POSITIVE_INFINITY;
  ({ promise: held, resolve: letGo } = Promise.withResolvers<void>());
  listings = Array.from({ length: 45 }, (_, at) => ({
    sku: `C-${at}`,
    title: `Cuscino ${at}`,
    prices: { [IT]: 1_000 + at },
    own: 5,
    issues: [],
    featured: at % 2 === 0,
  }));
  outside = await startOutside();
  const others = sellerService({ listings });
  service = await startHttpService(async (request, response) => {
    const { path } = request;
    if (path === '/auth/o2/token') {
      return { body: { access_token: 'Atza|1', token_type: 'bearer', expires_in: 3600 } };
    }
    if (path.includes('/restrictedDataToken')) {
      return { body: { restrictedDataToken: 'Atz.sprdt|1', expiresIn: 3600 } };
    }
    if (refused.some((start) => path.startsWith(start))) {
      return { status: 403, headers: QUICK, body: { errors: [{ code: 'Unauthorized', message: 'denied' }] } };
    }
    const own = await answer(request);
    return own === undefined ? others(request, response) : { headers: QUICK, ...own };
  });
});
afterEach(async () => {
  letGo();
  await Promise.all(sessions.map((session) => session.close()));
  await service.close();
  await outside.close();
});

const inner = z.object({
  requests: z.array(z.object({ uri: z.string(), MarketplaceId: z.string() })).max(20),
});
const estimates = z
  .array(z.looseObject({ IdValue: z.string(), FeesEstimateRequest: z.looseObject({}) }))
  .max(20);

/** Offers and fees by twenty, catalog items by identifiers, orders and their items; C-7 is refused, and every other order. */
async function answer({ path, method, json, headers }: Parameters<Handler>[0]): Promise<Answer | undefined> {
  const { pathname, searchParams } = new URL(path, 'http://x');
  // A preview changes nothing.
  if (method === 'PATCH' && searchParams.get('mode') === 'VALIDATION_PREVIEW') {
    return { body: { sku: pathname.split('/')[5], status: 'VALID', submissionId: 'p', issues: [] } };
  }
  if (method === 'PATCH') return setPrice(decodeURIComponent(pathname.split('/')[5] ?? ''), json);
  if (pathname.startsWith('/batches/')) {
    if (offers().length > answered) await held;
    const responses = inner.parse(json).requests.map(({ uri, MarketplaceId }) => {
      const sku = decodeURIComponent(uri.split('/')[5] ?? '');
      const asked = { SellerSKU: sku, MarketplaceId };
      const Offers = [{ MyOffer: true, IsBuyBoxWinner: listings.find((one) => one.sku === sku)?.featured }];
      return sku === 'C-7'
        ? {
            request: asked,
            status: { statusCode: 400 },
            body: { errors: [{ code: 'InvalidInput', message: 'Not sold' }] },
          }
        : { request: asked, status: { statusCode: 200 }, body: { payload: { SKU: sku, Offers } } };
    });
    return { body: { responses: responses.reverse() } };
  }
  if (pathname === '/products/fees/v0/feesEstimate') {
    const results = estimates.parse(json).map(({ IdValue, FeesEstimateRequest }) => ({
      Status: 'Success',
      FeesEstimateIdentifier: { IdValue, ...FeesEstimateRequest },
      FeesEstimate: { TotalFeesEstimate: { CurrencyCode: 'EUR', Amount: 1.5 } },
    }));
    return { body: results.reverse() };
  }
  if (pathname === '/catalog/2022-04-01/items') {
    const asked = searchParams.get('identifiers')?.split(',') ?? [];
    const items = asked.filter((asin) => asin !== 'B000000007').map((asin) => ({ asin, summaries: [] }));
    return { body: { numberOfResults: items.length, items: items.reverse() } };
  }
  if (pathname.endsWith('/orderItems')) {
    const at = Number(pathname.split('/')[4]);
    return at % 2 === 0
      ? {
          body: {
            payload: { AmazonOrderId: `${at}`, OrderItems: [{ OrderItemId: `${at}1`, QuantityOrdered: 1 }] },
          },
        }
      : { status: 400, body: { errors: [{ code: 'InvalidInput', message: 'Order is too old.' }] } };
  }
  if (pathname === '/signed') return { body: report?.lines.join('\r\n') ?? reportText() };
  if (pathname.endsWith('/documents/D1')) return { body: { url: `http://${headers.host}/signed` } };
  if (pathname.endsWith('/reports/R1')) return { body: reportDone() };
  if (pathname.endsWith('/reports') && method === 'GET' && searchParams.get('reportTypes') === report?.type)
    return { body: { reports: [reportDone()] } };
  if (pathname === '/orders/v0/orders') {
    const shows = String(headers['x-amz-access-token']).startsWith('Atz.sprdt');
    const Orders = Array.from({ length: ORDERS }, (_, at) => ({
      AmazonOrderId: `${at}`,
      PurchaseDate: '2026-11-01T10:00:00Z',
      OrderStatus: at % 10 === 0 ? 'Unshipped' : 'Shipped',
      FulfillmentChannel: 'MFN',
      LatestShipDate: '2026-11-03T10:00:00Z',
      BuyerInfo: shows ? { BuyerEmail: `k${at % 30}@marketplace.amazon.it` } : {},
    }));
    return { body: { payload: { Orders } } };
  }
  return undefined;
}

const reportDone = () => ({
  reportId: 'R1',
  processingStatus: 'DONE',
  reportDocumentId: 'D1',
  ...(report && { reportType: report.type, createdTime: report.createdTime, marketplaceIds: [IT] }),
});

const priced = z.object({
  patches: z.tuple([
    z.object({
      value: z.tuple([
        z.looseObject({
          our_price: z.tuple([
            z.object({ schedule: z.tuple([z.looseObject({ value_with_tax: z.number() })]) }),
          ]),
        }),
      ]),
    }),
  ]),
});

function setPrice(sku: string, json: unknown): Answer {
  const [{ value }] = priced.parse(json).patches;
  const [{ our_price: ours }] = value;
  const amount = ours[0].schedule[0].value_with_tax;
  Object.assign(listings.find((one) => one.sku === sku) ?? {}, {
    prices: { [IT]: Math.round(amount * 100) },
  });
  return { body: { sku, status: 'ACCEPTED', submissionId: 'S1', issues: [] } };
}

/** One sale an hour from 6 July to 2 September; of every 24 the first is cancelled. */
const SALES = Array.from({ length: 24 * 59 }, (_, at) => ({
  at: Date.UTC(2026, 6, 6, 0, 30) + at * 3_600_000,
  cents: 1_000 + (at % 97),
  isCancelled: at % 24 === 0,
}));
const reportText = () =>
  [
    'amazon-order-id\tpurchase-date\torder-status\tcurrency\titem-price',
    ...SALES.map(({ at, cents, isCancelled }, n) =>
      [
        `404-${n}`,
        new Date(at).toISOString().replace('.000Z', '+00:00'),
        isCancelled ? 'Cancelled' : 'Shipped',
        'EUR',
        (cents / 100).toFixed(2),
      ].join('\t'),
    ),
  ].join('\r\n');

/** Sums the sales that are not cancelled, in hundredths, on days of this zone that begin so. */
function soldOn(days: string, zone: string): number {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  const own = SALES.filter(({ at, isCancelled }) => !isCancelled && local.format(at).startsWith(days));
  return own.reduce((sum, { cents }) => sum + cents, 0);
}

const to = (start: string) => service.requests.filter(({ path }) => path.startsWith(start));
const offers = () => to('/batches/');
const sent = () => service.requests.filter(({ path }) => path !== '/auth/o2/token').length;

const env = () => ({
  ...outside.env,
  SELLER_BASE_URL: service.url,
  SELLER_AUTH_URL: service.url,
  SELLER_MARKETPLACE_ID: IT,
  SELLER_REGION: 'eu',
});

/** The built program, in a process of its own where a test is about that. */
async function open(
  spawn = false,
  more: Record<string, string> = {},
  options: Pick<SessionOptions, 'elicit'> = {},
): Promise<Session> {
  const session = await connect({ args: outside.args, env: { ...env(), ...more }, spawn, ...options });
  sessions.push(session);
  return session;
}

async function untilDone(session: Session, args: Record<string, unknown>, tool = 'collect_data') {
  for (;;) {
    const answer = await session.call(tool, args);
    if (answer.structured.state !== 'under way') return answer;
  }
}

const rowsOf = async (session: Session, sql: string) => {
  const { structured, text } = await session.call('query_data', { sql });
  expect(structured.rows, text).toBeDefined();
  return structured.rows;
};

const numbers = (most: number, as: string) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${most - 1}) SELECT ${as} FROM n`;
const SKUS = numbers(45, "'C-' || i AS SellerSKU");
const OFFERS = {
  operation: 'getListingOffers',
  parameters: { ItemCondition: 'New' },
  each: SKUS,
  as: 'seen',
};
const ITEMS = {
  operation: 'orders/getOrderItems',
  each: numbers(ORDERS, 'CAST(i AS TEXT) AS orderId'),
  as: 'items',
};

it('offers, fees and items of 45 are three calls each, and a row that is refused says so beside the others', async () => {
  const session = await open(true);
  const seen = await untilDone(session, {
    ...OFFERS,
    sql: 'SELECT count(*) AS n, count(error) AS failed, min(error) AS why FROM seen',
  });
  expect(seen.structured.rows, seen.text).toEqual([[45, 1, 'HTTP 400: Not sold']]);
  expect(offers()).toHaveLength(3);
  const fees = { operation: 'getMyFeesEstimateForSKU', each: SKUS, as: 'fees' };
  const asked = await untilDone(session, { ...fees, sql: 'SELECT count(*), count(error) FROM fees' });
  expect(asked.structured.rows, asked.text).toEqual([[45, 0]]);
  expect(asked.text).toContain(
    'Prices, currencies and who ships that were left out are those of the listings now.',
  );
  expect(to('/products/fees/')).toHaveLength(3);
  expect(to('/listings/')).toHaveLength(3);
  const catalog = {
    operation: 'catalog-items/getCatalogItem',
    each: numbers(45, "printf('B%09d', i) AS asin"),
    as: 'found',
    sql: 'SELECT count(*), count(error), max(CASE WHEN error IS NOT NULL THEN found.asin END) FROM found',
  };
  const items = await untilDone(session, catalog);
  expect(items.structured.rows, items.text).toEqual([[45, 1, 'B000000007']]);
  expect(to('/catalog/')).toHaveLength(3);
});

it('half of the calls refused: those rows hold their error, are counted, and the others are there', async () => {
  const session = await open(true);
  const { text, structured } = await untilDone(session, ITEMS);
  for (const form of [text, JSON.stringify(structured)]) {
    expect(form).toContain('40 of 40 calls were made');
    expect(form).toContain('20 failed');
    expect(form).toContain('Order is too old.');
  }
  expect(await rowsOf(session, 'SELECT count(*), count(error), count(order_item_id) FROM items')).toEqual([
    [40, 20, 20],
  ]);
  expect(to('/orders/')).toHaveLength(ORDERS);
});

it('a client that cancels in the middle of many loses nothing: the same call finds all, and none is made twice', async () => {
  answered = 2;
  const session = await open(true);
  const call = new AbortController();
  const cancelled = session.call('collect_data', OFFERS, { signal: call.signal }).catch(() => 'cancelled');
  await expect.poll(() => offers().length).toBe(3);
  call.abort();
  expect(await cancelled).toBe('cancelled');
  letGo();
  expect((await untilDone(session, OFFERS)).structured).toMatchObject({
    complete: false,
    tables: [{ rows: 45 }, {}],
  });
  expect(offers()).toHaveLength(3);
});

it('what came before the host was closed stays, and is told as not all', async () => {
  answered = 2;
  const first = await open(true, { SELLER_CALL_TIMEOUT_MS: '9000' });
  await first.call('collect_data', OFFERS);
  // The first caller is told at once that it takes longer than the call may.
  await expect.poll(() => offers().length).toBe(3);
  const early = await first.call('collect_data', OFFERS);
  expect(early.structured, early.text).toMatchObject({ state: 'under way' });
  expect(early.text).toMatch(/40 of 45 rows done \(3 calls in all\)/);
  await first.close();
  letGo();
  const second = await open(true);
  expect(await rowsOf(second, 'SELECT count(*), count(error) FROM seen')).toEqual([[40, 1]]);
  const { text } = await second.call('query_data', { sql: 'SELECT count(*) FROM seen' });
  expect(text).toContain('not all of it');
});

it.each([
  [{ each: `${numbers(3, 'i AS orderId')} LIMIT 0` }, 'gives no rows'],
  [{ each: numbers(10_001, 'i AS orderId') }, '10,001 rows, and at most 10,000'],
  [{ each: 'SELECT 1 AS ordine' }, 'ordine of each is no argument of getOrderItems'],
  [{ each: 'SELECT NULL AS orderId' }, 'has no orderId (NULL)'],
  [{ operation: 'orders/confirmShipment' }, 'does not only read'],
] as const)('each that gets %j is refused before anything is sent', async (more, words) => {
  const session = await open();
  const { isError, text } = await session.call('collect_data', { ...ITEMS, ...more });
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(words) });
  expect(sent()).toBe(0);
});

it('where searchOrders is refused, buyers, late orders and items are reached by what the errors name', async () => {
  refused = ['/orders/2026-01-01'];
  const session = await open();
  const parameters = { createdAfter: '2026-11-01', includedData: ['BUYER'] };
  const { text: error } = await session.call('collect_data', { operation: 'searchOrders', parameters });
  expect(error).toMatch(
    /collect_data \{"operation":"orders\/getOrders".*; collect_data with report: .*leave BUYER out/,
  );
  const described = await session.call('describe_operation', { operation: 'orders/getOrders' });
  expect(described.text).not.toContain('orders/searchOrders');
  const orders = { operation: 'orders/getOrders', parameters: { CreatedAfter: '2026-11-01' }, as: 'recent' };
  await untilDone(session, orders);
  const late =
    "SELECT count(*) FROM recent WHERE order_status = 'Unshipped' AND latest_ship_date < datetime('now')";
  expect(await rowsOf(session, late)).toEqual([[4]]);
  const repeat =
    'SELECT count(*) FROM (SELECT 1 FROM recent GROUP BY buyer_info_buyer_email HAVING count(*) > 1)';
  const counted = await untilDone(session, { ...orders, sql: repeat });
  expect(counted.structured.rows, counted.text).toEqual([[10]]);
  const items = await untilDone(session, { ...ITEMS, each: 'SELECT amazon_order_id AS orderId FROM recent' });
  expect(items.structured, items.text).toMatchObject({ complete: false });
  const { text: found } = await session.call('list_known_operations', { search: 'repeat buyers' });
  expect(found).toContain('orders/getOrders');
});

it('what 1 and 0 mean is told once a session; orders come with their buyers', async () => {
  const session = await open();
  const first = await untilDone(session, OFFERS);
  const other = { ...OFFERS, each: "SELECT 'C-1' AS SellerSKU", as: 'one' };
  const second = await untilDone(session, other);
  expect([first, second].map(({ text }) => text.includes('1 is true, 0 is false'))).toEqual([true, false]);
  const parameters = { CreatedAfter: '2026-11-01' };
  const read = await session.call('read_operation', { operation: 'orders/getOrders', parameters });
  for (const form of [read.text, JSON.stringify(read.structured)]) expect(form).toMatch(/BuyerEmail/);
});

/** All listings of Italy anew, in a session of its own. */
async function review(more: Record<string, string> = {}): Promise<string> {
  const session = await open(false, more);
  return (await untilDone(session, { fresh: true }, 'review_listings')).text;
}

it('a collection between two reviews is seen in listing_changes; what it did not read is as it was', async () => {
  await review();
  const session = await open();
  Object.assign(listings[3] ?? {}, { issues: [SUPPRESSING] });
  Object.assign(listings[4] ?? {}, { prices: { [IT]: 99 } });
  const parameters = { includedData: ['issues'], identifiersType: 'SKU', identifiers: ['C-3', 'C-4'] };
  await untilDone(session, { operation: 'searchListingsItems', parameters });
  const changes = await rowsOf(
    session,
    'SELECT sku, member, old, new FROM listing_changes ORDER BY sku, member',
  );
  expect(changes).toContainEqual(['C-3', 'suppressed', null, 'altogether']);
  expect(changes).toContainEqual(['C-3', 'causes', null, '90220 fabric_type']);
  expect(new Set(Array.isArray(changes) ? changes.map(([sku]) => sku) : [])).toEqual(new Set(['C-3', 'C-4']));
});

const SUPPRESSING = {
  code: '90220',
  severity: 'ERROR',
  message: "'fabric_type' is required but not supplied.",
  attributeNames: ['fabric_type'],
  enforcements: { actions: [{ action: 'LISTING_SUPPRESSED' }] },
};

it('what another seller’s review left under the same name is not read', async () => {
  expect(await review()).toContain('the first review that is kept');
  Object.assign(listings[3] ?? {}, { issues: [SUPPRESSING] });
  expect(await review({ SELLER_ID: 'A2OTHERSELLER77' })).toContain('the first review that is kept');
  expect(await review()).toMatch(/Italy, since .*1 has new or more suppression .*C-3/);
  const { stdout } = await runProgram(['data', 'list', '--json', ...outside.args], { env: env() });
  expect(JSON.parse(stdout).reviews).toHaveLength(2);
});

const SOLD = {
  report: {
    type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
    marketplaces: ['IT'],
    start: '2026-07-01',
    end: '2026-09-02',
  },
  as: 'sold',
};
const BY_MONTH =
  "SELECT local_month(purchase_date) AS month, sum(item_price) FROM sold WHERE order_status <> 'Cancelled' GROUP BY 1 ORDER BY 1";

it('a report asked by month: what it covers, whose days these are, and which months are not whole', async () => {
  const session = await open();
  const { text, structured } = await untilDone(session, { ...SOLD, sql: BY_MONTH });
  const months = ['2026-07', '2026-08', '2026-09'];
  expect(structured.rows, text).toEqual(months.map((month) => [month, soldOn(month, 'Europe/Rome') / 100]));
  for (const form of [text, JSON.stringify(structured)]) {
    expect(form).toContain('sold: purchase_date 2026-07-06T00:30Z to 2026-09-02');
    expect(form).toContain('Asked from 2026-06-30T22:00Z; the first purchase_date is of 2026-07-06T00:30Z.');
    expect(form).toContain(
      "Days without a zone are those of Italy (Europe/Rome), the account's marketplace.",
    );
    expect(form).toContain('the first and the last month are not whole');
  }
  const asked = service.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/reports'));
  expect(asked?.json).toMatchObject({
    dataStartTime: '2026-06-30T22:00:00Z',
    dataEndTime: '2026-09-02T21:59:59Z',
  });
  const day = "SELECT sum(item_price) FROM sold WHERE order_status <> 'Cancelled' AND";
  for (const [where, zone] of [
    ["local_date(purchase_date) = '2026-07-20'", 'Europe/Rome'],
    ["local_date(purchase_date, 'CA') = '2026-07-20'", 'America/Toronto'],
    ["local_date(purchase_date, 'Pacific/Auckland') = '2026-07-20'", 'Pacific/Auckland'],
  ] as const) {
    expect(await rowsOf(session, `${day} ${where}`)).toEqual([[soldOn('2026-07-20', zone) / 100]]);
  }
});

it('a month for the tax advisor is one file with the sums of its money; a statement that does not fit tells the columns', async () => {
  const session = await open();
  const wrong = await untilDone(session, { ...SOLD, sql: 'SELECT umsatz FROM sold' });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('What was collected stays') });
  expect(wrong.text).toContain('amazon_order_id, purchase_date, order_status, currency, item_price');
  const sql = "SELECT * FROM sold WHERE local_month(purchase_date) = '2026-08'";
  const { text } = await session.call('query_data', { sql, save_as: 'agosto.xlsx' });
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome', dateStyle: 'short' });
  const all = SALES.filter(({ at }) => local.format(at).startsWith('2026-08'));
  const sum = all.reduce((cents, one) => cents + one.cents, 0) / 100;
  expect(text).toContain(`(${all.length} rows, `);
  expect(text).toContain(`Sums of all rows: item_price ${sum} EUR.`);
  expect(text).toMatch(/\(5 of \d+ rows; sold collected [^;]*; account default; now /);
});

it('days are sent as moments of the marketplace, also where a day has no midnight', async () => {
  const session = await open();
  for (const [place, day, moment] of [
    ['IT', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['IT', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['EG', '2026-04-24', '2026-04-23T22:00:00Z'],
  ] as const) {
    const parameters = { MarketplaceIds: [place], CreatedAfter: day };
    const { text } = await session.call('read_operation', { operation: 'orders/getOrders', parameters });
    expect(text).toContain(`CreatedAfter ${day} as ${moment}`);
    const { path = '' } = service.requests.findLast((one) => one.path.startsWith('/orders/v0/')) ?? {};
    expect(new URL(path, 'http://x').searchParams.get('CreatedAfter')).toBe(moment);
  }
});

it('since before the first review says which is the first; one that is no day is refused before anything is read', async () => {
  await review();
  const session = await open();
  const before = sent();
  const wrong = await session.call('review_listings', { since: '2026-02-30' });
  expect(wrong).toMatchObject({
    isError: true,
    text: expect.stringContaining('since is a day, a moment or how long ago'),
  });
  expect(sent()).toBe(before);
  const { text, structured } = await untilDone(
    session,
    { since: '2026-01-01', fresh: true },
    'review_listings',
  );
  for (const form of [text, JSON.stringify(structured)])
    expect(form).toMatch(/the first review that is kept is of 20\d\d-/);
});

it.each(['repeat buyers', 'bought twice', 'same customer', 'loyal customers'])(
  'the search for %s leads to orders and buyers, and to no secret',
  async (search) => {
    const session = await open();
    const { text } = await session.call('list_known_operations', { search, limit: 5 });
    expect(text).toContain('orders/searchOrders, includedData [BUYER]');
    expect(text).not.toContain('rotateApplicationClientSecret');
  },
);

/** Returns an issue that differs from the others only in the missing attribute. */
const lacking = (attribute: string, severity = 'ERROR') => ({
  ...SUPPRESSING,
  severity,
  attributeNames: [attribute],
  message: `'${attribute}' is required but not supplied.`,
});
const ES = 'A1RKKUPIHCS9HS';

it('a cause is what has to be mended, in each country with its own SKUs; what is new stands first, with money', async () => {
  Object.assign(listings[1] ?? {}, { issues: [lacking('fabric_type')] });
  await review();
  Object.assign(listings[1] ?? {}, { issues: [] });
  Object.assign(listings[2] ?? {}, { issues: [lacking('pillow_fill')] });
  Object.assign(listings[3] ?? {}, { issues: [lacking('ghs_class')], prices: { [IT]: 1_003, [ES]: 2_000 } });
  Object.assign(listings[4] ?? {}, { own: 0 });
  Object.assign(listings[5] ?? {}, { issues: [{ ...lacking('color', 'WARNING'), enforcements: undefined }] });
  const [gone] = listings.splice(44, 1);
  const session = await open();
  const args = { marketplaces: ['IT', 'ES'], fresh: true };
  const { text, structured } = await untilDone(session, args, 'review_listings');
  expect(text).toContain('Italy, since');
  const news = text.split('\n').find((line) => line.startsWith('Italy, since')) ?? '';
  expect(news).toContain(
    '2 have new or more suppression (100.25 EUR of inventory): C-3 (suppressed: «90220 ghs_class»), C-2 (suppressed: «90220 pillow_fill»)',
  );
  for (const words of [
    `1 is gone: ${gone?.sku}`,
    '1 sold out: C-4',
    '1 has less or no suppression (50.05 EUR of inventory): C-1 (not suppressed now)',
  ])
    expect(news).toContain(words);
  const causes = text.split('\n').filter((line) => line.startsWith('- 90220'));
  expect(causes).toHaveLength(3);
  expect(causes.find((line) => line.includes('pillow_fill'))).toMatch(/ERROR.*Italy 1 \(50.10 EUR\): C-2$/);
  expect(causes.find((line) => line.includes('ghs_class'))).toMatch(
    /Italy 1 \(50.15 EUR\): C-3.*Spain 1 \(100 EUR\): C-3|Spain 1 \(100 EUR\): C-3.*Italy 1 \(50.15 EUR\): C-3/,
  );
  expect(causes.find((line) => line.includes('color'))).toMatch(/WARNING.*nothing enforced/);
  expect(text).toMatch(/^Every issue, by code .*: 90220 ERROR 3, 90220 WARNING 1$/m);
  expect(text).toMatch(/Needs from you: |Suppressed now/);
  expect(structured).toMatchObject({ complete: true });
  expect(
    await rowsOf(session, "SELECT DISTINCT sku FROM listing_changes WHERE member = 'suppressed' ORDER BY 1"),
  ).toEqual([['C-1'], ['C-2'], ['C-3']]);
});

it('the first step is the worst cause that a value of the seller mends: what is missing, or a price, and nothing where there is none', async () => {
  const of = (code: string, category: string, more: object) => ({
    ...lacking('fabric_type'),
    code,
    categories: [category],
    ...more,
  });
  const brand = of('5461', 'QUALIFICATION_REQUIRED', { message: 'Approval is needed to list this brand.' });
  const missing = of('90220', 'MISSING_ATTRIBUTE', {});
  const low = of('90226', 'INVALID_PRICE', {
    attributeNames: ['purchasable_offer'],
    message: 'The price is below the minimum price.',
    enforcements: { actions: [{ action: 'SEARCH_SUPPRESSED' }] },
  });
  // A cause that no value mends stands above, and one that only hides a listing below, whatever it is worth.
  for (const at of [1, 2, 3]) Object.assign(listings[at] ?? {}, { issues: [brand], own: 900 });
  Object.assign(listings[4] ?? {}, { issues: [missing] });
  Object.assign(listings[5] ?? {}, { issues: [low], own: 800 });
  const session = await open();
  const step = async () => {
    const { text, structured } = await untilDone(session, { fresh: true }, 'review_listings');
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith('Needs from you: '));
    expect(structured.first_step).toBe(at < 0 ? undefined : lines[at]);
    expect(at < 0 || at < lines.findIndex((line) => line.startsWith('- 5461'))).toBe(true);
    return lines[at];
  };
  expect(await step()).toContain('fabric_type (90220) of 1 listing, such as C-4; ');
  Object.assign(listings[4] ?? {}, { issues: [] });
  expect(await step()).toContain('a price that is accepted (90226) of 1 listing, such as C-5. ');
  Object.assign(listings[5] ?? {}, { issues: [] });
  expect(await step()).toBeUndefined();
});

const HEADS: Readonly<Record<string, string>> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: 'seller-sku\tprice\tquantity\tfulfillment-channel\tstatus',
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: 'sku\tyour-price\tafn-fulfillable-quantity\tafn-listing-exists',
};

it('a report of listings or stock between two reviews leaves what it says; an older one that is used again says nothing', async () => {
  const before = new Date().toISOString();
  await review();
  const session = await open();
  const collect = async (type: string, createdTime: string, rows: readonly string[], fresh = true) => {
    report = { type, lines: [HEADS[type] ?? '', ...rows], createdTime };
    const asked = { report: { type, marketplaces: ['IT'] }, fresh };
    const { isError, text } = await untilDone(session, asked);
    expect(isError, text).toBe(false);
    return text;
  };
  const sql = 'SELECT sku, member, old, new FROM listing_changes ORDER BY sku, member';
  const now = () => new Date().toISOString();
  const FBA = 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA';
  const stock = ['C-5\t10.05\t2\tYes', 'C-6\t10.06\t0\tNo'];
  expect(await collect(FBA, before, stock, false)).toContain('was used; fresh: true asks for a new one');
  expect(await rowsOf(session, sql)).toEqual([]);
  const own = ['C-3\t99\t5\tDEFAULT\tActive', 'C-4\t10.04\t0\tDEFAULT\tInactive'];
  await collect('GET_MERCHANT_LISTINGS_ALL_DATA', now(), own);
  const listed = [
    ['C-3', 'price', 10.03, 99],
    ['C-4', 'buyable', 1, 0],
    ['C-4', 'stock', 5, 0],
  ];
  expect(await rowsOf(session, sql)).toEqual(listed);
  await collect(FBA, now(), stock);
  expect(await rowsOf(session, sql)).toEqual([...listed, ['C-5', 'stock', 5, 2]]);
  // The next review compares with the one before, whatever was seen between.
  Object.assign(listings[4] ?? {}, { own: 0 });
  expect(await review()).toMatch(/Italy, since [^:]*:\d\dZ: 1 sold out: C-4 \(5 -> 0\)\./);
});

it('what a write from here has changed is told as that, and what changed beside it is not', async () => {
  await review();
  const session = await open(false, {}, { elicit: async () => ({ action: 'accept' }) });
  const patches = [
    {
      op: 'replace',
      path: '/attributes/purchasable_offer',
      value: [
        {
          marketplace_id: IT,
          currency: 'EUR',
          our_price: [{ schedule: [{ value_with_tax: 12.5 }] }],
        },
      ],
    },
  ];
  const written = await session.call('write_operation', {
    operation: 'patchListingsItem',
    parameters: { sku: 'C-3', marketplaceIds: [IT] },
    body: { productType: 'LAMP', patches },
  });
  expect(written.isError, written.text).toBe(false);
  Object.assign(listings[4] ?? {}, { prices: { [IT]: 1_100 } });
  Object.assign(listings[5] ?? {}, { own: 0 });
  const { text, structured } = await untilDone(session, { fresh: true }, 'review_listings');
  const news = text.split('\n').find((line) => line.startsWith('Italy, since')) ?? '';
  expect(news).toMatch(
    /1 sold out: C-5 \(5 -> 0\); 2 have other prices \(1 after a write from here\): C-3 \(10\.03 -> /,
  );
  expect(structured.since).toMatchObject([{ prices: { listings: 2, after_writes_from_here: 1 } }]);
  expect(await rowsOf(session, 'SELECT sku, member, ours FROM listing_changes ORDER BY sku')).toEqual([
    ['C-3', 'price', 1],
    ['C-4', 'price', 0],
    ['C-5', 'stock', 0],
  ]);
});

it('within a short call too, each asks its SELECT', async () => {
  const session = await open(false, { SELLER_CALL_TIMEOUT_MS: '5000' });
  expect((await untilDone(session, OFFERS)).structured).toMatchObject({ complete: false });
});
