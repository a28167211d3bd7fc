import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { REVIEWED_EFFECTS } from '../../../src/service/facts/effects.ts';
import { reviewed } from '../../../src/service/facts/generated/reviewed.ts';
import { documentEntries, knownEntries } from '../../../src/service/facts/groups.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

function inputErrorOf(run: () => unknown): InputError {
  try {
    run();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const brought: Operation = {
  id: 'my-service/getThing',
  group: 'My service',
  name: 'getThing',
  method: 'GET',
  path: '/mine/v1/things/{thingId}',
  parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }],
  effect: 'read',
  auth: { kind: 'seller' },
  source: 'user',
};

describe('what is there', () => {
  test('201 of the 203 entries are callable, as 202 records; 165 more are not in the document', () => {
    const documented = registry.operations.filter(({ source }) => source === 'both' || source === 'document');
    expect(documented).toHaveLength(202);
    expect(registry.operations.filter(({ source }) => source === 'definitions')).toHaveLength(165);
    expect(knownEntries.map(({ name }) => name)).toEqual(['Authorization', 'listCatalogItems']);
    const callable = documentEntries.filter(({ group, name }) =>
      documented.some((operation) => operation.group === group.name && operation.name === name),
    );
    expect(callable).toHaveLength(201);
  });

  test('a name that the document lists twice has that many records, and linkCarrierAccount one per method', () => {
    const ids = (name: string) =>
      registry.operations.filter((o) => o.group === 'Shipping' && o.name === name).map(({ id }) => id);
    expect(ids('getRates')).toEqual(['shipping/getRates@v1', 'shipping/getRates@v2']);
    expect(ids('purchaseShipment')).toEqual(['shipping/purchaseShipment@v1', 'shipping/purchaseShipment@v2']);
    expect(ids('cancelShipment')).toEqual(['shipping/cancelShipment@v1', 'shipping/cancelShipment@v2']);
    expect(ids('linkCarrierAccount').sort()).toEqual([
      'shipping/linkCarrierAccount@v2-POST',
      'shipping/linkCarrierAccount@v2-PUT',
    ]);
  });

  test("every method that the document gives is the record's method", async () => {
    for (const { group, name, method } of documentEntries) {
      if (method === undefined) continue;
      const { operations: records } = await registry.list({ search: name, limit: 500 });
      const methods = records.filter((r) => r.group === group.name && r.name === name).map((r) => r.method);
      expect(methods, `${group.slug}/${name}`).toContain(method);
    }
  });

  test('ids are unique, and placeholders and path parameters are the same', () => {
    expect(new Set(registry.operations.map(({ id }) => id)).size).toBe(367);
    for (const { id, path, parameters } of registry.operations) {
      const placeholders = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).sort();
      const declared = parameters.filter((p) => p.in === 'path').map(({ name }) => name);
      expect(declared.sort(), id).toEqual(placeholders);
      expect(
        parameters.filter((p) => p.in === 'path' && !p.required),
        id,
      ).toEqual([]);
    }
  });

  test('every reference leads to a shape, and every pattern is a regular expression', () => {
    for (const { id, body, defs = {}, parameters } of registry.operations) {
      const visit = (schema: JsonSchema): void => {
        if (schema.$ref) expect(Object.keys(defs), id).toContain(schema.$ref.replace('#/$defs/', ''));
        if (schema.pattern)
          expect(() => new RegExp(schema.pattern ?? '', 'u'), `${id} ${schema.pattern}`).not.toThrow();
        Object.values(schema.properties ?? {}).forEach(visit);
        if (schema.items) visit(schema.items);
        if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
      };
      [...(body ? [body.schema] : []), ...Object.values(defs), ...parameters.map((p) => p.schema)].forEach(
        visit,
      );
    }
  });

  test('every operation reviewed by hand exists, with a reason, and none that reads by GET is listed', () => {
    const methods = new Map(registry.operations.map(({ id, method }) => [id, method]));
    for (const [id, known] of Object.entries(reviewed)) {
      expect(methods.has(id), id).toBe(true);
      const reasons = REVIEWED_EFFECTS.flatMap((effect) => known[effect] ?? []);
      expect(reasons.length, id).toBeLessThan(2);
      for (const reason of reasons) {
        expect(reason.length, id).toBeGreaterThan(10);
        expect(['POST', 'PUT', 'PATCH'], id).toContain(methods.get(id));
      }
    }
  });

  test('what is neither GET nor DELETE reads, requests or ends something by review alone; all else writes', () => {
    for (const { id, method, effect } of registry.operations) {
      const byReview = REVIEWED_EFFECTS.find((one) => reviewed[id]?.[one] !== undefined);
      const byMethod = method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'write';
      expect(effect, id).toBe(byReview ?? byMethod);
    }
  });

  test('effects, tokens, limits and idempotency keys of operations that show them', () => {
    expect(registry.find('shipping/getRates@v2').effect).toBe('read');
    expect(registry.find('shipping/getCarrierAccounts')).toMatchObject({ method: 'PUT', effect: 'read' });
    expect(registry.find('deleteListingsItem').effect).toBe('delete');
    expect(registry.find('cancelFulfillmentOrder')).toMatchObject({ method: 'PUT', effect: 'delete' });
    expect(registry.find('putListingsItem').effect).toBe('write');
    expect(registry.find('getOrderAddress').auth).toEqual({ kind: 'restricted' });
    expect(registry.find('getOrders').auth).toEqual({ kind: 'seller' });
    expect(registry.find('createDestination').auth).toEqual({
      kind: 'grantless',
      scope: 'sellingpartnerapi::notifications',
    });
    expect(registry.find('getListingsItem').rate).toEqual({ requestsPerSecond: 5, burst: 10 });
    expect(registry.find('getOrders').rate).toEqual({ requestsPerSecond: 0.0167, burst: 20 });
    expect(registry.find('addInventory')).toMatchObject({
      idempotencyKey: { in: 'header', name: 'x-amzn-idempotency-token' },
      sandboxOnly: true,
    });
    expect(registry.find('directPurchaseShipment').idempotencyKey).toEqual({
      in: 'header',
      name: 'x-amzn-IdempotencyKey',
    });
  });
});

describe('find', () => {
  test.each([
    ['orders/getOrder', 'orders/getOrder'],
    ['getOrder', 'orders/getOrder@2026-01-01'],
    ['getOrder@v0', 'orders/getOrder'],
    ['orders/getOrder@v0', 'orders/getOrder'],
    ['getOrders', 'orders/getOrders'],
    ['submitInvoice', 'shipment-invoice/submitInvoice@2022-07-01'],
    ['getInvoice', 'invoices/getInvoice'],
    ['getTransaction', 'seller-wallet/getTransaction'],
    ['updatePackage', 'outbound-fulfilment/updatePackage'],
    ['getPurchaseOrders', 'vendor-orders/getPurchaseOrders'],
    [' searchListingsItems ', 'listings-items/searchListingsItems'],
    ['getRates@v2', 'shipping/getRates@v2'],
    ['linkCarrierAccount@v2-PUT', 'shipping/linkCarrierAccount@v2-PUT'],
  ])('%s is %s', (text, id) => {
    expect(registry.find(text).id).toBe(id);
  });

  test.each([
    ['getCatalogItem', ['catalog-items/getCatalogItem', 'catalog-v0/getCatalogItem', '2022-09-30']],
    [
      'getShipment',
      ['inbound-fulfilment/getShipment', 'merchant-fulfillment/getShipment', 'shipping/getShipment'],
    ],
    ['shipping/getRates', ['shipping/getRates@v1', 'v1, POST /shipping/v1/rates', 'shipping/getRates@v2']],
    ['linkCarrierAccount@v2', ['@v2-POST', '@v2-PUT', 'PUT /shipping/v2/carrierAccounts/{carrierId}']],
  ])('%s is ambiguous, and each candidate is told with version, method and path', (text, parts) => {
    const error = inputErrorOf(() => registry.find(text));
    expect(error.message).toContain('names');
    for (const part of parts) expect(error.hint).toContain(part);
  });

  test('the answer to a bare name that others share names them; an id needs no remark', () => {
    const { operation, note } = registry.resolve('getOrder');
    expect(operation.id).toBe('orders/getOrder@2026-01-01');
    expect(note).toBe(
      'getOrder means orders/getOrder@2026-01-01 here; others of that name: orders/getOrder, outbound-fulfilment/getOrder, vendor-direct-fulfilment/getOrder.',
    );
    expect(registry.resolve('orders/getOrder').note).toBe('');
    expect(registry.resolve('searchListingsItems').note).toBe('');
  });

  test('an older version that is left out says what to use instead', () => {
    const error = inputErrorOf(() => registry.find('catalog-items/searchCatalogItems@2020-12-01'));
    expect(error.message).toContain('left out');
    expect(error.hint).toContain('catalog-items/searchCatalogItems (2022-04-01)');
    expect(inputErrorOf(() => registry.find('getOrders@v1')).hint).toContain(
      'vendor-direct-fulfilment/getOrders',
    );
  });

  test('an unknown name gets the nearest ones', () => {
    const error = inputErrorOf(() => registry.find('getListingItem'));
    expect(error.hint).toContain('listings-items/getListingsItem');
    expect(inputErrorOf(() => registry.find('x'.repeat(10_000))).message.length).toBeLessThan(200);
  });

  test('an entry known by name only says why', () => {
    expect(inputErrorOf(() => registry.find('Authorization')).message).toContain('known by name only');
    expect(inputErrorOf(() => registry.find('listCatalogItems')).message).toContain('searchCatalogItems');
  });
});

describe('the document comes first', () => {
  test('getCatalogItem v0 is the document alone, gone, with what replaces it', () => {
    expect(registry.find('catalog-v0/getCatalogItem')).toMatchObject({
      source: 'document',
      path: '/catalog/v0/items/{asin}',
      deprecated: true,
      ending: { removed: '2022-09-30', successor: 'catalog-items/getCatalogItem' },
    });
    expect(registry.find('listCatalogCategories').deprecated).toBeUndefined();
  });

  test('updateSupplySource keeps every member of section 2.4 and gains what the definitions add', () => {
    const merged = registry.find('updateSupplySource');
    expect(merged.source).toBe('both');
    expect(merged.body?.required).toBe(true);
    const address = merged.defs?.Address?.properties ?? {};
    expect(Object.keys(address).slice(0, 11)).toEqual(
      Object.keys(supplySourceWrite().defs?.Address?.properties ?? {}),
    );
    expect(address).toHaveProperty('phone');
    expect(merged.defs?.Duration?.properties?.value?.type).toBe('number');
    expect(merged.defs?.Duration?.properties?.timeUnit?.enum).toContain('Hours');
    expect(Object.keys(merged.defs ?? {})).not.toContain('CreateSupplySourceRequest');
  });

  test('deprecation by either source counts', () => {
    expect(registry.find('getPricing').deprecated).toBe(true);
    expect(registry.find('getOrders').deprecated).toBe(true);
    expect(registry.find('getCompetitiveSummary').deprecated).toBeUndefined();
  });
});

describe("a user's operations", () => {
  test('new ones are found by id and name and listed last', async () => {
    const mine = await loadRegistry([brought]);
    expect(mine.find('getThing')).toEqual(brought);
    expect(mine.operations.at(-1)?.id).toBe('my-service/getThing');
    expect((await mine.list({ group: 'my service' })).operations).toMatchObject([
      { documented: false, callable: true },
    ]);
    expect(mine.operations).toHaveLength(368);
  });

  test('a bare name that was unique still means the built-in operation', async () => {
    const other = { ...brought, id: 'my-service/getOrder', name: 'getOrder' };
    const mine = await loadRegistry([other]);
    expect(mine.find('getOrder').id).toBe('orders/getOrder@2026-01-01');
    expect(mine.resolve('getOrder').note).toContain('my-service/getOrder');
    expect(mine.find('my-service/getOrder')).toEqual(other);
  });

  test('the same method and path enriches the built-in one, whatever the placeholder is called', async () => {
    const mine = await loadRegistry([
      {
        ...brought,
        id: 'my-service/readOrder',
        name: 'readOrder',
        path: '/orders/v0/orders/{id}',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'extra', in: 'query', required: false, schema: { type: 'string' } },
        ],
        rate: { requestsPerSecond: 3 },
      },
    ]);
    const order = mine.find('orders/getOrder');
    expect(mine.find('my-service/readOrder')).toBe(order);
    expect(mine.operations).toHaveLength(367);
    expect(order).toMatchObject({
      id: 'orders/getOrder',
      path: '/orders/v0/orders/{orderId}',
      source: 'both',
    });
    const before = registry.find('orders/getOrder');
    expect(order.parameters).toEqual(before.parameters);
    expect(order.rate).toEqual(before.rate);
  });

  test("what the document describes stays first when a user's file describes it too", async () => {
    const mine = await loadRegistry([
      {
        ...supplySourceWrite(),
        id: 'x/updateSupplySource',
        source: 'user',
        body: {
          required: false,
          schema: { type: 'object', properties: { alias: { type: 'integer' }, more: {} } },
        },
        defs: {},
      },
    ]);
    const { body, source } = mine.find('updateSupplySource');
    expect(source).toBe('both');
    expect(body?.required).toBe(true);
    expect(body?.schema.properties?.alias?.type).toBe('string');
    expect(Object.keys(body?.schema.properties ?? {})).toEqual(['alias', 'configuration', 'capabilities']);
  });
});
