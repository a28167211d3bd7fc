/** Tests that operations are read from both formats, with the made-up files of this folder. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildUserOperations } from '../../../src/definitions/store/user-operations.ts';
import { compile, get, openapi, swagger } from '../helpers.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8');
const depot = async () => compile(fixture('parcels.json'), 'parcels.json');
const stalls = async () => compile(fixture('stalls.yaml'), 'stalls.yaml');

describe('Swagger 2.0', () => {
  test('operations with ids, paths, effects, rates and parameters', async () => {
    const operations = buildUserOperations([await depot()]);
    expect(operations.map(({ id, method, path, effect }) => [id, method, path, effect])).toEqual([
      ['parcel-depot/listParcels', 'GET', '/depot/v2/parcels', 'read'],
      ['parcel-depot/createParcel', 'POST', '/depot/v2/parcels', 'write'],
      ['parcel-depot/getParcel', 'GET', '/depot/v2/parcels/{parcelId}', 'read'],
      ['parcel-depot/deleteParcel', 'DELETE', '/depot/v2/parcels/{parcelId}', 'delete'],
    ]);
    expect(operations[0]).toMatchObject({
      group: 'Parcel Depot',
      version: 'v2',
      source: 'user',
      auth: { kind: 'seller' },
      rate: { requestsPerSecond: 2, burst: 30 },
      parameters: [
        {
          name: 'states',
          in: 'query',
          required: true,
          collectionFormat: 'csv',
          schema: { items: { enum: ['NEW', 'SENT'] } },
        },
        { name: 'tags', in: 'query', required: false, collectionFormat: 'multi' },
        { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 50 } },
        { name: 'open', in: 'query', required: false, schema: { type: 'boolean' } },
        { name: 'Accept-Language', in: 'header', required: false },
      ],
    });
  });

  test('a body that contains itself keeps its reference', async () => {
    const [, create] = buildUserOperations([await depot()]);
    expect(create?.body).toEqual({ required: true, schema: { $ref: '#/$defs/Parcel' } });
    expect(create?.defs?.Parcel?.properties?.inner).toEqual({ $ref: '#/$defs/Parcel' });
  });

  test('an operation that takes a form is told, the others stay', async () => {
    expect((await depot()).skipped).toEqual([
      { operation: 'POST /parcels/{parcelId}/label', reason: 'takes a form, not JSON' },
    ]);
  });
});

describe('OpenAPI 3', () => {
  test('servers, styles, cookies, the headers that are the client’s, and names with spaces', async () => {
    const [one, change] = buildUserOperations([await stalls()]);
    expect(one).toMatchObject({
      id: 'market-stalls/stalls.get-one',
      path: '/market/stalls/{row}.{place}',
      version: '1',
    });
    expect(one?.parameters).toEqual([
      { name: 'row', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'place', in: 'path', required: true, schema: { type: 'string', minLength: 1, maxLength: 8 } },
      {
        name: 'with',
        in: 'query',
        required: false,
        schema: { type: 'array', items: { type: 'string' } },
        collectionFormat: 'multi',
      },
      {
        name: 'only',
        in: 'query',
        required: false,
        schema: { type: 'array', items: { type: 'string' } },
        collectionFormat: 'csv',
      },
      {
        name: 'bars',
        in: 'query',
        required: false,
        schema: { type: 'array', items: { type: 'string' } },
        collectionFormat: 'pipes',
      },
    ]);
    expect(change?.idempotencyKey).toEqual({ in: 'header', name: 'X-Idempotency-Key' });
  });

  test('alternatives are loosened to what any of them accepts', async () => {
    const [, change] = buildUserOperations([await stalls()]);
    expect(change?.body).toEqual({
      required: true,
      schema: {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { enum: ['fixed', 'open'] },
          price: { type: 'number', nullable: true },
          id: { type: 'string' },
        },
      },
    });
  });

  test('what cannot be called is told with its reason', async () => {
    expect((await stalls()).skipped).toEqual([
      { operation: 'HEAD /stalls/{row}.{place}', reason: 'the method answers with no body' },
      { operation: 'PUT /stalls/picture', reason: 'takes a body that is not JSON' },
    ]);
  });

  test('a path or an operation may have servers of its own', async () => {
    const file = await compile(
      openapi(
        {
          '/a': { ...get({ servers: [{ url: '/op' }] }), servers: [{ url: '/path' }], put: {} },
          '/b': get({ operationId: 'b' }),
        },
        { servers: [{ url: 'https://x.example/base' }] },
      ),
    );
    expect(file.operations.map(({ path }) => path)).toEqual(['/op/a', '/path/a', '/base/b']);
  });

  test.each(['3.0.0', '3.0.3', '3.1.0', '3.1.1'])('version %s', async (openapiVersion) => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { readOnly: true }, c: true },
    };
    const body = { content: { 'application/json; charset=utf-8': { schema } } };
    const file = await compile({
      ...openapi({ '/a': { post: { requestBody: body } } }),
      openapi: openapiVersion,
    });
    expect(file.operations[0]).toMatchObject({
      name: 'post-a',
      body: {
        required: false,
        schema: { required: ['a'], properties: { a: { type: 'string', nullable: true }, b: {}, c: {} } },
      },
    });
  });
});

test('the parameters of an operation go before those of its path', async () => {
  const shared = { name: 'q', in: 'query', type: 'string' };
  const file = await compile(
    swagger({ '/a': { ...get({ parameters: [{ ...shared, type: 'integer' }] }), parameters: [shared] } }),
  );
  expect(file.operations[0]?.parameters).toEqual([
    { name: 'q', in: 'query', required: false, schema: { type: 'integer' } },
  ]);
});
