/** Requests inside a body: what is not documented is refused by its index, before anything is sent. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkInnerRequests,
  checkRestrictedResources,
  listInnerRequests,
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

const token = find('tokens/createRestrictedDataToken');
const buying = (request: unknown) => checkInnerRequests(token, { restrictedResources: [request] });

describe('an address', () => {
  const NOT_A_PATH = 'must be a path that starts with one slash, percent-encoded, without host or query';

  it.each([
    [7, 'must be text'],
    [undefined, 'must be text'],
    [`/${'a'.repeat(1000)}`, 'must have at most 1000 characters, not 1001'],
    ['a/b', NOT_A_PATH],
    ['x/a', NOT_A_PATH],
    ['/a b', NOT_A_PATH],
    ['/a?b', NOT_A_PATH],
    ['/a\\b', NOT_A_PATH],
    ['/a%2', NOT_A_PATH],
    ['/a%g0', NOT_A_PATH],
    ['/a%0g', NOT_A_PATH],
    ['/é', NOT_A_PATH],
    ['/a\n', NOT_A_PATH],
    ['//a', 'must not hold an empty segment'],
    ['/a/', 'must not hold an empty segment'],
    ['/', 'must not hold an empty segment'],
    ['/a/%2e', 'must not hold a dot segment, in whatever encoding'],
    ['/a/../b', 'must not hold a dot segment, in whatever encoding'],
    ['/a%3Fb/c', 'must not hold a query, a fragment or a control character'],
    ['/a/%250a', 'must not hold a query, a fragment or a control character'],
  ])('%j is told as what it is', (path, message) => {
    expect(buying({ method: 'GET', path })).toEqual([{ path: 'body.restrictedResources.0.path', message }]);
  });

  it('may be any path, of any characters that a path holds, up to its longest', () => {
    const character = fc.constantFrom(...`azAZ09_.~!$&'()*+,;=:@-{}`, '%41', '%c3%A9', 'x.');
    const segment = fc.array(character, { maxLength: 9 }).map((parts) => `x${parts.join('')}`);
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        expect(buying({ method: 'GET', path: `/${segments.join('/')}` })).toEqual([]);
      }),
    );
    expect(buying({ method: 'GET', path: `/${'a'.repeat(MAX_INNER_ADDRESS - 1)}` })).toEqual([]);
  });

  it('of a batch is one of those that are documented, with values in it', () => {
    const messagesOf = (uri: string) => check({ ...ITEM, uri }).map(({ message }) => message);
    expect(messagesOf('/products/pricing/v0/items/{Asin}/offers')).toEqual([
      'must not hold a placeholder: write the value itself',
    ]);
    expect(messagesOf('/products/pricing/v0/items/B01')).toEqual([
      'must be /products/pricing/v0/items/{Asin}/offers',
    ]);
  });
});

describe('what is said of a request', () => {
  const at = (member: string) => `body.requests.0${member}`;

  it.each([
    [7, '', 'must be an object'],
    [{ ...ITEM, method: 'PUT' }, '.method', 'must be GET'],
    [{ ...ITEM, headers: 'x' }, '.headers', 'must be an object'],
    [{ ...ITEM, headers: [] }, '.headers', 'must be an object'],
    [
      { ...ITEM, also: 1 },
      '.also',
      'is not known here, and what is inside it is not looked at. ' +
        'Valid: uri, method, headers, MarketplaceId, ItemCondition, CustomerType.',
    ],
  ])('%j', (request, member, message) => {
    expect(check(request)).toEqual([{ path: at(member), message }]);
  });

  it('names every method that a token may be for', () => {
    expect(buying({ method: 'PATCH', path: '/a' })).toEqual([
      { path: 'body.restrictedResources.0.method', message: 'must be GET or PUT or POST or DELETE' },
    ]);
  });

  it('is told for each by its place, with what stands beside the list', () => {
    const body = {
      targetApplication: 'x',
      other: 1,
      restrictedResources: [7, { method: 'GET', path: '/a' }, 8],
    };
    expect(checkInnerRequests(token, body).map(({ path }) => path)).toEqual([
      'body.other',
      'body.restrictedResources.0',
      'body.restrictedResources.2',
    ]);
  });

  it('a body of its own is left out, whatever it is', () => {
    // Both requests get the error for an unknown member; the one with a value also gets the error for a body.
    expect(check({ ...ITEM, body: undefined })).toHaveLength(1);
    expect(check({ ...ITEM, body: '' })).toHaveLength(2);
    expect(
      checkInnerRequests(find('getCompetitiveSummary'), {
        requests: [{ uri: '/products/pricing/2022-05-01/items/competitiveSummary', method: 'GET', body: '' }],
      }),
    ).toContainEqual({ path: at('.body'), message: 'must be left out: what is asked has none' });
  });
});

describe('a header of a request', () => {
  it.each(['', 'de', 'de-DE, en;q=0.9', ' ~'])('may be %j', (value) => {
    expect(check({ ...ITEM, headers: { 'Accept-Language': value, LOCALE: value } })).toEqual([]);
  });

  it.each(['a\n', '\nb', 'é', '\x7f', '\t', 7, null, ['de']])('may not be %j', (value) => {
    expect(check({ ...ITEM, headers: { locale: 'de', 'Accept-Language': value } })).toEqual([
      { path: 'body.requests.0.headers', message: 'must hold no header that a call cannot set' },
    ]);
  });

  it('may be missing altogether', () => {
    expect(check({ ...ITEM, headers: {} })).toEqual([]);
    expect(check({ ...ITEM, headers: undefined })).toEqual([]);
  });
});

describe('a body without a list', () => {
  const operation = find('getItemOffersBatch');

  it.each([undefined, null, 'x', 7, ['x']])('%j is for the check of shapes', (body) => {
    expect(checkInnerRequests(operation, body)).toEqual([]);
  });

  it.each([{}, { requests: null }, { requests: undefined }, { requests: [] }])('%j is empty', (body) => {
    expect(checkInnerRequests(operation, body)).toEqual([]);
    expect(checkInnerRequests(operation, { ...body, more: 1 })).toMatchObject([{ path: 'body.more' }]);
  });

  it('is told with what stands beside it', () => {
    expect(checkInnerRequests(operation, { requests: 'x', more: 1 })).toEqual([
      { path: 'body.more', message: expect.stringContaining('Valid: requests.') },
      { path: 'body.requests', message: 'must be a list' },
    ]);
  });

  it('is refused from the first element too many on', () => {
    const most = Array.from({ length: MAX_INNER_REQUESTS }, () => ITEM);
    expect(checkInnerRequests(operation, { requests: most })).toEqual([]);
    expect(checkInnerRequests(operation, { requests: [...most, ITEM], more: 1 })).toMatchObject([
      { path: 'body.more' },
      { path: 'body.requests', message: 'must have at most 100 elements, not 101; send several calls' },
    ]);
  });
});

describe('the requests of a body', () => {
  it('are those that are objects, each with its place, as many as are sent', () => {
    const list = [{ a: 1 }, 'x', { b: 2 }, null, []];
    expect(listInnerRequests(token, { restrictedResources: list })).toEqual([
      { request: { a: 1 }, at: 'body.restrictedResources.0' },
      { request: { b: 2 }, at: 'body.restrictedResources.2' },
    ]);
    const many = Array.from({ length: MAX_INNER_REQUESTS + 5 }, () => ITEM);
    expect(listInnerRequests(token, { restrictedResources: many })).toHaveLength(MAX_INNER_REQUESTS);
  });

  it.each([undefined, null, 'x', [], {}, { restrictedResources: 'x' }, { requests: [ITEM] }])(
    'are none in %j',
    (body) => {
      expect(listInnerRequests(token, body)).toEqual([]);
    },
  );

  it('are none of an operation that has none', () => {
    expect(listInnerRequests(find('getOrder'), { requests: [ITEM], restrictedResources: [ITEM] })).toEqual(
      [],
    );
  });
});

describe('what a restricted token is asked for', () => {
  const known = [find('orders/getOrderAddress'), find('feeds/createFeed')];
  const ORDER = '/orders/v0/orders/902-1/address';
  const asked = (...restrictedResources: readonly unknown[]) =>
    checkRestrictedResources(token, { restrictedResources }, known).map(({ path }) => path);

  it('is a known operation, with its method and its path', () => {
    expect(
      asked({ method: 'GET', path: ORDER }, { method: 'POST', path: '/feeds/2021-06-30/feeds' }),
    ).toEqual([]);
    expect(asked({ method: 'GET', path: '/orders/v0/orders/{orderId}/address' })).toEqual([]);
    const wrong = [
      { method: 'POST', path: ORDER },
      { method: 'GET', path: `${ORDER}/more` },
      { method: 'GET', path: '/feeds/2021-06-30/feeds' },
    ];
    expect(asked({ method: 'GET', path: ORDER }, ...wrong)).toEqual(
      [1, 2, 3].map((i) => `body.restrictedResources.${i}.path`),
    );
    expect(checkRestrictedResources(token, { restrictedResources: wrong.slice(0, 1) }, known)).toEqual([
      {
        path: 'body.restrictedResources.0.path',
        message:
          'is, with this method, the path of no operation that is known here; list_known_operations finds them',
      },
    ]);
  });

  it('is not told twice where it is wrong in itself', () => {
    const long = (length: number) => `/${'a'.repeat(length - 1)}`;
    expect(
      asked(
        { method: 'PATCH', path: '/x' },
        { method: 7, path: '/x' },
        { method: 'GET', path: 7 },
        { method: 'GET', path: long(MAX_INNER_ADDRESS + 1) },
        'x',
      ),
    ).toEqual([]);
    expect(asked({ method: 'GET', path: long(MAX_INNER_ADDRESS) })).toHaveLength(1);
  });

  it('is looked at for tokens only', () => {
    const batch = { requests: [{ ...ITEM, uri: '/nowhere' }] };
    expect(checkRestrictedResources(find('getItemOffersBatch'), batch, known)).toEqual([]);
    expect(checkRestrictedResources(find('getOrder'), batch, known)).toEqual([]);
  });
});
