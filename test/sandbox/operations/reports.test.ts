import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, firstError, NOON, type Reply, type SignedIn, signIn, US } from '../helpers.ts';

const CA = 'A2EUQ1WTGCTBG2';
const MX = 'A1AM78C64UM0Y8';
const BASE = '/reports/2021-06-30';
const LISTINGS = 'GET_MERCHANT_LISTINGS_ALL_DATA';
const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const WAREHOUSE = 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA';
const REIMBURSEMENTS = 'GET_FBA_REIMBURSEMENTS_DATA';
const RETURNS = 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA';
const SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const OLDER_SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE';
/** The first order is younger. */
const BEGINNING = '2026-05-20T00:00:00Z';

const createdSchema = z.strictObject({ reportId: z.string() });
const reportSchema = z.looseObject({
  reportId: z.string(),
  reportType: z.string(),
  processingStatus: z.string(),
  createdTime: z.iso.datetime(),
  reportDocumentId: z.string().optional(),
});
const documentSchema = z.strictObject({
  reportDocumentId: z.string(),
  url: z.url(),
  compressionAlgorithm: z.literal('GZIP').optional(),
});

/** A seller with a clock that the test sets. */
async function open(options: Parameters<typeof signIn>[0] = {}) {
  const clock = { now: NOON };
  const signedIn = await signIn({ now: () => clock.now, ...options });
  const ask = (body: unknown): Promise<Reply> =>
    call(signedIn.sandbox, `${BASE}/reports`, { method: 'POST', token: signedIn.token, body });
  const look = async (reportId: string) =>
    reportSchema.parse((await signedIn.get(`${BASE}/reports/${reportId}`)).body);
  /** Asks for a report, waits until it is over. */
  const make = async (reportType: string, more: object = {}) => {
    const reply = await ask({ reportType, marketplaceIds: [US], ...more });
    const { reportId } = createdSchema.parse(reply.body);
    clock.now += 5_000;
    return look(reportId);
  };
  return { ...signedIn, clock, ask, look, make };
}

async function read({ get }: SignedIn, documentId: string | undefined): Promise<string> {
  const { url, compressionAlgorithm } = documentSchema.parse(
    (await get(`${BASE}/documents/${documentId}`)).body,
  );
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  const charset = /charset=([\w-]+)/.exec(response.headers.get('content-type') ?? '')?.[1] ?? 'utf-8';
  return new TextDecoder(charset === 'Cp1252' ? 'windows-1252' : charset, { ignoreBOM: true }).decode(
    compressionAlgorithm === undefined ? bytes : gunzipSync(bytes),
  );
}

/** A token that opens one path. */
async function restricted({ sandbox, token }: SignedIn, path: string): Promise<string> {
  const bought = await call(sandbox, '/tokens/2021-03-01/restrictedDataToken', {
    method: 'POST',
    token,
    body: { restrictedResources: [{ method: 'GET', path }] },
  });
  return z.looseObject({ restrictedDataToken: z.string() }).parse(bought.body).restrictedDataToken;
}

/** Rows of a report without quoting, by column. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.split('\r\n').slice(0, -1);
  const names = head.split('\t');
  return lines.map((line) => {
    const values = line.split('\t');
    expect(values).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
  });
}

const cents = (amount: string | undefined): number => Math.round(Number(amount) * 100);
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

describe('a report', () => {
  it('waits, is made, and is done, as the clock goes on', async () => {
    const { ask, look, clock } = await open();
    const created = await ask({ reportType: LISTINGS, marketplaceIds: [US] });
    expect(created.status).toBe(202);
    const { reportId } = createdSchema.parse(created.body);
    const states = [];
    for (const step of [0, 1_999, 1, 2_999, 1]) {
      clock.now += step;
      const { processingStatus, processingStartTime, processingEndTime, reportDocumentId } =
        await look(reportId);
      states.push([
        processingStatus,
        ...[processingStartTime, processingEndTime, reportDocumentId].map(Boolean),
      ]);
    }
    expect(states).toEqual([
      ['IN_QUEUE', false, false, false],
      ['IN_QUEUE', false, false, false],
      ['IN_PROGRESS', true, false, false],
      ['IN_PROGRESS', true, false, false],
      ['DONE', true, true, true],
    ]);
  });

  it('is made as many times faster as the test wants', async () => {
    const { ask, look, clock } = await open({ reportSpeed: 1_000 });
    const { reportId } = createdSchema.parse(
      (await ask({ reportType: LISTINGS, marketplaceIds: [US] })).body,
    );
    clock.now += 5;
    expect((await look(reportId)).processingStatus).toBe('DONE');
  });

  it('is cancelled where there is no data, and has no document then', async () => {
    const { make } = await open();
    const none = [
      await make(ORDERS, { marketplaceIds: [MX] }),
      await make(ORDERS, { dataStartTime: '2024-01-01T00:00:00Z', dataEndTime: '2024-02-01T00:00:00Z' }),
      await make('GET_FBA_OVERAGE_FEE_CHARGES_DATA'),
    ];
    for (const { processingStatus, reportDocumentId } of none) {
      expect([processingStatus, reportDocumentId]).toEqual(['CANCELLED', undefined]);
    }
  });

  it('is cancelled where the same was asked for within half an hour, for stock', async () => {
    const { make, clock } = await open();
    const states = [
      await make(WAREHOUSE),
      await make(WAREHOUSE),
      await make(WAREHOUSE, { marketplaceIds: [CA] }),
    ];
    clock.now += 30 * 60_000;
    states.push(await make(WAREHOUSE));
    expect(states.map(({ processingStatus }) => processingStatus)).toEqual([
      'DONE',
      'CANCELLED',
      'DONE',
      'DONE',
    ]);
  });

  it('is fatal where it cannot be made, with a document that says why', async () => {
    const opened = await open();
    const long = await opened.make(ORDERS, { dataStartTime: '2025-01-01T00:00:00Z' });
    const brand = await opened.make('GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT');
    expect([long.processingStatus, brand.processingStatus]).toEqual(['FATAL', 'FATAL']);
    expect(await read(opened, long.reportDocumentId)).toContain('longer than 366 days');
    expect(await read(opened, brand.reportDocumentId)).toContain('no brand');
  });

  it('can be cancelled while it waits', async () => {
    const { ask, look, sandbox, token, clock } = await open();
    const { reportId } = createdSchema.parse(
      (await ask({ reportType: LISTINGS, marketplaceIds: [US] })).body,
    );
    const cancel = () => call(sandbox, `${BASE}/reports/${reportId}`, { method: 'DELETE', token });
    expect((await cancel()).status).toBe(200);
    clock.now += 10_000;
    expect((await look(reportId)).processingStatus).toBe('CANCELLED');
    expect((await cancel()).status).toBe(400);
  });

  it.each([
    [{ reportType: SETTLEMENT, marketplaceIds: [US] }, 'cannot be requested'],
    [{ reportType: LISTINGS }, 'marketplaceIds'],
    [{ reportType: LISTINGS, marketplaceIds: [] }, 'marketplaceIds'],
    [{ reportType: LISTINGS, marketplaceIds: ['A1F83G8C2ARO7P'] }, 'A1F83G8C2ARO7P'],
    [{ reportType: ORDERS, marketplaceIds: [US], dataStartTime: 'yesterday' }, 'dataStartTime'],
    [
      {
        reportType: ORDERS,
        marketplaceIds: [US],
        dataStartTime: '2026-11-02T00:00:00Z',
        dataEndTime: '2026-11-01T00:00:00Z',
      },
      'dataEndTime',
    ],
  ])('that is asked for as %j is refused', async (body, told) => {
    const { ask } = await open();
    const reply = await ask(body);
    expect([reply.status, firstError(reply).code]).toEqual([400, 'InvalidInput']);
    expect(firstError(reply).details).toContain(told);
  });
});

it.each([
  ['GET_BRAND_ANALYTICS_MARKET_BASKET_REPORT', {}, 'GET_BRAND_ANALYTICS_MARKET_BASKET_REPORT', true],
  ['GET_NOTHING', {}, 'GET_NOTHING', false],
  ['constructor', {}, 'constructor', false],
])('a report %s with %j that is not played is answered as such an operation is', async (...row) => {
  const [reportType, reportOptions, name, isKnown] = row;
  const { ask } = await open();
  const reply = await ask({ reportType, marketplaceIds: [US], reportOptions });
  expect([reply.status, firstError(reply).code]).toEqual([501, 'NotPlayed']);
  expect(firstError(reply).message).toContain(`${name})`);
  expect(firstError(reply).message.includes('The real service has it.')).toBe(isKnown);
});

it('is never done without its document, however late in an answer the clock is looked at', async () => {
  let now = NOON;
  const { ask, look } = await open({ now: () => now++, reportSpeed: 200 });
  for (let late = 0; late < 30; late += 1) {
    const reply = await ask({ reportType: LISTINGS, marketplaceIds: [US] });
    now += late;
    const { reportId } = createdSchema.parse(reply.body);
    const { processingStatus, reportDocumentId } = await look(reportId);
    expect(reportDocumentId !== undefined).toBe(processingStatus === 'DONE');
  }
});

describe('getReports', () => {
  const listSchema = z.looseObject({ reports: z.array(reportSchema), nextToken: z.string().optional() });

  it('lists newest first, in pages whose token stands alone, and filters', async () => {
    const { make, get, ask, clock } = await open();
    for (let i = 0; i < 3; i += 1) await make(LISTINGS);
    await ask({ reportType: LISTINGS, marketplaceIds: [CA] });
    clock.now += 1;
    const path = `${BASE}/reports?reportTypes=${LISTINGS}&pageSize=3`;
    const first = listSchema.parse((await get(path)).body);
    expect(first.reports.map(({ processingStatus }) => processingStatus)).toEqual([
      'IN_QUEUE',
      'DONE',
      'DONE',
    ]);
    const second = listSchema.parse((await get(`${BASE}/reports?nextToken=${first.nextToken}`)).body);
    expect([second.reports.length, second.nextToken]).toEqual([1, undefined]);
    expect((await get(`${path}&nextToken=${first.nextToken}`)).status).toBe(400);
    const count = async (query: string) =>
      listSchema.parse((await get(`${path}${query}`)).body).reports.length;
    expect(await count('&processingStatuses=IN_QUEUE')).toBe(1);
    expect(await count(`&marketplaceIds=${CA}`)).toBe(1);
    expect(await count('&createdSince=2026-11-21T12:00:10Z')).toBe(2);
    expect((await get(`${BASE}/reports`)).status).toBe(400);
    expect((await get(`${BASE}/reports?reportTypes=A&processingStatuses=LOST`)).status).toBe(400);
  });

  it('has the settlements that nobody asked for, whose amounts add up to what was paid', async () => {
    const opened = await open();
    const { reports } = listSchema.parse(
      (await opened.get(`${BASE}/reports?reportTypes=${SETTLEMENT}`)).body,
    );
    expect(new Set(reports.map(({ processingStatus }) => processingStatus))).toEqual(new Set(['DONE']));
    for (const { reportDocumentId } of reports) {
      const [head, ...lines] = rowsOf(await read(opened, reportDocumentId));
      expect(lines.length).toBeGreaterThan(100);
      expect(sum(lines.map(({ amount }) => cents(amount)))).toBe(cents(head?.['total-amount']));
    }
  });

  it('has the same settlements in their older form', async () => {
    const opened = await open();
    const path = `${BASE}/reports?reportTypes=${OLDER_SETTLEMENT}`;
    const [first] = listSchema.parse((await opened.get(path)).body).reports;
    const [head, ...lines] = rowsOf(await read(opened, first?.reportDocumentId));
    const amounts = lines.map((line) =>
      cents(line['price-amount'] || line['item-related-fee-amount'] || line['other-amount']),
    );
    expect(sum(amounts)).toBe(cents(head?.['total-amount']));
    expect((await opened.ask({ reportType: OLDER_SETTLEMENT, marketplaceIds: [US] })).status).toBe(400);
  });

  it('has no schedules', async () => {
    const { get } = await open();
    expect((await get(`${BASE}/schedules?reportTypes=${LISTINGS}`)).body).toEqual({ reportSchedules: [] });
    expect((await get(`${BASE}/schedules`)).status).toBe(400);
  });
});

describe('the documents', () => {
  it('of listings: the same listings, prices and quantities, unquoted', async () => {
    const opened = await open();
    const rows = rowsOf(await read(opened, (await opened.make(LISTINGS)).reportDocumentId));
    expect(rows).toHaveLength(259);
    expect(rows.find((row) => row['seller-sku'] === 'LAMP-OAK-E27')).toMatchObject({
      price: '64.00',
      quantity: '35',
      status: 'Inactive',
      'fulfillment-channel': 'DEFAULT',
      'open-date': '2025-03-04 01:15:00 PST',
    });
    expect(rows.some((row) => row['item-name']?.endsWith('19"'))).toBe(true);
    const statuses = ['GET_MERCHANT_LISTINGS_DATA', 'GET_MERCHANT_LISTINGS_INACTIVE_DATA'];
    const parts = [];
    for (const type of statuses)
      parts.push(rowsOf(await read(opened, (await opened.make(type)).reportDocumentId)));
    expect(sum(parts.map(({ length }) => length))).toBe(259);
  });

  it('of orders: every item of the orders of that time, packed, in Cp1252, with umlauts', async () => {
    const opened = await open();
    const more = { marketplaceIds: [US, CA], dataStartTime: BEGINNING };
    const { reportDocumentId } = await opened.make(ORDERS, more);
    const rows = rowsOf(await read(opened, reportDocumentId));
    expect(rows.length).toBeGreaterThan(4_000);
    expect(rows.every((row) => row['product-name']?.startsWith('Greenhalm '))).toBe(true);
    expect(new Set(rows.map((row) => row['ship-city']))).toContain('Trois-Rivières');
    expect(new Set(rows.map((row) => row['ship-postal-code']))).toContain('02108');
    expect(new Set(rows.map((row) => row['sales-channel']))).toEqual(new Set(['Amazon.com', 'Amazon.ca']));
    const cancelled = rows.filter((row) => row['order-status'] === 'Cancelled');
    expect(new Set(cancelled.map((row) => row['item-price'] === ''))).toEqual(new Set([true, false]));
    const bytes = Buffer.from(await (await fetch(await addressOf(opened, reportDocumentId))).arrayBuffer());
    expect(gunzipSync(bytes).includes(Buffer.from('Ca\xf1on City', 'latin1'))).toBe(true);
  });

  it('of stock, sales and returns', async () => {
    const opened = await open();
    const stock = rowsOf(await read(opened, (await opened.make(WAREHOUSE)).reportDocumentId));
    expect(stock.find(({ sku }) => sku === 'MUG-SAND-350')).toMatchObject({
      'afn-fulfillable-quantity': '240',
    });
    const sales = await opened.make('GET_SALES_AND_TRAFFIC_REPORT', {
      reportOptions: { asinGranularity: 'SKU' },
    });
    const salesSchema = z.looseObject({
      salesAndTrafficByDate: z.array(
        z.looseObject({ date: z.iso.date(), salesByDate: z.looseObject({ unitsOrdered: z.int() }) }),
      ),
      salesAndTrafficByAsin: z.array(
        z.looseObject({ sku: z.string(), salesByAsin: z.looseObject({ unitsOrdered: z.int() }) }),
      ),
    });
    const { salesAndTrafficByDate: days, salesAndTrafficByAsin: products } = salesSchema.parse(
      JSON.parse(await read(opened, sales.reportDocumentId)),
    );
    expect(days.length).toBeGreaterThan(28);
    expect(sum(days.map(({ salesByDate }) => salesByDate.unitsOrdered))).toBe(
      sum(products.map(({ salesByAsin }) => salesByAsin.unitsOrdered)),
    );
    const returned = await opened.make('GET_CSV_MFN_PRIME_RETURNS_REPORT');
    const returns = await read(opened, returned.reportDocumentId);
    expect(returns.split('\r\n')[0]).toMatch(/^\ufeff"Order ID","Order date","Return request date",/);
    expect(returns).toMatch(/^"111-.*,"Greenhalm [^"]*, 19""","\d+",/m);
  });

  it('of reimbursements: small amounts for listings and orders that there are, none of them sent back', async () => {
    const opened = await open({ reportSpeed: 1_000 });
    const more = { marketplaceIds: [US, CA], dataStartTime: BEGINNING };
    const load = async (type: string) =>
      rowsOf(await read(opened, (await opened.make(type, more)).reportDocumentId));
    const rows = await load(REIMBURSEMENTS);
    const [stock, orders, returns] = [await load(WAREHOUSE), await load(ORDERS), await load(RETURNS)];
    const keyOf = (row: Record<string, string>) => `${row['amazon-order-id'] ?? row['order-id']} ${row.sku}`;
    const ordered = new Set(orders.map(keyOf));
    const returned = new Set(returns.map(keyOf));
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(
      new Set(['CustomerReturn', 'Lost_Warehouse', 'Lost_Inbound']),
    );
    expect(new Set(rows.map((row) => row['reimbursement-id'])).size).toBe(rows.length);
    for (const row of rows) {
      const listed = stock.find(({ sku }) => sku === row.sku);
      expect([listed?.asin, listed?.fnsku, listed?.['product-name']].map(Boolean), row.sku).toEqual([
        true,
        true,
        true,
      ]);
      const units = Number(row['quantity-reimbursed-total']);
      expect(units).toBeGreaterThan(0);
      expect(units).toBeLessThan(5);
      expect(cents(row['amount-total'])).toBe(cents(row['amount-per-unit']) * units);
      expect(Date.parse(row['approval-date'] ?? '')).toBeLessThan(NOON);
      expect(row['amazon-order-id'] !== '').toBe(row.reason === 'CustomerReturn');
      if (row['amazon-order-id'] === '') continue;
      expect(ordered).toContain(keyOf(row));
      expect(returned).not.toContain(keyOf(row));
    }
  });

  it('of Germany have decimal commas where the service has them', async () => {
    const opened = await open({ countries: ['DE', 'US'] });
    const { body } = await opened.get(`${BASE}/reports?reportTypes=${SETTLEMENT}`);
    const [first] = z.looseObject({ reports: z.array(reportSchema) }).parse(body).reports;
    const [head] = rowsOf(await read(opened, first?.reportDocumentId));
    expect([head?.currency, head?.['total-amount']]).toEqual(['EUR', expect.stringMatching(/^\d+,\d\d$/)]);
  });

  it('for labels have everything about the recipient, for a restricted data token', async () => {
    const opened = await open();
    const { reportDocumentId } = await opened.make('GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING');
    const path = `${BASE}/documents/${reportDocumentId}`;
    expect((await opened.get(path)).status).toBe(403);
    const token = await restricted(opened, path);
    const get = (asked: string): Promise<Reply> => call(opened.sandbox, asked, { token });
    const rows = rowsOf(await read({ ...opened, get }, reportDocumentId));
    const filled = (column: string): number => rows.filter((row) => row[column] !== '').length;
    expect(filled('recipient-name')).toBe(rows.length);
    expect(filled('ship-phone-number')).toBe(rows.length);
    for (const column of ['delivery-Instructions', 'gift-message-text', 'buyer-tax-registration-id']) {
      expect(filled(column)).toBeGreaterThan(0);
    }
  });

  it('of FBA returns have the buyers’ own words, with ways to reach them', async () => {
    const opened = await open();
    const more = { dataStartTime: BEGINNING, dataEndTime: '2026-11-21T00:00:00Z' };
    const { reportDocumentId } = await opened.make('GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA', more);
    const comments = rowsOf(await read(opened, reportDocumentId)).map((row) => row['customer-comments']);
    expect(comments.some((text) => text?.includes('@marketplace.example'))).toBe(true);
    expect(comments.some((text) => text?.includes('+1-555-01'))).toBe(true);
  });

  it('of returns agree with the inventory and the orders, and their comments with their reasons', async () => {
    const opened = await open({ reportSpeed: 1_000, home: 'ES' });
    const marketplaceIds = [opened.sandbox.marketplaceId];
    const load = async (type: string) => {
      const { reportDocumentId } = await opened.make(type, { marketplaceIds, dataStartTime: BEGINNING });
      return rowsOf(await read(opened, reportDocumentId));
    };
    const fnSkus = new Map((await load(WAREHOUSE)).map(({ sku, fnsku }) => [sku, fnsku]));
    const words = new Map([
      ['NOT_COMPATIBLE', 'Demasiado pequeño'],
      ['DAMAGED_BY_CARRIER', 'Llegó roto'],
      ['NOT_AS_DESCRIBED', 'El color es otro'],
      ['UNWANTED_ITEM', 'Ya no lo necesito'],
    ]);
    const returns = await load(RETURNS);
    expect(new Set(returns.map(({ reason }) => reason))).toEqual(new Set(words.keys()));
    for (const row of returns) {
      expect(row.fnsku).toBe(fnSkus.get(row.sku ?? ''));
      expect(row['customer-comments']).toContain(words.get(row.reason ?? ''));
    }
    const { reportDocumentId } = await opened.make('GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING', {
      marketplaceIds,
    });
    const token = await restricted(opened, `${BASE}/documents/${reportDocumentId}`);
    const get = (asked: string): Promise<Reply> => call(opened.sandbox, asked, { token });
    for (const row of rowsOf(await read({ ...opened, get }, reportDocumentId))) {
      const day = (ms: number) =>
        Date.parse(new Date(ms).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }));
      const past = (day(NOON) - day(Date.parse(row['promise-date'] ?? ''))) / 86_400_000;
      expect(Number(row['days-past-promise'])).toBe(past);
    }
  });

  it('of planning, storage and own returns agree with stock and returns', async () => {
    const opened = await open({ reportSpeed: 1_000 });
    const load = async (type: string) =>
      rowsOf(await read(opened, (await opened.make(type, { dataStartTime: BEGINNING })).reportDocumentId));
    const stock = new Map((await load(WAREHOUSE)).map((row) => [row.sku, row]));
    const planning = await load('GET_FBA_INVENTORY_PLANNING_DATA');
    expect(planning).toHaveLength(stock.size);
    expect(planning.some((row) => row['days-of-supply'] !== '')).toBe(true);
    for (const row of planning) {
      const held = stock.get(row.sku);
      expect(row.available).toBe(held?.['afn-fulfillable-quantity']);
      expect(row['total-reserved-quantity']).toBe(held?.['afn-reserved-quantity']);
      const shipped = ['t7', 't30', 't60', 't90'].map((days) => Number(row[`units-shipped-${days}`]));
      expect(shipped).toEqual(shipped.toSorted((one, other) => one - other));
      const [, month = 0] = shipped;
      const left = month === 0 ? '' : String(Math.round((Number(row.available) * 30) / month));
      expect(row['days-of-supply']).toBe(left);
    }
    const byFnSku = new Map([...stock.values()].map((row) => [row.fnsku, row]));
    for (const row of await load('GET_FBA_STORAGE_FEE_CHARGES_DATA')) {
      const held = byFnSku.get(row.fnsku);
      expect(row.average_quantity_on_hand).toBe(held?.['afn-warehouse-quantity']);
      expect(row.item_volume).toBe(held?.['per-unit-volume']);
    }
    const own = await load('GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE');
    const prime = await opened.make('GET_CSV_MFN_PRIME_RETURNS_REPORT', { dataStartTime: BEGINNING });
    const text = await read(opened, prime.reportDocumentId);
    const primeIds = own.filter((row) => row['Is prime'] === 'Y').map((row) => row['Order ID']);
    expect(primeIds.length).toBeGreaterThan(0);
    expect(primeIds.length).toBeLessThan(own.length);
    expect([...text.matchAll(/^"(\d{3}-\d+-\d+)"/gm)].map(([, id]) => id)).toEqual(primeIds);
  });

  it('with personal data are opened by a restricted data token for that very document', async () => {
    const opened = await open();
    const { reportDocumentId } = await opened.make('GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING');
    const path = `${BASE}/documents/${reportDocumentId}`;
    expect((await opened.get(path)).status).toBe(403);
    const token = await restricted(opened, path);
    const { url } = documentSchema.parse((await call(opened.sandbox, path, { token })).body);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const rows = rowsOf(new TextDecoder('windows-1252').decode(bytes));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row['buyer-email']).toMatch(/\.example$/);
    expect((await call(opened.sandbox, `${path}x`, { token })).status).toBe(403);
  });

  it('that do not exist are not found', async () => {
    const { get } = await open();
    expect((await get(`${BASE}/documents/nothing`)).status).toBe(404);
    expect((await get(`${BASE}/reports/1`)).status).toBe(404);
  });
});

describe('a signed address', () => {
  it('is on another port, opens its document without a token, and refuses one', async () => {
    const opened = await open();
    const url = await addressOf(opened, (await opened.make(LISTINGS)).reportDocumentId);
    expect(url.startsWith(`${opened.sandbox.documentsUrl}/`)).toBe(true);
    expect(new URL(url).origin).not.toBe(opened.sandbox.baseUrl);
    expect((await fetch(url)).status).toBe(200);
    for (const name of ['x-amz-access-token', 'Authorization']) {
      expect((await fetch(url, { headers: { [name]: opened.token } })).status).toBe(400);
    }
  });

  it('ends after five minutes', async () => {
    const opened = await open();
    const { reportDocumentId } = await opened.make(LISTINGS);
    const url = await addressOf(opened, reportDocumentId);
    opened.clock.now += 300_000;
    expect((await fetch(url)).status).toBe(200);
    opened.clock.now += 1;
    const late = await fetch(url);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
    expect((await fetch(await addressOf(opened, reportDocumentId))).status).toBe(200);
  });

  it('opens nothing when a letter of it is changed, nor for another method', async () => {
    const opened = await open();
    const url = await addressOf(opened, (await opened.make(LISTINGS)).reportDocumentId);
    for (const wrong of [
      `${url}0`,
      url.replace('sandbox-', 'sandbox_'),
      url.replace('Expires=300', 'Expires=900'),
    ]) {
      expect((await fetch(wrong)).status, wrong).toBe(403);
    }
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect((await fetch(`${opened.sandbox.documentsUrl}//`)).status).toBe(403);
  });

  it('announces its encoding where that was asked for', async () => {
    const opened = await open();
    const { reportDocumentId } = await opened.make(ORDERS);
    const path = `${BASE}/documents/${reportDocumentId}?enableContentEncodingUrlHeader=true`;
    const { url } = documentSchema.parse((await opened.get(path)).body);
    const response = await fetch(url);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect((await response.text()).startsWith('amazon-order-id\t')).toBe(true);
  });

  it('fails where a test wants it to, and is counted', async () => {
    const opened = await open();
    const url = await addressOf(opened, (await opened.make(LISTINGS)).reportDocumentId);
    opened.sandbox.faults.next({ operation: 'downloadDocument', status: 503 });
    opened.sandbox.faults.next({ operation: 'downloadDocument', reset: true });
    expect((await fetch(url)).status).toBe(503);
    await expect(fetch(url)).rejects.toThrow();
    expect((await fetch(url)).status).toBe(200);
    expect(opened.sandbox.stats().operations.downloadDocument).toMatchObject({
      calls: 3,
      succeeded: 1,
      failed: 2,
    });
  });
});

async function addressOf({ get }: SignedIn, documentId: string | undefined): Promise<string> {
  return documentSchema.parse((await get(`${BASE}/documents/${documentId}`)).body).url;
}
