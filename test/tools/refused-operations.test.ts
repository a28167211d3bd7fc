/** Operations that the service refuses (403): told at once, remembered for the session, and asked for in another way where there is one. */

import { afterEach, describe, expect, it } from 'vitest';
import { collectData } from '../../tools/collect-data.ts';
import { describeOperation } from '../../tools/describe-operation.ts';
import { listKnownOperations } from '../../tools/list-known-operations.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import type { Handler, ReceivedRequest } from '../helpers/http-service.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

const DE = 'A1PA6795UKMFR9';
const BE = 'AMEN7PMS3EDWL';
/** Ends the waits for the limit that an operation has by its definition. */
const QUICK = { 'x-amzn-RateLimit-Limit': '1000' };
const DENIED = {
  status: 403,
  headers: QUICK,
  body: { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] },
};
const SEEN = { headers: QUICK, body: { payload: { seen: 'yes' } } };

let runner: ToolRunner;
afterEach(() => runner.close());
const start = async (handler: Handler, settings: Readonly<Record<string, string>> = {}) => {
  runner = await startToolRunner(handler, settings);
};
const failureOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const rows = (values: readonly string[], column: string) =>
  values.map((value) => `SELECT '${value}' AS ${column}`).join(' UNION ALL ');
const skus = Array.from({ length: 30 }, (_, at) => `S${at}`);
const isBatch = ({ path }: ReceivedRequest) => path.startsWith('/batches/') || path.includes('?');

describe('each', () => {
  /** The operations that ask for one: its column, and how the service is asked for one and for many. */
  it.each([
    [
      'getListingOffers',
      'SellerSKU',
      { MarketplaceId: DE, ItemCondition: 'New' },
      /^\/products\/pricing\/v0\/listings\//,
    ],
    [
      'getItemOffers',
      'Asin',
      { MarketplaceId: DE, ItemCondition: 'New' },
      /^\/products\/pricing\/v0\/items\//,
    ],
    ['getListingsItem', 'sku', { marketplaceIds: [DE] }, /^\/listings\/2021-08-01\/items\/A1SELLER\/\w/],
    ['catalog-items/getCatalogItem', 'asin', { marketplaceIds: [DE] }, /^\/catalog\/2022-04-01\/items\/\w/],
  ])(
    'of %s falls back to single calls where the form for many is refused',
    async (operation, column, parameters, single) => {
      await start((request) => (single.test(request.path) ? SEEN : DENIED));
      const args = { operation, parameters, each: rows(skus.slice(0, 5), column), as: 'found' };
      const { text, structured } = await runner.run(collectData, args);
      expect(structured).toMatchObject({ complete: true, tables: [{ name: 'found', rows: 5 }] });
      expect(text).toMatch(/refused \(403\)/);
      const asked = runner.calls();
      expect(asked.filter(({ path }) => single.test(path))).toHaveLength(5);
      expect(asked.filter(({ path }) => !single.test(path))).toHaveLength(1);
      // The form for many is not asked for again in this session.
      await runner.run(collectData, { ...args, each: rows(skus.slice(5, 8), column), as: 'more' });
      expect(runner.calls().filter(({ path }) => !single.test(path))).toHaveLength(1);
    },
  );

  it('of many rows falls back after one refused call, however many would have followed', async () => {
    await start((request) =>
      isBatch(request) && request.method === 'POST' ? DENIED : { headers: QUICK, body: { payload: {} } },
    );
    const each = rows(skus, 'SellerSKU');
    const parameters = { MarketplaceId: DE, ItemCondition: 'New' };
    runner.run(collectData, { operation: 'getListingOffers', parameters, each }).catch(() => undefined);
    await expect.poll(() => runner.calls().length, { timeout: 20_000 }).toBeGreaterThan(2);
    expect(runner.calls().filter(({ path }) => path.startsWith('/batches/'))).toHaveLength(1);
  });

  it('ends with the refusal after two rows, and says so at once', async () => {
    await start(() => DENIED);
    const each = rows(skus, 'orderId');
    const error = await failureOf(runner.run(collectData, { operation: 'getOrderItems', each }));
    expect(error).toMatchObject({ name: 'ApiError', status: 403, hint: expect.stringContaining('refused') });
    expect(runner.calls().filter(({ path }) => path.startsWith('/orders/')).length).toBe(2);
  });

  it('asks for the rows of other marketplaces where one marketplace is refused', async () => {
    await start(({ path }) => (path.includes(BE) ? DENIED : SEEN));
    const of = (id: string, at: number) => `SELECT '${id}' AS MarketplaceId, 'B0${at}' AS Asin`;
    const each = [BE, BE, BE, DE, DE].map(of).join(' UNION ALL ');
    const { structured } = await runner.run(collectData, {
      operation: 'product-pricing/getCompetitivePricing',
      parameters: { ItemType: 'Asin' },
      each: each.replaceAll('AS Asin', 'AS Asins'),
      sql: 'SELECT MarketplaceId, count(*) AS n, count(error) AS failed FROM competitive_pricing GROUP BY 1 ORDER BY 1',
      as: 'competitive_pricing',
    });
    expect(structured.rows).toEqual([
      [DE, 2, 0],
      [BE, 3, 3],
    ]);
  });
});

describe('an operation that was refused', () => {
  const parameters = { createdAfter: '2026-11-01T00:00:00Z' };
  const search = () => runner.run(readOperation, { operation: 'searchOrders', parameters });
  const marks = async () => {
    const { structured: listed } = await runner.run(listKnownOperations, { group: 'orders' });
    const { structured, text } = await runner.run(describeOperation, { operation: 'searchOrders' });
    const entries: unknown[] = Array.isArray(listed.operations) ? listed.operations : [];
    const marked = entries.filter((entry) => Object.hasOwn(Object(entry), 'refused'));
    return { ids: marked.map((entry) => Object(entry).id), described: structured.refused, text };
  };

  it('is marked until it is answered, is not collected meanwhile, and may be tried again', async () => {
    let isDenied = true;
    await start(() => (isDenied ? DENIED : { body: { orders: [] } }));
    expect((await marks()).ids).toEqual([]);
    expect(await failureOf(search())).toMatchObject({ status: 403 });
    const { ids, described, text } = await marks();
    expect(ids).toEqual(['orders/searchOrders']);
    expect(described).toContain('Access is denied.');
    expect(text).toContain(String(described));
    const before = runner.calls().length;
    const collect = () => runner.run(collectData, { operation: 'searchOrders', parameters });
    expect(await failureOf(collect())).toMatchObject({ status: 403, hint: expect.stringContaining('fresh') });
    expect(runner.calls()).toHaveLength(before);
    isDenied = false;
    await search();
    expect((await marks()).ids).toEqual([]);
    expect((await collect()).structured).toMatchObject({ complete: true });
  });

  it('is tried again by a collection that is wanted fresh', async () => {
    await start(() => DENIED);
    await failureOf(search());
    const before = runner.calls().length;
    const fresh = runner.run(collectData, { operation: 'searchOrders', parameters, fresh: true });
    expect(await failureOf(fresh)).toMatchObject({ status: 403 });
    expect(runner.calls().length).toBeGreaterThan(before);
  });

  it('for one marketplace or report type may be collected for another one', async () => {
    await start(({ json, path }) => {
      const { reportType } = Object(json);
      if (reportType === 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT') return DENIED;
      return path.startsWith('/reports') && reportType === undefined
        ? { body: { reports: [] } }
        : { status: 400, body: { errors: [{ code: 'InvalidInput', message: 'Enough.' }] } };
    });
    const collect = (type: string, options?: object) =>
      failureOf(runner.run(collectData, { report: { type, ...options } }));
    const brand = { start: '2026-11-01', end: '2026-11-07', options: { reportPeriod: 'WEEK' } };
    expect(await collect('GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT', brand)).toMatchObject({ status: 403 });
    const asked = () => runner.calls().filter(({ method }) => method === 'POST').length;
    expect(asked()).toBe(1);
    expect(await collect('GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT', brand)).toMatchObject({ status: 403 });
    expect(asked()).toBe(1);
    expect(await collect('GET_MERCHANT_LISTINGS_ALL_DATA')).toMatchObject({ status: 400 });
    expect(asked()).toBe(2);
  });
});

describe('a refused version', () => {
  it.each([
    ['getOrder@2026-01-01', { orderId: '1-2-3' }, 'orders/getOrder', { orderId: '1-2-3' }],
    ['orders/getOrder@v0', { orderId: '1-2-3' }, 'orders/getOrder@2026-01-01', { orderId: '1-2-3' }],
    [
      'searchOrders',
      { createdAfter: '2026-11-01T00:00:00Z', fulfilledBy: ['MERCHANT'] },
      'orders/getOrders',
      { CreatedAfter: '2026-11-01T00:00:00Z', FulfillmentChannels: ['MFN'] },
    ],
  ])(
    '%s is named, with a ready call of the other one',
    async (operation, parameters, other, otherParameters) => {
      await start(() => DENIED);
      const error = await failureOf(runner.run(readOperation, { operation, parameters }));
      const hint = String(Object(error).hint);
      const called = operation.includes('@') ? operation.replace(/^orders\//, '') : `${operation}@2026-01-01`;
      expect(hint).toContain(`orders/${called}`);
      const ready = /read_operation (?:or collect_data )?(\{.*?\}\})/.exec(hint)?.[1] ?? '{}';
      expect(JSON.parse(ready)).toMatchObject({ operation: other, parameters: otherParameters });
    },
  );
});

describe('the state before and after a write', () => {
  const ids = Array.from({ length: 15 }, (_, at) => `902-0000000-00000${String(at).padStart(2, '0')}`);
  const confirm = (orderId: string) => ({
    operation: 'orders/confirmShipment',
    parameters: { orderId },
    body: {
      marketplaceId: DE,
      packageDetail: {
        packageReferenceId: '1',
        carrierCode: 'DHL',
        trackingNumber: 'T1',
        shipDate: '2026-11-20T10:00:00Z',
        orderItems: [{ orderItemId: '1', quantity: 1 }],
      },
    },
  });
  const readsOf = (version: string) =>
    runner.calls().filter(({ method, path }) => method === 'GET' && path.startsWith(`/orders/${version}/`));

  it('is read with the version that the account may call, after one request of the other one', async () => {
    await start(
      ({ path, method }) => {
        if (path.startsWith('/orders/2026-01-01/')) return DENIED;
        if (method === 'POST') return { status: 204, headers: QUICK };
        return {
          headers: QUICK,
          body: { payload: { AmazonOrderId: path.split('/').at(-1), OrderStatus: 'Unshipped' } },
        };
      },
      { SELLER_WRITES: 'allow' },
    );
    for (const orderId of ids) {
      const { structured } = await runner.run(writeOperation, confirm(orderId));
      expect(structured).toMatchObject({ outcome: 'done' });
    }
    expect(readsOf('2026-01-01')).toHaveLength(1);
    expect(readsOf('v0').length).toBeGreaterThanOrEqual(ids.length);
  });

  it('costs one request of each version where the account may call none', async () => {
    await start(({ method }) => (method === 'POST' ? { status: 204 } : DENIED), { SELLER_WRITES: 'allow' });
    const many = ids.slice(0, 5).map((orderId) => runner.run(writeOperation, confirm(orderId)));
    for (const { structured } of await Promise.all(many))
      expect(structured).toMatchObject({ outcome: 'done' });
    expect(readsOf('2026-01-01')).toHaveLength(1);
    expect(readsOf('v0')).toHaveLength(1);
  });

  it('is read with the preferred version alone where the account may call it', async () => {
    await start(({ method }) => (method === 'POST' ? { status: 204 } : { body: { orderId: '1' } }), {
      SELLER_WRITES: 'allow',
    });
    await runner.run(writeOperation, confirm(ids[0] ?? ''));
    expect(readsOf('2026-01-01').length).toBeGreaterThan(0);
    expect(readsOf('v0')).toHaveLength(0);
  });
});
