/** Requests inside a body: what is not documented is refused by its index, before anything is sent. */

import { describe, expect, it } from 'vitest';
import {
  checkInnerRequests,
  MAX_INNER_ADDRESS,
  MAX_INNER_REQUESTS,
} from '../../../src/call/request/check-inner-requests.ts';
import { describeOperation } from '../../../src/service/describe/describe-operation.ts';
import { innerRequests } from '../../../src/service/facts/inner-requests.ts';
import type { JsonSchema } from '../../../src/service/facts/operation.ts';
import { partsOf, resolveSchema } from '../../../src/service/facts/schema-parts.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const { find, operations } = await loadRegistry();
const ITEM = {
  uri: '/products/pricing/v0/items/B01/offers',
  method: 'GET',
  MarketplaceId: 'M',
  ItemCondition: 'New',
};
const check = (request: unknown, name = 'getItemOffersBatch') =>
  checkInnerRequests(find(name), { requests: [request] });

it('every operation that reads and whose body holds methods or addresses has its rules', () => {
  const holds = (schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>, depth = 6): boolean => {
    const shape = resolveSchema(schema, defs);
    const names = Object.keys(shape.properties ?? {});
    return (
      names.some((name) => /^(method|uri|url|path|href)$/i.test(name)) ||
      (depth > 0 && partsOf(shape).some((part) => holds(part, defs, depth - 1)))
    );
  };
  const found = operations.filter(
    ({ effect, body, defs }) => effect === 'read' && body !== undefined && holds(body.schema, defs ?? {}),
  );
  expect(found.map(({ id }) => id).sort()).toEqual(Object.keys(innerRequests).sort());
});

describe('one request of a batch', () => {
  it.each([
    ['/products/pricing/v0/items/B01/offers'],
    ['/products/pricing/v0/items/a%20b%2Fc/offers'],
    ['/products/pricing/v0/items/%C3%A9/offers'],
  ])('may ask %s', (uri) => {
    expect(check({ ...ITEM, uri })).toEqual([]);
  });

  it.each([
    '',
    'products/pricing/v0/items/B01/offers',
    '/products/pricing/v0/items//offers',
    '//evil.example/products/pricing/v0/items/B01/offers',
    '/\\evil.example/offers',
    'https://evil.example/products/pricing/v0/items/B01/offers',
    '/products/pricing/v0/items/B01/offers/',
    '/products/pricing/v0/items/../offers',
    '/products/pricing/v0/items/%2e%2e/offers',
    '/products/pricing/v0/items/%252e%252e/offers',
    '/products/pricing/v0/items/..;x/offers',
    '/products/pricing/v0/items/a%2f..%2fb/offers',
    '/products/pricing/v0/items/a%5c..%5cb/offers',
    '/products/pricing/v0/items/B01/offers?x=1',
    '/products/pricing/v0/items/B01/offers#x',
    '/products/pricing/v0/items/B01%3Fx/offers',
    '/products/pricing/v0/items/B01%2523/offers',
    '/products/pricing/v0/items/B01%0d%0a/offers',
    '/products/pricing/v0/items/{Asin}/offers',
    '/products/pricing/v0/items/B 01/offers',
    '/products/pricing/v0/items/%zz/offers',
    '/PRODUCTS/pricing/v0/items/B01/offers',
    '/products/pricing/v0/listings/B01/offers',
    '/listings/2021-08-01/items/A1/SKU',
    `/${'a'.repeat(MAX_INNER_ADDRESS)}`,
  ])('may not ask %j', (uri) => {
    expect(check({ ...ITEM, uri })).toMatchObject([{ path: 'body.requests.0.uri' }]);
  });

  it.each(['DELETE', 'PUT', 'POST', 'PATCH', 'get', 'GET ', 'GET\r\n', '', null, 1, ['GET'], undefined])(
    'is never sent with method %j',
    (method) => {
      expect(check({ ...ITEM, method })).toMatchObject([{ path: 'body.requests.0.method' }]);
    },
  );

  it.each([
    [{ headers: { Cookie: 'a' } }, 'headers'],
    [{ headers: { 'Accept-Language': 'a\r\nb: c' } }, 'headers'],
    [{ Method: 'DELETE' }, 'Method'],
    [{ URI: '/x' }, 'URI'],
    [{ httpMethod: 'DELETE' }, 'httpMethod'],
  ])('holds nothing that is not documented: %j', (more, member) => {
    expect(check({ ...ITEM, ...more })).toMatchObject([{ path: `body.requests.0.${member}` }]);
  });
});

it('nothing stands beside the list, and the list is one', () => {
  const operation = find('getItemOffersBatch');
  expect(checkInnerRequests(operation, { requests: [ITEM], Requests: [] })).toMatchObject([
    { path: 'body.Requests' },
  ]);
  expect(checkInnerRequests(operation, { requests: { 0: { ...ITEM, method: 'DELETE' } } })).toMatchObject([
    { path: 'body.requests' },
  ]);
  expect(checkInnerRequests(operation, { requests: ['x'] })).toMatchObject([{ path: 'body.requests.0' }]);
  const many = Array.from({ length: MAX_INNER_REQUESTS + 1 }, () => ({ ...ITEM, method: 'DELETE' }));
  expect(checkInnerRequests(operation, { requests: many })).toMatchObject([
    { path: 'body.requests', message: expect.stringContaining(`at most ${MAX_INNER_REQUESTS}`) },
  ]);
});

it.each([
  ['getFeaturedOfferExpectedPriceBatch', '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'],
  ['getCompetitiveSummary', '/products/pricing/2022-05-01/items/competitiveSummary'],
])('%s asks for %s only', (name, uri) => {
  expect(check({ uri, method: 'GET' }, name)).toEqual([]);
  expect(check({ uri: `${uri}/x`, method: 'GET' }, name)).toMatchObject([{ path: 'body.requests.0.uri' }]);
  expect(check({ uri, method: 'GET', body: { method: 'DELETE' } }, name)).toEqual(
    expect.arrayContaining([expect.objectContaining({ path: 'body.requests.0.body' })]),
  );
  expect(check({ uri, method: 'POST' }, name)).toMatchObject([{ path: 'body.requests.0.method' }]);
});

it('operations without inner requests are let be', () => {
  expect(checkInnerRequests(find('getMyFeesEstimates'), { method: 'DELETE', uri: '/x' })).toEqual([]);
});

it('the example of a description shows the documented address', () => {
  const { example } = describeOperation(find('getCompetitiveSummary'));
  expect(JSON.stringify(example.body)).toContain(
    '"uri":"/products/pricing/2022-05-01/items/competitiveSummary"',
  );
  expect(checkInnerRequests(find('getCompetitiveSummary'), example.body)).toEqual([]);
});
