import { describe, expect, test } from 'vitest';
import { buildRequest } from '../../../src/call/request/build-request.ts';
import { buildExample } from '../../../src/service/describe/example.ts';
import { exampleSeeds } from '../../../src/service/describe/generated/example-seeds.ts';
import type { JsonSchema, Operation } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const account = {
  baseUrl: 'https://service.example',
  sellerId: 'A1SELLER',
  marketplaceId: 'ATVPDKIKX0DER',
};

test('the request builder accepts the example of every operation', async () => {
  const refused: string[] = [];
  for (const operation of registry.operations) {
    await buildRequest(operation, account, buildExample(operation)).catch((error: unknown) => {
      refused.push(`${operation.id}: ${error instanceof Error ? error.message : error}`);
    });
  }
  expect(refused).toEqual([]);
});

test('what the account fills in is left out; every reviewed example belongs to an operation', () => {
  for (const operation of registry.operations) {
    const names = Object.keys(buildExample(operation).parameters);
    expect(names.filter((name) => /^(sellerId|marketplace_?ids?)$/i.test(name))).toEqual([]);
  }
  for (const id of Object.keys(exampleSeeds)) expect(registry.find(id).id).toBe(id);
});

describe('what matters is there', () => {
  test.each([
    ['fees/getMyFeesEstimateForSKU', { CurrencyCode: 'USD', Amount: 19.99 }],
    ['inbound-fulfilment/updateItemComplianceDetails', { amount: 19.99, code: 'USD' }],
    ['shipping/getRates@v2', { length: 1, width: 1, height: 1, unit: 'INCH' }],
    ['merchant-fulfillment/createShipment', { Length: 1, Width: 1, Height: 1, Unit: 'inches' }],
  ])('%s', (id, part) => {
    const text = JSON.stringify(buildExample(registry.find(id)).body);
    for (const [name, value] of Object.entries(part))
      expect(text).toContain(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  });

  test('a search says what it searches for', () => {
    const parameters = (id: string) => buildExample(registry.find(id)).parameters;
    expect(parameters('orders/searchOrders')).toHaveProperty('createdAfter');
    expect(parameters('catalog-items/searchCatalogItems')).toHaveProperty('keywords');
    expect(parameters('reports/getReports')).toHaveProperty('reportTypes');
  });
});

describe('shapes of a user', () => {
  const operation = (schema: JsonSchema, defs: Record<string, JsonSchema> = {}): Operation => ({
    id: 'mine/putThing',
    group: 'Mine',
    name: 'putThing',
    method: 'PUT',
    path: '/things',
    parameters: [],
    body: { required: true, schema },
    defs,
    effect: 'write',
    auth: { kind: 'seller' },
    source: 'user',
  });
  const accepts = async (schema: JsonSchema, defs?: Record<string, JsonSchema>) => {
    const one = operation(schema, defs);
    await expect(buildRequest(one, account, buildExample(one))).resolves.toBeDefined();
    return buildExample(one).body;
  };
  const text = (more: JsonSchema): JsonSchema => ({
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', ...more } },
  });

  test.each([
    [text({ minLength: 60 })],
    [text({ maxLength: 1 })],
    [text({ pattern: '^[0-9]{2}$' })],
    [text({ pattern: '^[A-Z]+$' })],
    [text({ format: 'date-time', maxLength: 20 })],
  ])('%j', async (schema) => {
    await accepts(schema);
  });

  test('bounds of numbers and lists', async () => {
    const body = await accepts({
      type: 'object',
      required: ['low', 'high', 'step', 'list'],
      properties: {
        low: { type: 'integer', minimum: 7 },
        high: { type: 'number', maximum: 0.5 },
        step: { type: 'number', multipleOf: 5 },
        list: { type: 'array', minItems: 3, items: { type: 'string' } },
      },
    });
    expect(body).toMatchObject({ low: 7, high: 0.5, step: 5 });
  });

  test('required members are there however deep, and a shape that holds itself ends', async () => {
    const deep = Array.from({ length: 10 }).reduce<JsonSchema>(
      (inner) => ({ type: 'object', required: ['in'], properties: { in: inner, out: inner } }),
      { type: 'string' },
    );
    await accepts(deep);
    const node: JsonSchema = {
      type: 'object',
      properties: {
        inner: { $ref: '#/$defs/Node' },
        list: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
    };
    expect(await accepts({ $ref: '#/$defs/Node' }, { Node: node })).toEqual({});
    const names = Array.from({ length: 12 }, (_, i) => `Shape${i}`);
    const each: JsonSchema = {
      type: 'object',
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    };
    const all = Object.fromEntries(names.map((name) => [name, each]));
    expect(JSON.stringify(buildExample(operation(each, all))).length).toBeLessThan(2_000);
  });
});
