/** Operations of a user's files beside the built-in ones: exact ids, and nothing built in is hidden. */

import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../src/call/request/check-arguments.ts';
import { buildUserOperations } from '../../src/definitions/store/user-operations.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { compile, get, swagger } from './helpers.ts';

const order = (path: string, more: Record<string, unknown> = {}) =>
  swagger(
    {
      [path]: get({
        operationId: 'getOrder',
        parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
        ...more,
      }),
    },
    { info: { title: 'Orders', version: 'v9' } },
  );

test('a new operation with a built-in name leaves the bare name to the built-in one', async () => {
  const registry = await loadRegistry(buildUserOperations([await compile(order('/orders/v9/orders/{id}'))]));
  expect(registry.find('getOrder').id).toBe('orders/getOrder@2026-01-01');
  expect(registry.resolve('getOrder').note).toContain('user-orders/getOrder');
  expect(registry.find('orders/getOrder').path).toBe('/orders/v0/orders/{orderId}');
  expect(registry.find('user-orders/getOrder')).toMatchObject({
    source: 'user',
    path: '/orders/v9/orders/{id}',
  });
  expect((await registry.list({ search: 'user-orders' })).total).toBe(1);
});

test('the same method and path is the same operation, whatever its placeholders are called', async () => {
  const before = await loadRegistry();
  const extra = { name: 'withNotes', in: 'query', type: 'boolean' };
  const parameters = [{ name: 'id', in: 'path', required: true, type: 'string' }, extra];
  const file = await compile(order('/orders/v0/orders/{id}', { parameters }));
  const registry = await loadRegistry(buildUserOperations([file]));
  expect(registry.operations).toHaveLength(before.operations.length);
  const enriched = registry.find('orders/getOrder');
  expect(enriched.parameters).toEqual(before.find('orders/getOrder').parameters);
  expect(enriched.auth).toEqual(before.find('orders/getOrder').auth);
  // The id that it would have as a user's own leads to it.
  expect(registry.find('user-orders/getOrder')).toBe(enriched);
});

describe('ids', () => {
  const ids = async (...files: [title: string, version: string, path: string][]) => {
    const compiled = files.map(([title, version, path], i) =>
      compile(swagger({ [path]: get() }, { info: { title, version } }), `file${i}.json`, new Date(1_000 * i)),
    );
    return buildUserOperations(await Promise.all(compiled)).map(({ id, path }) => [id, path]);
  };

  test('versions tell twins apart, then methods, then the names of the files', async () => {
    expect(await ids(['A', 'v1', '/1'], ['A', 'v2', '/2'])).toEqual([
      ['a/getIt@v1', '/1'],
      ['a/getIt@v2', '/2'],
    ]);
    expect(await ids(['A', 'v 1', '/1'], ['A', 'v 1', '/2'])).toEqual([
      ['a/getIt@v-1-GET-file0', '/1'],
      ['a/getIt@v-1-GET-file1', '/2'],
    ]);
  });

  test('of one method and path in two files the one added last counts', async () => {
    expect(await ids(['A', 'v1', '/1/{}'.replace('/{}', '')], ['B', 'v1', '/1'])).toEqual([
      ['b/getIt', '/1'],
    ]);
  });

  test.each([
    ['Selling Partner API for Warehouse Robots', 'warehouse-robots'],
    [
      'The Selling Partner API for Amazon External Fulfillment Robots Processing',
      'external-fulfillment-robots-processing',
    ],
    ['Selling Partner APIs for Robots', 'robots'],
    ['Amazon Robots API', 'robots'],
    ['The Robots', 'robots'],
    ['API', 'api'],
    ['The Selling Partner API', 'the-selling-partner'],
    ['Selling Partner API for Messaging', 'user-messaging'],
    [
      'A title that goes on and on without ever coming to its end',
      'a-title-that-goes-on-and-on-without-ever',
    ],
    ['x'.repeat(300), 'x'.repeat(40)],
  ])('%s is short and readable', async (title, slug) => {
    expect(await ids([title, 'v1', '/1'])).toEqual([[`${slug}/getIt`, '/1']]);
  });

  test('the longer id of before is still found, and not listed', async () => {
    const title = 'The Selling Partner API for Amazon External Fulfillment Robots Processing';
    const file = await compile(swagger({ '/1': get() }, { info: { title, version: 'v1' } }));
    const registry = await loadRegistry(buildUserOperations([file]));
    const before = 'the-selling-partner-api-for-amazon-external-fulfillment-robo/getIt';
    expect(registry.find(before).id).toBe('external-fulfillment-robots-processing/getIt');
    const { operations } = await registry.list({ search: 'the-selling-partner', limit: 100 });
    expect(operations.filter(({ id }) => id.startsWith('the-selling'))).toEqual([]);
  });

  test('a title without letters still gives an id', async () => {
    expect(await ids(['注文', 'v1', '/1'], ['Größe & Gewicht', 'v1', '/2'])).toEqual([
      ['api/getIt', '/1'],
      ['gro-e-gewicht/getIt', '/2'],
    ]);
  });
});

test('a member or parameter called constructor is asked for, and its absence is noticed', async () => {
  const schema = {
    type: 'object',
    required: ['constructor'],
    properties: { constructor: { type: 'string' }, valueOf: { type: 'integer' } },
  };
  const parameters = [
    { name: 'toString', in: 'query', required: true, type: 'string' },
    { name: 'body', in: 'body', required: true, schema },
  ];
  const [operation] = buildUserOperations([
    await compile(swagger({ '/a': { post: { operationId: 'post', parameters } } })),
  ]);
  if (operation === undefined) throw new Error('no operation');
  expect(await checkArguments(operation, { toString: 'x' }, { constructor: 'x' })).toEqual([]);
  expect((await checkArguments(operation, {}, {})).map(({ path }) => path)).toEqual([
    'toString',
    'body.constructor',
  ]);
});
