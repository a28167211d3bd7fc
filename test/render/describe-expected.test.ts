/** The tables that collecting gives, in a description: as much as there is room for, of the user's own operations too. */

import { describe, expect, it, test } from 'vitest';
import { buildUserOperations } from '../../src/definitions/store/user-operations.ts';
import { describeExpected } from '../../src/render/describe-expected.ts';
import { describeOperation } from '../../src/service/describe/describe-operation.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { compile, get, openapi, swagger } from '../definitions/helpers.ts';

const registry = await loadRegistry();

/** The bytes of a description that hosts show. */
const MAX_BYTES = 6_000;

test('a description stays within its budget with them, and shortens nothing of how the operation is called', async () => {
  const without: string[] = [];
  for (const operation of registry.operations) {
    const tables = await describeExpected(operation, registry);
    const bare = describeOperation(operation);
    const described = describeOperation(operation, { tableLines: tables?.lines });
    expect(Buffer.byteLength(JSON.stringify(described)), operation.id).toBeLessThanOrEqual(MAX_BYTES);
    expect(described.text.startsWith(bare.text), operation.id).toBe(true);
    if (operation.effect === 'read' && described.text === bare.text) without.push(operation.id);
  }
  // Withdrawn, without room, secret.
  expect(without).toEqual([
    'catalog-v0/getCatalogItem',
    'merchant-fulfillment/getEligibleShipmentServices',
    'tokens/createRestrictedDataToken',
  ]);
});

test('no more bytes than there are, and more room tells no less', async () => {
  for (const id of ['orders/searchOrders', 'finance/listFinancialEvents', 'fees/getMyFeesEstimates']) {
    const tables = await describeExpected(registry.find(id), registry);
    let before = 0;
    for (let bytes = 0; bytes <= 20_000; bytes += 200) {
      const lines = tables?.lines(bytes) ?? [];
      const size = Buffer.byteLength(JSON.stringify(lines.join('\n')));
      expect(size, `${id} in ${bytes}`).toBeLessThanOrEqual(Math.max(bytes, 2));
      expect(size > 2 || before <= 2, id).toBe(true);
      before = size;
    }
  }
});

it('the lines of each operation, and of each number of bytes, are its own', async () => {
  const tables = await describeExpected(registry.find('orders/searchOrders'), registry);
  const others = await describeExpected(registry.find('searchCatalogItems'), registry);
  expect(tables?.lines(2_000)).toEqual(tables?.lines(2_000));
  expect(tables?.lines(1_000)).not.toEqual(tables?.lines(2_000));
  expect(others?.lines(2_000)).not.toEqual(tables?.lines(2_000));
});

it('a table is told whole by its name', async () => {
  const tables = await describeExpected(registry.find('orders/searchOrders'), registry);
  expect(tables?.table('orders_order_items')).toContain('product_condition_condition_subtype');
  expect(tables?.table('orders_order_items')).toContain('item, n, item_order_id');
  expect(tables?.table('constructor')).toBeUndefined();
});

describe('an operation of a user', () => {
  const crate = {
    type: 'object',
    properties: {
      crateId: { type: 'string' },
      sealedAt: { type: 'string', format: 'date-time' },
      fee: { $ref: '#/definitions/Money' },
      parts: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
    },
  };
  const money = {
    type: 'object',
    properties: { amount: { type: 'string' }, currencyCode: { type: 'string' } },
  };
  const describeTables = async (content: unknown, id: string) => {
    const all = await loadRegistry(buildUserOperations([await compile(content)]));
    return (await describeExpected(all.find(id), all))?.lines(2_000).join('\n');
  };
  const lines = `collect_data with each gives, beside the SELECT's columns and error (what no row fills is left out; those of lists have item, n too):
  crate: crate_id, fee_currency_code; number: fee_amount; date: sealed_at
  crate_parts: sku`;

  it('says it in Swagger', async () => {
    const responses = { 200: { description: 'x', schema: { properties: { payload: crate } } } };
    const file = swagger(
      { '/crates': get({ operationId: 'getCrate', responses }) },
      { definitions: { Money: money } },
    );
    expect(await describeTables(file, 'parcels/getCrate')).toBe(lines);
  });

  it('says it in OpenAPI', async () => {
    const content = { 'application/json': { schema: { properties: { payload: crate } } } };
    const responses = { 200: { description: 'x', content } };
    const file = openapi(
      { '/crates': get({ operationId: 'getCrate', responses }) },
      { definitions: { Money: money } },
    );
    expect(await describeTables(file, 'parcels/getCrate')).toBe(lines);
  });

  it('is taken all the same where its answer cannot be read, and nothing is told', async () => {
    const responses = { 200: { description: 'x', schema: { $ref: '#/definitions/Nowhere' } } };
    const file = swagger({ '/crates': get({ operationId: 'getCrate', responses }), '/other': get() });
    expect(await describeTables(file, 'parcels/getCrate')).toBeUndefined();
  });

  it('whose answer doubles at every level is told as far as anybody reads', async () => {
    const level = (n: number) => ({ properties: { a: ref(n), b: { type: 'array', items: ref(n) } } });
    const ref = (n: number) => ({ $ref: `#/definitions/L${n}` });
    const definitions = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`L${n}`, level(n + 1)]));
    const responses = { 200: { description: 'x', schema: ref(0) } };
    const file = swagger(
      { '/crates': get({ operationId: 'getCrate', responses }) },
      { definitions: { ...definitions, L40: { type: 'string' } } },
    );
    expect(await describeTables(file, 'parcels/getCrate')).toContain('crate: ');
  });

  it('that is a built-in one tells what it says', async () => {
    const responses = { 200: { description: 'x', schema: { properties: { payload: crate } } } };
    const parameters = [{ name: 'orderId', in: 'path', required: true, type: 'string' }];
    const file = swagger(
      { '/orders/v0/orders/{orderId}': get({ operationId: 'getOrder', parameters, responses }) },
      { definitions: { Money: money } },
    );
    expect(await describeTables(file, 'orders/getOrder')).toContain('order_: crate_id');
  });
});
