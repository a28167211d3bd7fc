/** The work of a review over generated accounts: every listing once, its stock asked for in few calls, and what is not there told. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ApiError, InputError, RateLimitError, TimeoutError } from '../../../src/base/errors.ts';
import { toObject } from '../../../src/base/json.ts';
import type { CallInput, CallResult, Client } from '../../../src/call/client-types.ts';
// This module is imported early, because loading it later would take hours of the simulated clock.
import '../../../src/data/collections/collect-report.ts';
import type { RunProgress } from '../../../src/data/collections/collection-plan.ts';
import { planReview, type ReviewRequest } from '../../../src/data/review/plan-review.ts';
import type { CollectionInfo, SqlValue, Tables } from '../../../src/data/tables/table-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryLoaders, noSnapshots } from '../../helpers/memory-loader.ts';

const { find } = await loadRegistry();
const folder = await mkdtemp(join(tmpdir(), 'seller-review-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const OWNER = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };

const INFO: CollectionInfo = {
  id: 'x',
  account: 'default',
  source: { kind: 'operation', operation: 'review_listings', parameters: {} },
  collectedAt: '',
  complete: true,
  tables: [],
  notes: [],
  bytes: 1,
};

/** Undefined: the service's warehouses hold it. */
interface Shelf {
  sku: string;
  own?: number;
}

interface World {
  shelves: readonly Shelf[];
  /** Answers in the place of the service; what is thrown is an answer too. */
  before?: (name: string, input: CallInput) => unknown;
  /** Replaces the methods of the tables. */
  tables?: Partial<Tables>;
  /** A place for the rows is asked for. */
  onOpen?: () => void;
}

const shown = ({ sku, own }: Shelf) => ({
  sku,
  offers: [{ price: { amount: '2.00', currencyCode: 'EUR' } }],
  issues: [{ code: 'I', severity: 'ERROR', message: sku }],
  fulfillmentAvailability: [
    own === undefined
      ? { fulfillmentChannelCode: 'AMAZON_EU' }
      : { fulfillmentChannelCode: 'DEFAULT', quantity: own },
  ],
});

/** How many the warehouses have of a SKU. */
const heldOf = (sku: string) => sku.length;

const textsOf = (value: unknown) => [value].flat().map(String);

/** The service of a seller with these listings. */
function answerOf(name: string, { parameters }: CallInput, shelves: readonly Shelf[]): unknown {
  if (name === 'getMarketplaceParticipations') return { payload: [{ marketplace: { id: DE } }] };
  if (name === 'getInventorySummaries') {
    const wanted = textsOf(parameters.sellerSkus ?? parameters.sellerSku);
    const summaries = wanted.map((sellerSku) => ({
      sellerSku,
      inventoryDetails: { fulfillableQuantity: heldOf(sellerSku), inboundShippedQuantity: 4 },
    }));
    return { payload: { inventorySummaries: summaries } };
  }
  if (name === 'getListingsItem') {
    const one = shelves.find(({ sku }) => sku === parameters.sku);
    if (one === undefined) throw new ApiError({ status: 404 }, 'Not there.');
    return shown(one);
  }
  const found =
    parameters.identifiers === undefined
      ? shelves
      : shelves.filter(({ sku }) => textsOf(parameters.identifiers).includes(sku));
  const from = Number(parameters.pageToken ?? 0);
  const to = from + Number(parameters.pageSize);
  return {
    numberOfResults: found.length,
    pagination: to < found.length ? { nextToken: String(to) } : {},
    items: found.slice(from, to).map(shown),
  };
}

/** Reviews once, and gives what was asked, told and left. */
async function review(
  { shelves, before, tables = {}, onOpen = () => {} }: World,
  request: ReviewRequest = {},
) {
  const clock = fakeClock();
  const loaders = memoryLoaders();
  const expected: Record<string, string> = {};
  const inputs: CallInput[] = [];
  const reports: RunProgress[] = [];
  const notUsed = () => {
    throw new Error('not used');
  };
  const client: Client = {
    async call(input): Promise<CallResult> {
      inputs.push(input);
      const { name } = input.operation;
      const body = before?.(name, input) ?? answerOf(name, input, shelves);
      return { status: 200, headers: {}, body, bytes: 1, filledIn: {}, owner: OWNER };
    },
    async prepare({ operation, parameters }) {
      const ids = parameters.marketplaceIds === undefined ? [DE] : textsOf(parameters.marketplaceIds);
      const marketplaces = ids.map((id) => ({
        segments: ['marketplaceIds'],
        given: id,
        id,
        ...(id.startsWith('X') ? { warning: `${id} is doubtful.` } : {}),
      }));
      const request = { url: 'https://service.example/x', headers: {}, parameters, filledIn: {} };
      return { ...request, marketplaces, owner: OWNER, method: operation.method };
    },
    exchangeToken: notUsed,
    rememberRestrictedToken: notUsed,
    close: async () => undefined,
  };
  const openLoader = async () => {
    onOpen();
    return {
      ...(await loaders.open()),
      folder,
      async expectItems(table: string, [item]: readonly unknown[]) {
        expected[table] = Object.keys(Object(item)).join(' ');
      },
    };
  };
  const all: Tables = {
    folder,
    openLoader,
    list: async () => [],
    find: async () => undefined,
    lastOfKind: async () => undefined,
    query: async () => ({ columns: [], rows: [], total: 0, tables: [], notes: [] }),
    export: notUsed,
    remove: async () => undefined,
    close: async () => undefined,
    makeScratch: notUsed,
    ...noSnapshots,
    ...tables,
  };
  const downloads = async () => ({ download: notUsed, close: async () => undefined });
  const sources = { client, downloads, find, account: 'default', clock };
  const plan = await planReview(request, sources, all);
  let isOver = false;
  const work = plan.work({
    openLoader: openLoader,
    signal: new AbortController().signal,
    tell: (progress) => reports.push(progress),
    idle: (wait) => wait(),
  });
  const over = () => {
    isOver = true;
  };
  void work.then(over, over);
  while (!isOver) await clock.advance(20_000);
  const made = await work;
  const asked = (name: string) =>
    inputs.filter(({ operation }) => operation.name === name).map(({ parameters }) => parameters);
  const rows = (table: string) => loaders.items(table) ?? [];
  return { plan, made, asked, reports, rows, expected, messages: reports.map(({ message }) => message) };
}

const shelf = fc.record(
  { sku: fc.stringMatching(/^[A-C],?[a-z]{0,3}$/), own: fc.nat({ max: 9 }) },
  { requiredKeys: ['sku'] },
);
const anyShelves = fc.uniqueArray(shelf, { maxLength: 130, selector: ({ sku }) => sku });

const stockRow = ({ sku, own }: Shelf) => ({
  sku,
  marketplace: 'Germany',
  channel: own === undefined ? 'FBA' : 'seller',
  quantity: own ?? heldOf(sku),
  inbound: own === undefined ? 4 : null,
  stock_amount: 2 * (own ?? heldOf(sku)),
});

const bySku = (one: { sku: string }, other: { sku: string }) => (one.sku < other.sku ? -1 : 1);
const sorted = (rows: readonly unknown[]) => rows.map((row) => Object(row)).toSorted(bySku);

/** The offers of one listing, and whether the featured one is the seller's. */
const OFFER_FATES: Readonly<Record<string, { body: unknown; featured: number | null }>> = {
  own: {
    body: { payload: { Offers: [{ IsBuyBoxWinner: false }, { MyOffer: true, IsBuyBoxWinner: true }] } },
    featured: 1,
  },
  another: {
    body: {
      payload: {
        Offers: [
          { MyOffer: true, IsBuyBoxWinner: false },
          { MyOffer: false, IsBuyBoxWinner: true },
        ],
      },
    },
    featured: 0,
  },
  none: { body: { payload: { Offers: [] } }, featured: 0 },
  odd: { body: { payload: { Offers: 'x' } }, featured: null },
  refused: { body: { errors: [{ message: 'No.' }] }, featured: null },
};

it('who has the featured offer is asked of every listing with a price, twenty a call, where that is wanted', async () => {
  const listings = fc.uniqueArray(
    fc.record({
      sku: fc.stringMatching(/^[A-C] ?[a-z]{0,3}$/),
      own: fc.nat({ max: 9 }),
      fate: fc.constantFrom(...Object.keys(OFFER_FATES)),
    }),
    { minLength: 1, maxLength: 45, selector: ({ sku }) => sku },
  );
  await fc.assert(
    fc.asyncProperty(listings, fc.boolean(), async (shelves, offers) => {
      const requests: Readonly<Record<string, unknown>>[][] = [];
      const skuIn = ({ uri }: Readonly<Record<string, unknown>>) =>
        decodeURIComponent(String(uri).split('/').at(-2) ?? '');
      const kept: Parameters<Tables['snapshots']['keep']>[0][] = [];
      const { made } = await review(
        {
          shelves,
          before(name, { body }) {
            if (name !== 'getListingOffersBatch') return undefined;
            const asked: Readonly<Record<string, unknown>>[] = Object(body).requests;
            requests.push(asked);
            const responses = asked.map((request) => {
              const SellerSKU = skuIn(request);
              const fate = shelves.find(({ sku }) => sku === SellerSKU)?.fate ?? '';
              const about = { SellerSKU, MarketplaceId: request.MarketplaceId };
              return { request: about, status: { statusCode: 200 }, body: OFFER_FATES[fate]?.body };
            });
            return { responses: responses.toReversed() };
          },
          tables: {
            snapshots: { ...noSnapshots.snapshots, keep: async (one) => void kept.push(one) },
          },
        },
        { offers },
      );
      const states = [...(kept[0]?.states ?? [])];
      expect(states.map(([sku, { featured }]) => [sku, featured])).toEqual(
        shelves.map(({ sku, fate }) => [sku, offers ? OFFER_FATES[fate]?.featured : null]),
      );
      expect(kept).toMatchObject([{ marketplace: { id: DE }, at: made.collectedAt }]);
      expect(requests.flat().map(skuIn)).toEqual(offers ? shelves.map(({ sku }) => sku) : []);
      expect(requests).toHaveLength(offers ? Math.ceil(shelves.length / 20) : 0);
      for (const request of requests.flat())
        expect(request).toMatchObject({ MarketplaceId: DE, ItemCondition: 'New', method: 'GET' });
    }),
  );
});

it('listings and their stock are asked for each marketplace there', async () => {
  const marketplaces = [DE, FR];
  const { asked } = await review({ shelves: [{ sku: 'A' }] }, { marketplaces });
  expect(asked('searchListingsItems')).toEqual(
    marketplaces.map((id) => ({
      marketplaceIds: [id],
      includedData: ['summaries', 'issues', 'offers', 'fulfillmentAvailability'],
      pageSize: 20,
    })),
  );
  expect(asked('getInventorySummaries')).toEqual(
    marketplaces.map((id) => ({
      details: true,
      granularityType: 'Marketplace',
      granularityId: id,
      marketplaceIds: [id],
      sellerSkus: ['A'],
    })),
  );
});

it('reads every listing once by pages of twenty, with the stock of those that the warehouses hold', async () => {
  await fc.assert(
    fc.asyncProperty(anyShelves, async (shelves) => {
      const { made, asked, rows, expected } = await review({ shelves });
      expect(sorted(rows('listings'))).toMatchObject(shelves.toSorted(bySku).map(stockRow));
      expect(sorted(rows('listing_issues'))).toMatchObject(
        shelves.toSorted(bySku).map(({ sku }) => ({ sku })),
      );
      expect(Object.keys(expected)).toEqual(['listings', 'listing_issues']);
      expect(made).toMatchObject({ complete: true });
      expect(made.notes).toEqual([`Germany: ${shelves.length} of ${shelves.length} listings read.`]);
      expect(asked('searchListingsItems')).toHaveLength(Math.max(1, Math.ceil(shelves.length / 20)));
      const held = shelves.filter(({ own }) => own === undefined).map(({ sku }) => sku);
      const stock = asked('getInventorySummaries');
      const alone = stock.flatMap(({ sellerSku }) => (sellerSku === undefined ? [] : textsOf(sellerSku)));
      const lists = stock.flatMap(({ sellerSkus }) =>
        sellerSkus === undefined ? [] : [textsOf(sellerSkus)],
      );
      const plain = held.filter((sku) => !sku.includes(','));
      expect(alone.sort()).toEqual(held.filter((sku) => sku.includes(',')).sort());
      expect(lists.flat().sort()).toEqual(plain.sort());
      expect(lists).toHaveLength(Math.ceil(plain.length / 50));
      for (const list of lists) expect(list.length).toBeLessThanOrEqual(50);
    }),
  );
});

it('of SKUs reads those and no others, twenty a call, each with a comma alone, and names the missing', async () => {
  const skus = fc.array(fc.stringMatching(/^[A-C],?[a-z]{0,2}$/), { maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(anyShelves, skus, async (shelves, wanted) => {
      const { plan, made, asked, rows, reports } = await review({ shelves }, { skus: wanted });
      const all = [...new Set(wanted)].sort();
      expect(plan.source).toMatchObject({ parameters: { marketplaces: [DE], skus: all } });
      const there = shelves.filter(({ sku }) => all.includes(sku)).toSorted(bySku);
      expect(sorted(rows('listings'))).toMatchObject(there.map(stockRow));
      const missing = all.filter((sku) => !there.some((one) => one.sku === sku));
      const named = missing.slice(0, 10).map((sku) => (sku.includes(',') ? `«${sku}»` : sku));
      const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
      const words = missing.length === 0 ? '' : ` Not found: ${named.join(', ')}${more}.`;
      expect(made.notes).toEqual([`Germany: ${there.length} of ${all.length} listings read.${words}`]);
      const plain = all.filter((sku) => !sku.includes(','));
      for (const one of asked('searchListingsItems'))
        expect(one).toMatchObject({ marketplaceIds: [DE], identifiersType: 'SKU' });
      expect(asked('searchListingsItems').flatMap(({ identifiers }) => identifiers)).toEqual(plain);
      expect(asked('searchListingsItems')).toHaveLength(Math.ceil(plain.length / 20));
      expect(asked('getListingsItem')).toEqual(
        all
          .filter((sku) => sku.includes(','))
          .map((sku) => ({ sku, marketplaceIds: [DE], includedData: expect.any(Array) })),
      );
      const calls = Math.ceil(plain.length / 20) + all.length - plain.length;
      expect(reports[0]).toMatchObject({ done: 0, total: all.length });
      expect(reports.at(-2)).toMatchObject({ done: all.length, leftMs: 0 });
      expect(reports[0]?.message).toBe(
        `Germany: 0 of ${all.length} listings${calls === 0 ? '' : `, ${calls} more calls`}`,
      );
    }),
  );
});

it('asks with what a review needs, and tells how far it is and how long the rest takes at the limit', async () => {
  const shelves = Array.from({ length: 45 }, (_, i) => ({ sku: `L${i}`, own: 1 }));
  const { asked, messages } = await review({ shelves });
  const includedData = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];
  const first = { marketplaceIds: [DE], includedData, pageSize: 20 };
  expect(asked('searchListingsItems')).toEqual([
    first,
    { ...first, pageToken: '20' },
    { ...first, pageToken: '40' },
  ]);
  expect(messages).toEqual([
    'Germany: 20 of about 45 items, 2 more calls',
    'Germany: 40 of about 45 items, 1 more call',
    'Germany: 45 of about 45 items',
    'Germany: 45 listings; waits for their stock',
  ]);
  const { requestsPerSecond = 1, burst = 1 } = find('searchListingsItems').rate ?? {};
  const skus = Array.from({ length: 400 }, (_, i) => `L${i}`);
  const { reports } = await review({ shelves }, { skus });
  expect(reports[0]).toMatchObject({
    done: 0,
    total: 400,
    leftMs: ((20 - burst) / requestsPerSecond) * 1_000,
  });
});

it('each marketplace in turn, doubtful ones told, its tables by the ids', async () => {
  const { plan, made, rows } = await review(
    { shelves: [{ sku: 'L', own: 1 }] },
    { marketplaces: [FR, DE, 'X1'] },
  );
  expect(plan.source).toMatchObject({ parameters: { marketplaces: [FR, DE, 'X1'].sort() } });
  expect(rows('listings')).toMatchObject([
    { marketplace: 'France' },
    { marketplace: 'Germany' },
    { marketplace: 'X1' },
  ]);
  expect(made.notes[0]).toBe('X1 is doubtful.');
  expect(made.notes).toHaveLength(4);
});

it('nothing but what the first call needs stands before it: the loader is opened after it', async () => {
  const order: string[] = [];
  const before = (name: string) => void order.push(name);
  await review({ shelves: [{ sku: 'L', own: 1 }], before, onOpen: () => order.push('open') });
  expect(order.slice(0, 2)).toEqual(['searchListingsItems', 'open']);
});

const refuse = (status: number) => () => {
  throw new ApiError({ status }, `Refused with ${status}.`);
};
const on = (names: string, answer: () => unknown) => (name: string) =>
  names.split(' ').includes(name) ? answer() : undefined;
const lives = (...ids: readonly string[]) => ({ payload: ids.map((id) => ({ marketplace: { id } })) });

it('stock that is refused is not known, and is not asked for again', async () => {
  const shelves = Array.from({ length: 1_000 }, (_, i) => ({ sku: `L${i}` }));
  const { made, asked, rows } = await review({ shelves, before: on('getInventorySummaries', refuse(403)) });
  expect(made.notes).toEqual([
    'Germany: 1,000 of 1,000 listings read.',
    'Germany: getInventorySummaries was refused (403), so the stock of FBA listings is not known.',
  ]);
  expect(asked('getInventorySummaries')).toHaveLength(1);
  expect(rows('listings')).toMatchObject(
    shelves.map(() => ({ quantity: null, inbound: null, stock_amount: null })),
  );
});

it.each([
  [{ totalQuantity: 9 }, 9, null],
  [{ totalQuantity: '9' }, null, null],
  [{ totalQuantity: 9, inventoryDetails: {} }, 9, null],
  [{ totalQuantity: 9, inventoryDetails: { fulfillableQuantity: 0, inboundWorkingQuantity: 0 } }, 0, 0],
  [
    {
      inventoryDetails: {
        inboundWorkingQuantity: 1,
        inboundShippedQuantity: 20,
        inboundReceivingQuantity: 300,
        reservedQuantity: 5_000,
      },
    },
    null,
    321,
  ],
])(
  'what the warehouses tell is what can be sold, and what is on its way: %j',
  async (reports, quantity, inbound) => {
    const summaries = {
      payload: { inventorySummaries: ['x', { totalQuantity: 3 }, { ...reports, sellerSku: 'L' }] },
    };
    const { rows } = await review({
      shelves: [{ sku: 'L' }],
      before: on('getInventorySummaries', () => summaries),
    });
    expect(rows('listings')).toMatchObject([{ quantity, inbound }]);
  },
);

it.each([429, 500])(
  'stock that fails with %i is told as not known, and leaves the listings',
  async (status) => {
    const shelves = [{ sku: 'A,B' }, { sku: 'C', own: 2 }];
    const { made, rows } = await review({ shelves, before: on('getInventorySummaries', refuse(status)) });
    expect(made).toMatchObject({ complete: false });
    expect(made.notes.join()).toMatch(/the stock of 1 FBA listings is not known/);
    expect(rows('listings')).toMatchObject([
      { sku: 'C', quantity: 2 },
      { sku: 'A,B', quantity: null },
    ]);
  },
);

it.each([
  ['nothing is found', 'searchListingsItems', () => ({ items: [], numberOfResults: 0 })],
  ['the search is refused', 'searchListingsItems', refuse(403)],
])('where %s and the account sells elsewhere, that is told', async (_what, name, answer) => {
  const before = (asked: string) =>
    asked === name ? answer() : on('getMarketplaceParticipations', () => lives(FR, 'A1F83G8C2ARO7P'))(asked);
  const { made, rows, expected } = await review({ shelves: [], before });
  expect(made).toMatchObject({ complete: true });
  expect(made.notes).toEqual([
    'Germany: this account does not sell there, so there are no listings. It sells in France, United Kingdom.',
  ]);
  expect(rows('listings')).toEqual([]);
  expect(expected.listings).toMatch(/^sku marketplace_id marketplace .* last_updated$/);
  expect(expected.listing_issues).toMatch(/^sku marketplace_id marketplace code .* categories cause$/);
});

it.each([
  ['the account sells there', () => lives(FR, DE)],
  ['nothing is told of where it sells', () => lives()],
  ['that cannot be asked', refuse(403)],
])('where nothing is found and %s, there are just none', async (_what, answer) => {
  const { made } = await review({ shelves: [], before: on('getMarketplaceParticipations', answer) });
  expect(made.notes).toEqual(['Germany: 0 of 0 listings read.']);
});

it.each([
  [403, () => lives(DE)],
  [403, refuse(403)],
  [404, () => lives(DE)],
])('a search that is refused with %i in a marketplace of the account ends it', async (status, answer) => {
  const before = (name: string) =>
    name === 'searchListingsItems' ? refuse(status)() : on('getMarketplaceParticipations', answer)(name);
  await expect(review({ shelves: [], before })).rejects.toMatchObject({ status });
});

it('one SKU that fails in any other way than not being there ends it', async () => {
  const shelves = [{ sku: 'A,B', own: 1 }];
  const run = review({ shelves, before: on('getListingsItem', refuse(400)) }, { skus: ['A,B'] });
  await expect(run).rejects.toMatchObject({ status: 400 });
});

const collected = (columns: readonly string[], more: Partial<CollectionInfo> = {}): CollectionInfo => ({
  id: 'x',
  account: 'default',
  source: { kind: 'document', id: 'x', of: 'report' },
  collectedAt: new Date(fakeClock().wallClock()).toISOString(),
  complete: true,
  tables: [
    { name: 'all_listings', rows: 1, columns: columns.map((name) => ({ name, type: 'text' })), notes: [] },
  ],
  notes: ['of the report'],
  bytes: 1,
  ...more,
});

/** More listings than a search gives: their SKUs come from the report that was collected before. */
async function many(shelves: readonly Shelf[], info: CollectionInfo, total = shelves.length) {
  const asked: string[] = [];
  const query = async (sql: string) => {
    asked.push(sql);
    const rows: SqlValue[][] = shelves.map(({ sku }) => [sku]);
    return { columns: ['sku'], rows, total, tables: [], notes: [] };
  };
  const isFirst = ({ parameters: { identifiers } }: CallInput) => identifiers === undefined;
  const before = (name: string, input: CallInput) =>
    name === 'searchListingsItems' && isFirst(input) ? { numberOfResults: 1_001, items: [] } : undefined;
  const found = await review({ shelves, before, tables: { find: async () => info, query } });
  return { ...found, statement: asked.find((sql) => sql.includes('all_listings')) };
}

it('more than a search gives are read by the SKUs of the report', async () => {
  const shelves = [
    { sku: 'A', own: 1 },
    { sku: 'B,C', own: 2 },
  ];
  const { made, rows, statement } = await many(shelves, collected(['title', '出品者sku']));
  expect(statement).toContain('SELECT DISTINCT "出品者sku" FROM "all_listings"');
  expect(sorted(rows('listings'))).toMatchObject(shelves.map(stockRow));
  expect(made).toMatchObject({ complete: true });
  expect(made.notes).toEqual([
    'Germany: 2 of 1,001 listings read.',
    'Germany has 1,001 listings, and a search gives 1,000: their SKUs were read from the report GET_MERCHANT_LISTINGS_ALL_DATA.',
    'of the report',
  ]);
  const some = await many(shelves, collected(['sku']), 60_000);
  expect(some.made).toMatchObject({ complete: false });
  expect(some.made.notes).toContain(
    'Germany: a review takes 50,000 listings, of 60,000; name the others with skus.',
  );
});

it('the column of SKUs is the one that holds the SKUs of the first page, whatever its heading is', async () => {
  const shelves = [{ sku: '100200', own: 1 }];
  const asked: string[] = [];
  const query = async (sql: string) => {
    asked.push(sql);
    const rows: SqlValue[][] = sql.includes('CASE') ? [[0, 0, 1]] : [['100200']];
    return { columns: [], rows, total: 1, tables: [], notes: [] };
  };
  const before = (name: string, { parameters: { identifiers } }: CallInput) =>
    name === 'searchListingsItems' && identifiers === undefined
      ? { numberOfResults: 1_001, items: [{ sku: '100200' }] }
      : undefined;
  const info = collected(['asin1', 'listing_id', '卖家编号']);
  await review({ shelves, before, tables: { find: async () => info, query } });
  expect(asked.find((sql) => sql.includes('DISTINCT "'))).toContain('SELECT DISTINCT "卖家编号"');
});

it('asks for the report of the listings with English headings', async () => {
  const stop = new InputError('enough');
  const bodies: unknown[] = [];
  const before = (name: string, input: CallInput) => {
    if (name === 'searchListingsItems') return { numberOfResults: 1_001, items: [] };
    if (name === 'getReports') return { reports: [] };
    if (name !== 'createReport') return undefined;
    bodies.push(input.body);
    throw stop;
  };
  await expect(review({ shelves: [], before })).rejects.toBe(stop);
  expect(bodies).toMatchObject([{ reportOptions: { preferredReportDocumentLocale: 'en_US' } }]);
});

it('a thousand are still read by pages', async () => {
  const shelves = Array.from({ length: 1_000 }, (_, i) => ({ sku: `L${i}`, own: 1 }));
  const { asked } = await review({ shelves });
  expect(asked('searchListingsItems')).toHaveLength(50);
});

it.each([
  ['no column of SKUs', collected(['title'])],
  ['no table', collected(['sku'], { tables: [] })],
])('a report with %s says to give them', async (_what, info) => {
  const failure: unknown = await many([], info).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InputError);
  expect(failure).toMatchObject({
    message: expect.stringContaining('report GET_MERCHANT_LISTINGS_ALL_DATA of Germany'),
    hint: 'Give the SKUs: skus: ["LAMP-1", "LAMP-2"].',
  });
});

it.each([
  ['is too old', collected(['sku'], { collectedAt: '2001-01-01T00:00:00Z' })],
  ['is not wanted', collected(['sku'])],
])('a report that %s is asked for, and where it cannot be had, SKUs need none', async (what, info) => {
  const before = (name: string) =>
    name === 'searchListingsItems' ? { numberOfResults: 1_001, items: [] } : refuse(403)();
  const world = { shelves: [], before, tables: { find: async () => info } };
  const run = review(world, { fresh: what === 'is not wanted' });
  await expect(run).rejects.toMatchObject({
    status: 403,
    hint: expect.stringContaining('With skus, review_listings needs no report.'),
  });
});

it('a review of two countries is read anew where one of them was reviewed again since: they would contradict', async () => {
  const kept = { collectedAt: '2026-11-20T08:00:00.000Z' };
  const recentMs = async (...times: string[]) => {
    const list = async () => times.map((at) => ({ marketplaceId: FR, at, file: 'x', isPart: false }));
    const find = async () => ({ ...INFO, ...kept });
    const world = { shelves: [], tables: { find, snapshots: { ...noSnapshots.snapshots, list } } };
    return (await review(world, { marketplaces: [DE, FR] })).plan.recentMs;
  };
  expect(await recentMs(kept.collectedAt)).toBeGreaterThan(0);
  expect(await recentMs(kept.collectedAt, '2026-11-20T08:01:00.000Z')).toBe(0);
});

const BE = 'AMEN7PMS3EDWL';
/** Refuses one marketplace, while the service does not say where the account sells. */
const ofMarketplace =
  (id: string, fail: () => unknown) =>
  (name: string, { parameters }: CallInput) => {
    if (name === 'getMarketplaceParticipations') return { payload: [] };
    return textsOf(parameters.marketplaceIds).includes(id) ? fail() : undefined;
  };
const columnOf = (rows: readonly unknown[], name: string) => rows.map((row) => toObject(row)[name]);

it.each([
  ['refuses', () => new ApiError({ status: 403 }, 'Denied.'), 'Belgium was refused (403): Denied.'],
  ['fails', () => new ApiError({ status: 500 }, 'Broken.'), 'Belgium could not be read: Broken.'],
  ['limits', () => new RateLimitError(1_000, 'Limited.'), 'Belgium could not be read: Limited.'],
  ['does not answer', () => new TimeoutError(1, 'unknown', 'Late.'), 'Belgium could not be read: Late.'],
])(
  'one marketplace that %s leaves the review of the others, told as not all',
  async (_how, failure, note) => {
    const kept: string[] = [];
    const tables = {
      snapshots: {
        ...noSnapshots.snapshots,
        keep: async ({ marketplace }: { marketplace: { id: string } }) => void kept.push(marketplace.id),
      },
    };
    const before = ofMarketplace(BE, () => {
      throw failure();
    });
    const { made, rows } = await review(
      { shelves: [{ sku: 'A', own: 1 }], before, tables },
      { marketplaces: [DE, BE, FR] },
    );
    expect(made).toMatchObject({ complete: false });
    expect(made?.notes[0]).toBe(note);
    expect(columnOf(rows('listings'), 'marketplace_id')).toEqual([DE, FR]);
    // A marketplace that was not read is not taken for empty later.
    expect(kept).toEqual([DE, FR]);
  },
);

it('all marketplaces refused are an error with the reason of each', async () => {
  const before = (name: string) =>
    name === 'getMarketplaceParticipations' ? { payload: [] } : refuse(403)();
  const ended = review({ shelves: [], before }, { marketplaces: [BE, FR] });
  await expect(ended).rejects.toMatchObject({
    status: 403,
    hint: expect.stringMatching(/Belgium was refused \(403\): .*France was refused \(403\): /),
  });
});

it('a SKU that the service refuses takes no other with it, and is named', async () => {
  const shelves = ['A', 'B', 'C'].map((sku) => ({ sku, own: 1 }));
  const isOf = ({ parameters }: CallInput, sku: string) =>
    textsOf(parameters.identifiers ?? parameters.sku).includes(sku);
  const before = (name: string, input: CallInput) =>
    /Listings/.test(name) && isOf(input, 'B') ? refuse(400)() : undefined;
  const { made, rows } = await review({ shelves, before }, { skus: ['A', 'B', 'C', 'D'] });
  expect(columnOf(rows('listings'), 'sku')).toEqual(['A', 'C']);
  expect(made).toMatchObject({ complete: false });
  expect(made?.notes.join()).toMatch(/Not found: D\..*1 listings could not be read .*: B\./);
});
