/** collect_data over loopback services: pages, reports and documents become tables that query_data answers from. */

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { collectData } from '../../tools/collect-data.ts';
import { queryData } from '../../tools/query-data.ts';
import { readOperation } from '../../tools/read-operation.ts';
import type { Handler } from '../helpers/http-service.ts';
import { tablesWorker } from '../helpers/tables-worker.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

async function start(handler: Handler) {
  const worker = tablesWorker;
  runner = await startToolRunner(handler, {}, { entryFile: worker.replace('tables-worker.mjs', 'main.mjs') });
}

async function rows(sql: string): Promise<unknown> {
  return (await runner.run(queryData, { sql })).structured.rows;
}

const listing = (number: number) => ({
  sku: `SKU-${number}`,
  summaries: [{ marketplaceId: 'A1PA6795UKMFR9', itemName: `Lamp ${number}`, status: ['BUYABLE'] }],
  issues: number % 3 === 0 ? [{ code: '8541', message: 'Bad', severity: 'ERROR' }] : [],
});

/** Listings in pages of 20, by tokens. */
function pagesOf(total: number): Handler {
  return ({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const from = Number(query.get('pageToken') ?? '0');
    const size = Number(query.get('pageSize') ?? '10');
    const items = Array.from({ length: Math.max(0, Math.min(size, total - from)) }, (_, i) =>
      listing(from + i),
    );
    const next = from + size < total ? { nextToken: String(from + size) } : {};
    return { body: { numberOfResults: total, pagination: next, items } };
  };
}

it('reads all pages, at their largest, into tables that SQL joins', async () => {
  await start(pagesOf(45));
  const { text, structured } = await runner.run(collectData, {
    operation: 'searchListingsItems',
    parameters: { marketplaceIds: ['DE'], includedData: ['summaries', 'issues'] },
  });
  expect(runner.calls()).toHaveLength(3);
  expect(structured).toMatchObject({
    state: 'done',
    complete: true,
    tables: [{ name: 'listings_items', rows: 45 }, { parent: 'listings_items' }, { rows: 15 }],
  });
  expect(text).toContain('45 rows, all there are');
  expect(
    await rows(
      'SELECT count(DISTINCT l.sku) FROM listings_items l JOIN listings_items_issues i USING (item)',
    ),
  ).toEqual([[15]]);
});

const TSV = ['seller-sku\tprice\titem-name', 'A\t12,50\t19" rack', 'B\t9,99\tLampe für Kinder', ''].join(
  '\r\n',
);

/** A service that makes one report, in three looks. */
function reportService(reports: readonly unknown[] = []): Handler {
  let looks = 0;
  const document = gzipSync(Buffer.from(TSV, 'latin1'));
  return ({ path, method, headers }) => {
    const host = `http://${headers.host}`;
    if (path.startsWith('/signed')) return { body: document };
    if (path.includes('/documents/'))
      return { body: { url: `${host}/signed`, compressionAlgorithm: 'GZIP' } };
    if (method === 'POST') return { status: 202, body: { reportId: 'R1' } };
    if (!path.includes('/reports/R1')) return { body: { reports: reports } };
    looks += 1;
    const status = looks < 2 ? 'IN_PROGRESS' : 'DONE';
    return { body: { reportId: 'R1', processingStatus: status, reportDocumentId: 'D1' } };
  };
}

const ALL_LISTINGS = { report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['Germany'] } };

it('asks for a report, waits, unpacks, decodes and loads it; the address gets no token', async () => {
  await start(reportService());
  const { structured } = await runner.run(collectData, ALL_LISTINGS);
  expect(structured).toMatchObject({
    state: 'done',
    tables: [{ name: 'merchant_listings_all_data', rows: 2 }],
  });
  expect(await rows('SELECT seller_sku, price, item_name FROM merchant_listings_all_data')).toEqual([
    ['A', 12.5, '19" rack'],
    ['B', 9.99, 'Lampe für Kinder'],
  ]);
  const created = runner.calls().find(({ method }) => method === 'POST');
  expect(created?.json).toEqual({
    reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    marketplaceIds: ['A1PA6795UKMFR9'],
    reportOptions: { preferredReportDocumentLocale: 'en_US' },
  });
  const signed = runner.calls().find(({ path }) => path === '/signed');
  expect(Object.keys(signed?.headers ?? {})).not.toContain('x-amz-access-token');
});

it('uses a recent report that fits instead of asking for another, unless a fresh one is wanted', async () => {
  const LISTINGS = 'GET_MERCHANT_LISTINGS_DATA';
  const asked = { report: { type: LISTINGS, marketplaces: ['Germany'] } };
  const reports = [{ reportId: 'R1', reportType: LISTINGS, marketplaceIds: ['A1PA6795UKMFR9'] }].map(
    (report) => ({
      ...report,
      processingStatus: 'DONE',
      reportDocumentId: 'D1',
      createdTime: new Date(Date.now() - 600_000).toISOString(),
    }),
  );
  await start(reportService(reports));
  const used = await runner.run(collectData, asked);
  expect(used.text).toMatch(
    /Report R1 that was made 1[0-9] min ago was used; fresh: true asks for a new one/,
  );
  expect(runner.calls().filter(({ method }) => method === 'POST')).toHaveLength(0);
  // Kept here too: not even the service is asked.
  const before = runner.calls().length;
  expect((await runner.run(collectData, asked)).text).toContain('fresh: true collects it anew');
  expect(runner.calls()).toHaveLength(before);
  await runner.run(collectData, { ...asked, fresh: true });
  expect(runner.calls().filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it.each([
  ['a wrong parameter', { operation: 'searchListingsItems', parameters: { pagesize: 2 } }, /pageSize/],
  ['a wrong type', { report: { type: 'GET_MERCHANT_LISTING_ALL_DATA' } }, /GET_MERCHANT_LISTINGS_ALL_DATA/],
  ['no type at all', { report: { type: 'orders please' } }, /no report type known/],
])('refuses %s before anything is sent', async (_what, args, words) => {
  await start(() => ({ status: 500 }));
  const failure = await runner.run(collectData, args).catch((error: unknown) => error);
  expect(
    JSON.stringify([Reflect.get(Object(failure), 'message'), Reflect.get(Object(failure), 'problems')]),
  ).toMatch(words);
  expect(runner.calls()).toEqual([]);
});

it('answers how far it is before the deadline, and the same arguments find it', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const pages = pagesOf(60);
  await start(async (request, response) => {
    if (request.path.includes('pageToken=20')) await opened;
    return pages(request, response);
  });
  const args = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['DE'] }, as: 'mine' };
  const call = { ...toolContext(runner.session).call, deadline: performance.now() + 8_000 };
  const first = await runner.run(collectData, args, { call });
  expect(first.structured).toMatchObject({
    state: 'under way',
    progress: '20 of about 60 items, 2 more calls',
  });
  expect(first.text).toMatch(/call again with the same arguments, about .* more/);
  const messages: string[] = [];
  const second = runner.run(collectData, args, { tell: ({ message }) => messages.push(message) });
  open();
  expect((await second).structured).toMatchObject({
    state: 'done',
    tables: [{ name: 'mine', rows: 60 }, {}, {}],
  });
  expect(messages).toContain('40 of about 60 items, 1 more call');
  expect(runner.calls()).toHaveLength(3);
});

it('a report with personal data is fetched with a token of its own', async () => {
  const service = reportService();
  await start((request, response) =>
    request.path.includes('restrictedDataToken')
      ? { body: { restrictedDataToken: 'Atz.sprdt|only-this', expiresIn: 3600 } }
      : service(request, response),
  );
  await runner.run(collectData, {
    report: {
      type: 'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING',
      marketplaces: ['DE'],
      start: '2026-11-01',
    },
  });
  const asked = runner.calls().find(({ path }) => path.includes('/documents/D1'));
  expect(asked?.headers['x-amz-access-token']).toBe('Atz.sprdt|only-this');
});

it('another name for the same source tells which table it took the place of', async () => {
  await start(pagesOf(5));
  const args = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['DE'] } };
  await runner.run(collectData, { ...args, as: 'before' });
  const { text } = await runner.run(collectData, { ...args, as: 'after' });
  expect(text).toContain('Table before, of the same source, is gone: after took its place.');
  const names = await rows("SELECT name FROM tables WHERE name IN ('before', 'after')");
  expect(names).toEqual([['after']]);
});

it('answers a SELECT in the same call, names the tables in a line, and does not collect twice', async () => {
  await start(pagesOf(45));
  const args = {
    operation: 'searchListingsItems',
    parameters: { marketplaceIds: ['DE'], includedData: ['issues'] },
    as: 'catalog',
  };
  const sql = 'SELECT count(DISTINCT l.sku) FROM catalog l JOIN catalog_issues i USING (item)';
  const { text, structured } = await runner.run(collectData, { ...args, sql });
  expect(structured).toMatchObject({
    state: 'done',
    complete: true,
    collected: [
      { name: 'catalog', rows: 45 },
      { name: 'catalog_summaries', rows: 45 },
      { name: 'catalog_issues', rows: 15 },
    ],
    rows: [[15]],
    total: 1,
  });
  expect(collectData.output.safeParse(structured).success).toBe(true);
  expect(text).toContain(
    'Collected: catalog (45 rows), catalog_summaries (45 rows), catalog_issues (15 rows)',
  );
  const calls = runner.calls().length;
  const again = await runner.run(collectData, { ...args, sql: 'SELECT min(sku) FROM catalog' });
  expect(again.structured.rows).toEqual([['SKU-0']]);
  expect(runner.calls()).toHaveLength(calls);
});

it('means its own tables where others of an earlier collection have the names', async () => {
  await start(pagesOf(6));
  const of = (marketplace: string, sql: string) =>
    runner.run(collectData, {
      operation: 'searchListingsItems',
      parameters: { marketplaceIds: [marketplace], includedData: ['summaries', 'issues'] },
      as: 'mine',
      sql,
    });
  await of('DE', 'SELECT 1');
  const joined = 'WITH bad AS (SELECT item FROM mine_issues) SELECT count(*) FROM mine JOIN bad USING (item)';
  const { structured } = await of('FR', joined);
  expect(structured).toMatchObject({
    collected: [{ name: 'mine_2', rows: 6 }, {}, { name: 'mine_2_issues', rows: 2 }],
    rows: [[2]],
    tables: [{ name: 'mine_2' }, { name: 'mine_2_issues' }],
  });
  // A name that the statement defines is its own.
  const own = await of('FR', "WITH mine AS (SELECT 'x' AS sku) SELECT sku FROM mine");
  expect(own.structured.rows).toEqual([['x']]);
});

it('keeps what was collected where the SELECT does not fit, and tells all of its columns', async () => {
  await start(pagesOf(6));
  const args = { operation: 'searchListingsItems', parameters: { marketplaceIds: ['DE'] }, as: 'mine' };
  const failing = runner.run(collectData, { ...args, sql: 'SELECT prize FROM mine' });
  await expect(failing).rejects.toMatchObject({
    message: expect.stringContaining('There is no column'),
    hint: expect.stringMatching(
      /^Columns of mine: sku.*What was collected stays.*includedData was not given: of .*mine_issues \(2 rows\): item,/,
    ),
  });
  expect(await rows('SELECT count(*) FROM mine')).toEqual([[6]]);
});

it('saves the rows of the SELECT, not what was sent', async () => {
  await start(pagesOf(6));
  const { structured } = await runner.run(collectData, {
    operation: 'searchListingsItems',
    parameters: { marketplaceIds: ['DE'] },
    as: 'mine',
    sql: 'SELECT sku FROM mine ORDER BY sku',
    save_as: 'skus.csv',
  });
  expect(structured).toMatchObject({ state: 'done', saved: { name: 'skus.csv', rows: 6, columns: 1 } });
  await expect(
    runner.run(collectData, { operation: 'searchOrders', sql: 'SELECT 1', save_as: 'x.pdf' }),
  ).rejects.toThrow('rows are not written as');
});

// One call for each row of a SELECT.

/** Items of order N come in pages of two; order 13 is refused. */
const orderItems: Handler = ({ path }) => {
  const url = new URL(path, 'http://x');
  const order = /\/orders\/([^/]+)\/orderItems$/.exec(url.pathname)?.[1] ?? '';
  if (order === '13')
    return { status: 404, body: { errors: [{ code: 'NotFound', message: 'No such order' }] } };
  const all = Array.from({ length: Number(order) % 4 }, (_, i) => ({
    ASIN: `B0-${i}`,
    OrderItemId: `${order}-${i}`,
    QuantityOrdered: i + 1,
  }));
  const from = Number(url.searchParams.get('NextToken') ?? '0');
  const next = from + 2 < all.length ? { NextToken: String(from + 2) } : {};
  return { body: { payload: { AmazonOrderId: order, OrderItems: all.slice(from, from + 2), ...next } } };
};

const NUMBERS = (most: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT CAST(i AS TEXT) AS order_id FROM n`;

const eachOrder = (more: Record<string, unknown> = {}) =>
  runner.run(collectData, { operation: 'orders/getOrderItems', each: NUMBERS(20), as: 'bought', ...more });

async function untilDone(call: () => ReturnType<typeof eachOrder>) {
  for (let asked = 1; asked < 30; asked++) {
    const answer = await call();
    if (answer.structured.state === 'done') return answer;
  }
  throw new Error('it is never done');
}

it('calls once for each row: a row for each result of all pages, and one with its error for a refused call', async () => {
  await start(orderItems);
  const { text, structured } = await untilDone(eachOrder);
  expect(structured).toMatchObject({ complete: false });
  expect(text).toContain('20 of 20 calls were made');
  expect(text).toContain('1 failed; the column error says why: 1 x getOrderItems: 404');
  const meant = Array.from({ length: 20 }, (_, at) => at + 1).map((order) => [
    String(order),
    order === 13 ? 1 : order % 4,
    order === 13 ? 1 : 0,
  ]);
  // Five orders have no items.
  expect(text).toContain('; 5 calls found nothing.');
  expect(structured.notes).toContainEqual(expect.stringContaining('; 5 calls found nothing.'));
  expect(
    await rows(
      'SELECT order_id, count(*), count(error) FROM bought GROUP BY order_id ORDER BY CAST(order_id AS INTEGER)',
    ),
  ).toEqual(meant.filter(([, rowsOf]) => rowsOf !== 0));
  expect(await rows("SELECT asin, quantity_ordered FROM bought WHERE order_id = '7'")).toEqual([
    ['B0-0', 1],
    ['B0-1', 2],
    ['B0-2', 3],
  ]);
  const before = runner.calls().length;
  await eachOrder();
  expect(runner.calls()).toHaveLength(before);
  const { structured: asked } = await eachOrder({ sql: 'SELECT count(*) FROM bought' });
  expect(asked.rows).toEqual([[meant.reduce((sum, [, rowsOf]) => sum + Number(rowsOf), 0)]]);
});

const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };

/** Each third ASIN is restricted. */
const restrictions: Handler = ({ path }) => {
  const asin = new URL(path, 'http://x').searchParams.get('asin') ?? '';
  const isRestricted = Number(asin.slice(2)) % 3 === 0;
  const reasons = [{ message: `of ${asin}`, reasonCode: 'APPROVAL_REQUIRED' }];
  return {
    headers: QUICK,
    body: { restrictions: isRestricted ? [{ marketplaceId: 'A1PA6795UKMFR9', reasons }] : [] },
  };
};

const eachAsin = (condition: string) =>
  runner.run(collectData, {
    operation: 'getListingsRestrictions',
    each: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 48) SELECT 'B-' || i AS asin, 'Lamp ' || i AS title, NULL AS note FROM n WHERE ${condition}`,
    as: 'restricted',
  });

it('the items of a list that is the whole answer are the rows of the table with the name that was asked for', async () => {
  await start(restrictions);
  const { text, structured } = await untilDone(() => eachAsin('1'));
  expect(text).toContain('48 of 48 calls were made: 16 rows; 32 calls found nothing.');
  expect(structured.tables).toMatchObject([{ name: 'restricted', rows: 16 }, { rows: 16 }]);
  expect(
    await rows(
      "SELECT asin, title, note, marketplace_id, error FROM restricted WHERE asin IN ('B-3', 'B-4', 'B-48')",
    ),
  ).toEqual([
    ['B-3', 'Lamp 3', null, 'A1PA6795UKMFR9', null],
    ['B-48', 'Lamp 48', null, 'A1PA6795UKMFR9', null],
  ]);
  expect(runner.calls().some(({ path }) => path.includes('Lamp'))).toBe(false);
});

it('a table of calls that all found nothing has the columns of the answer and no rows', async () => {
  await start(restrictions);
  const { text } = await untilDone(() => eachAsin('i % 3 = 1'));
  expect(text).toContain('16 of 16 calls were made: 0 rows; 16 calls found nothing.');
  expect(await rows('SELECT asin, title, marketplace_id, condition_type FROM restricted')).toEqual([]);
});

it('sends nothing for each row where the statement or the operation is refused', async () => {
  await start(orderItems);
  for (const [more, words] of [
    [{ each: 'SELECT order_id FROM nothing_like_it' }, 'nothing_like_it'],
    [{ each: 'DELETE FROM bought' }, 'would change the tables'],
    [{ operation: 'tokens/createRestrictedDataToken' }, 'not collected'],
    [{ operation: 'orders/confirmShipment' }, 'does not only read'],
    [{ save_as: 'all.jsonl' }, 'sql'],
  ] as const) {
    await expect(eachOrder(more)).rejects.toThrow(words);
  }
  expect(runner.calls()).toEqual([]);
});

it.each([
  [{}, ['PAUSED']],
  [{ each: "SELECT 'GET_A' AS reportTypes" }, ['PAUSED']],
])('says in both forms which values are listed where another was sent: %j', async (more, statuses) => {
  await start(() => ({ body: { reports: [{ reportId: '1', processingStatus: 'PAUSED' }] } }));
  const parameters = { processingStatuses: statuses, ...('each' in more ? {} : { reportTypes: ['GET_A'] }) };
  const { text, structured } = await runner.run(collectData, {
    operation: 'reports/getReports',
    parameters,
    ...more,
  });
  for (const form of [text, JSON.stringify(structured)])
    expect(form).toMatch(/processingStatuses.*IN_PROGRESS/);
});

/** Answers for the marketplaces that are not refused, one row for each, and refuses whatever names another. */
function refusing(refused: readonly string[], status: number, rowOf: (id: string) => object): Handler {
  return ({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const ids = [...query.entries()].flatMap(([name, value]) =>
      name.toLowerCase() === 'marketplaceids' ? value.split(',') : [],
    );
    if (ids.some((id) => refused.includes(id)))
      return { status, body: { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] } };
    return { body: rowOf(ids.join()) };
  };
}
const [DE, FR, BE] = ['A1PA6795UKMFR9', 'A13V1IB3VIYZZH', 'AMEN7PMS3EDWL'];
const ORDERS = {
  operation: 'searchOrders',
  parameters: { marketplaceIds: ['DE', 'FR', 'BE'], createdAfter: '2026-11-01T00:00:00Z' },
};
const orderOf = (ids: string) => ({ orders: ids.split(',').map((id) => ({ orderId: `O-${id}` })) });

describe('one of several marketplaces that refuses', () => {
  it.each([400, 403])('(%i) is told, and the others are collected', async (status) => {
    await start(refusing([BE ?? ''], status, orderOf));
    const { text, structured } = await runner.run(collectData, ORDERS);
    expect(structured).toMatchObject({ state: 'done', complete: false, tables: [{ rows: 2 }] });
    for (const form of [text, JSON.stringify(structured)])
      expect(form).toContain(`Belgium was refused (${status})`);
    expect(text).toMatch(/Marketplaces: Germany \(\w+\), France \(\w+\)\./);
  });

  it('is told by read_operation too', async () => {
    await start(refusing([BE ?? ''], 403, orderOf));
    const { text, structured } = await runner.run(readOperation, ORDERS);
    expect(structured).toMatchObject({ complete: false, value: orderOf(`${DE},${FR}`) });
    for (const form of [text, String(structured.note)]) expect(form).toContain('Belgium was refused (403)');
  });

  it('ends the call where all refuse, and where none refuses alone', async () => {
    await start(refusing([DE ?? '', FR ?? '', BE ?? ''], 403, orderOf));
    await expect(runner.run(collectData, ORDERS)).rejects.toMatchObject({ status: 403 });
    await runner.close();
    await start(({ path }) =>
      path.includes(`${FR}`) && path.includes(`${BE}`) ? { status: 400, body: {} } : { body: orderOf('X') },
    );
    await expect(runner.run(readOperation, ORDERS)).rejects.toMatchObject({ status: 400 });
  });
});

describe('a report of several marketplaces, one of which refuses', () => {
  const several = (type: string, more: object = {}) => ({
    report: { type, marketplaces: ['DE', 'FR', 'BE'], ...more },
  });
  /** Makes a report for whatever does not name Belgium. */
  const reportsWithout = (): Handler => {
    const plain = reportService();
    return (request, response) => {
      const ids: unknown[] = [Object(request.json).marketplaceIds ?? []].flat();
      const { path, method, headers } = request;
      if (method === 'POST') {
        if (ids.includes(BE)) return { status: 403, body: { errors: [{ code: 'Unauthorized' }] } };
        return { status: 202, body: { reportId: `R-${ids.join('-')}` } };
      }
      const id = /\/reports\/(R-[^/?]+)/.exec(path)?.[1];
      if (id !== undefined)
        return { body: { reportId: id, processingStatus: 'DONE', reportDocumentId: `D-${id}` } };
      if (path.includes('/documents/')) return { body: { url: `http://${headers.host}/plain` } };
      if (path.startsWith('/plain')) return { body: 'seller-sku\tprice\nA\t10.00\n' };
      return plain(request, response);
    };
  };

  it('is collected for each of the others, and that one is told', async () => {
    await start(reportsWithout());
    const { text, structured } = await runner.run(collectData, several('GET_MERCHANT_LISTINGS_ALL_DATA'));
    expect(structured).toMatchObject({ state: 'done', complete: false, tables: [{ rows: 2 }] });
    for (const form of [text, JSON.stringify(structured)])
      expect(form).toContain('Belgium was refused (403)');
    expect(await rows('SELECT report_id FROM merchant_listings_all_data ORDER BY 1')).toEqual(
      [`R-${DE}`, `R-${FR}`].toSorted().map((id) => [id]),
    );
  });

  it('is not collected twice where each report holds the whole region', async () => {
    await start(reportsWithout());
    const orders = several('GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', { start: '2026-11-01' });
    await expect(runner.run(collectData, orders)).rejects.toMatchObject({ status: 403 });
  });
});
