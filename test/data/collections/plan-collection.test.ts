/**
 * Tests how a request to collect is planned: one of three forms, its arguments as sent and as identified, and
 * refusals before sending.
 */

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../../src/base/errors.ts';
import type { CallInput, CallResult, Client } from '../../../src/call/client-types.ts';
import type { CollectionSources } from '../../../src/data/collections/collection-plan.ts';
import { type CollectionRequest, planCollection } from '../../../src/data/collections/plan-collection.ts';
import type { Operation, Paging, Parameter } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryLoaders } from '../../helpers/memory-loader.ts';
import { operation as anyOperation } from '../../helpers/test-client.ts';

const { find } = await loadRegistry();
const OWNER = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };
const DE = 'A1PA6795UKMFR9';
const notUsed = () => {
  throw new Error('not used');
};

/** A client whose account fills in the seller, and which answers one page. */
function setUp(more: Partial<CollectionSources> = {}) {
  const calls: CallInput[] = [];
  const prepared: CallInput[] = [];
  const client: Client = {
    async call(input): Promise<CallResult> {
      calls.push(input);
      const body = { items: [{ sku: 'A' }], numberOfResults: 1 };
      return { status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner: OWNER };
    },
    async prepare(input) {
      prepared.push(input);
      const { operation, parameters, body } = input;
      const marketplaces =
        parameters.marketplaceIds === undefined
          ? []
          : [{ segments: ['marketplaceIds'], given: 'DE', id: DE }];
      const request = { url: 'https://service.example/x', headers: {}, parameters, body };
      return {
        ...request,
        filledIn: { sellerId: 'S' },
        marketplaces,
        owner: OWNER,
        method: operation.method,
      };
    },
    exchangeToken: notUsed,
    rememberRestrictedToken: notUsed,
    close: async () => undefined,
  };
  const sources: CollectionSources = {
    client,
    downloads: notUsed,
    find,
    account: 'default',
    clock: fakeClock(),
    ...more,
  };
  return { sources, calls, prepared };
}

const refusalOf = async (request: CollectionRequest, more: Partial<CollectionSources> = {}) => {
  const { sources, prepared } = setUp(more);
  const error: unknown = await planCollection(request, sources).catch((thrown: unknown) => thrown);
  expect(prepared).toEqual([]);
  return error;
};

describe('nothing is sent for', () => {
  it.each<[CollectionRequest, number]>([
    [{}, 0],
    [{ parameters: {} }, 0],
    [{ operation: 'searchOrders', report: { type: 'X' } }, 2],
    [{ report: { type: 'X' }, document: { id: 'D' } }, 2],
    [{ operation: 'x', report: { type: 'X' }, document: { id: 'D' } }, 3],
  ])('%j', async (request, count) => {
    expect(await refusalOf(request)).toMatchObject({
      name: 'InputError',
      message: `Exactly one of operation, report and document is taken, not ${count}; nothing was sent.`,
    });
  });

  it.each<[CollectionRequest]>([
    [{ report: { type: 'X' }, parameters: {} }],
    [{ document: { id: 'D' }, body: {} }],
  ])('what belongs to an operation: %j', async (request) => {
    expect(await refusalOf(request)).toMatchObject({
      message: 'parameters, body and each belong to an operation; nothing was sent.',
    });
  });

  it('an operation that writes, or has no pages, or is given the token of a page', async () => {
    expect(await refusalOf({ operation: 'createReport' })).toMatchObject({
      message: expect.stringMatching(
        /^reports\/createReport does not only read \(its effect: \w+\); nothing was sent\.$/,
      ),
      hint: expect.stringContaining('report: {"type": ...}'),
    });
    expect(await refusalOf({ operation: 'getReport' })).toMatchObject({
      message: 'getReport has no pages to collect; nothing was sent.',
      hint: 'Call it with read_operation: it answers at once. Operation: reports/getReport.',
    });
    const parameters = { pageToken: 't' };
    expect(await refusalOf({ operation: 'searchListingsItems', parameters })).toMatchObject({
      message:
        'searchListingsItems was not sent: pageToken is set by collect_data itself, which reads all pages.',
      hint: 'Leave pageToken out.',
    });
  });
});

it('a report and a document are those of their kind', async () => {
  const { sources } = setUp();
  const report = { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaces: ['DE'] };
  expect((await planCollection({ report }, sources)).source).toMatchObject({ kind: 'report' });
  const of = 'feed' as const;
  expect((await planCollection({ document: { id: 'D', of } }, sources)).source).toEqual({
    kind: 'document',
    id: 'D',
    of,
  });
});

/** Plans and works; `sent` are the arguments of the first page. */
async function collect(
  request: CollectionRequest,
  more: Partial<CollectionSources> = {},
  folder = '/nowhere',
) {
  const { sources, calls, prepared } = setUp(more);
  const plan = await planCollection(request, sources);
  const loaders = memoryLoaders();
  const made = await plan.work({
    openLoader: async () => ({ ...(await loaders.open()), folder }),
    signal: new AbortController().signal,
    tell: () => undefined,
    idle: (wait) => wait(),
  });
  return { plan, made, sent: calls[0], prepared, loaders };
}

it('pages are collected where the folder for what is saved of them cannot be had', async () => {
  const failing = async () => {
    throw new ConfigError('No folder.');
  };
  const given = { operation: 'searchListingsItems' };
  const folder = await mkdtemp(join(inject('scratch'), 'plan-collection-'));
  const { made } = await collect(given, { saving: { name: 'listings.jsonl', files: failing } }, folder);
  expect(made.saved).toMatchObject({ files: [], problem: { message: 'No folder.' } });
});

it('pages are asked for at their largest, while the source is known by what was asked', async () => {
  const parameters = { marketplaceIds: ['DE'], pageToken: null };
  const { plan, made, sent, loaders, prepared } = await collect({
    operation: 'searchListingsItems',
    parameters,
  });
  expect(plan).toMatchObject({ recentMs: 600_000, saveAs: undefined });
  expect(plan.source).toEqual({
    kind: 'operation',
    operation: 'listings-items/searchListingsItems',
    parameters: { ...parameters, sellerId: 'S' },
    body: undefined,
  });
  expect(sent).toMatchObject({
    account: 'default',
    owner: OWNER,
    parameters: { ...parameters, pageSize: 20 },
  });
  expect(prepared).toMatchObject([
    { account: 'default', parameters: { pageSize: 20 } },
    { account: 'default', parameters },
  ]);
  expect(loaders.items('ListingsItems')).toEqual([{ sku: 'A' }]);
  expect(made.notes).toEqual([
    `Marketplaces: Germany (${DE}).`,
    expect.stringMatching(/^includedData was not given: /),
  ]);
  expect(made.saved).toBeUndefined();
});

it('a size that was given stays, and the table may have a name of its own', async () => {
  const parameters = { pageSize: 5, includedData: 'all' };
  const { sent, loaders } = await collect({ operation: 'searchListingsItems', parameters, as: 'mine' });
  expect(sent?.parameters).toEqual(parameters);
  expect(loaders.items('mine')).toEqual([{ sku: 'A' }]);
});

const integer = (maximum?: number) => ({
  type: 'integer' as const,
  ...(maximum === undefined ? {} : { maximum }),
});
const parameter = (name: string, maximum?: number): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: integer(maximum),
});
const BY_TOKEN: Paging = {
  by: 'token',
  input: { in: 'query', name: 'next' },
  output: 'next',
  list: 'items',
};
const of = (fields: Partial<Operation>) => {
  const operation = anyOperation({ effect: 'read', paging: BY_TOKEN, ...fields });
  return { find: () => operation };
};

it.each([
  ['pageSize', 50, { pageSize: 50 }],
  ['MaxResults', 50, { MaxResults: 50 }],
  ['maxResultsPerPage', 7, { maxResultsPerPage: 7 }],
  ['limit', 7, { limit: 7 }],
  ['limit', undefined, {}],
  ['limits', 7, {}],
  ['noLimit', 7, {}],
])('a size of pages called %s with the maximum %s', async (name, maximum, sent) => {
  const found = await collect(
    { operation: 'x' },
    of({ parameters: [parameter('other', 9), parameter(name, maximum)] }),
  );
  expect(found.sent?.parameters).toEqual(sent);
  expect(found.made.notes).toEqual([]);
});

it.each([
  ['getOrders', 'Orders'],
  ['GetOrders', 'Orders'],
  ['listThings', 'Things'],
  ['searchListingsItems', 'ListingsItems'],
  ['getaway', 'getaway'],
  ['reget', 'reget'],
])('%s is the table %s', async (name, table) => {
  const { loaders } = await collect({ operation: 'x' }, of({ name }));
  expect(loaders.items(table)).toHaveLength(1);
});

describe('in a body, beside the place of the offset', () => {
  const inBody: Paging = {
    by: 'offset',
    input: { in: 'body', name: 'page.offset' },
    output: 'numberOfResults',
    list: 'items',
  };
  const body = {
    required: true,
    schema: {
      type: 'object' as const,
      properties: { page: { $ref: '#/$defs/Page' }, limit: integer(3) },
    },
  };
  const defs = {
    Page: {
      type: 'object' as const,
      properties: { offset: integer(9), limit: { $ref: '#/$defs/Size' } },
    },
    Size: integer(40),
  };
  const sentFor = async (given: unknown, more: Partial<Operation> = {}) =>
    (await collect({ operation: 'x', body: given }, of({ paging: inBody, body, defs, ...more }))).sent?.body;

  it('the largest is asked for where none is given', async () => {
    expect(await sentFor({ a: 1 })).toEqual({ a: 1, page: { limit: 40 } });
    expect(await sentFor({ page: { offset: 0 } })).toEqual({ page: { offset: 0, limit: 40 } });
    expect(await sentFor({ page: { limit: 2 } })).toEqual({ page: { limit: 2 } });
    expect(await sentFor(undefined)).toBeUndefined();
  });

  it('and nothing where none is known', async () => {
    expect(await sentFor({ a: 1 }, { defs: { ...defs, Size: integer() } })).toEqual({ a: 1 });
    expect(await sentFor({ a: 1 }, { defs: { ...defs, Page: {} } })).toEqual({ a: 1 });
    expect(await sentFor({ a: 1 }, { body: { required: true, schema: {} } })).toEqual({ a: 1 });
    expect(await sentFor({ a: 1 }, { paging: BY_TOKEN })).toEqual({ a: 1 });
    expect(await sentFor({ a: 1 }, { body: undefined })).toEqual({ a: 1 });
  });

  it('the source is known by the body as it is sent', async () => {
    const { plan } = await collect({ operation: 'x', body: { a: 1 } }, of({ paging: inBody, body, defs }));
    expect(plan.source).toMatchObject({ body: { a: 1, page: { limit: 40 } } });
  });
});

it('documents in items are told in words', async () => {
  const describe: CollectionSources['describe'] = async (_operation, items) => items.map(() => 'a document');
  const { loaders } = await collect({ operation: 'x' }, { ...of({}), describe });
  expect(loaders.items('Thing')).toEqual(['a document']);
});
