/** Many asked for at once: of any answer, in any order and with gaps, each gets its own or a reason. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type BatchCallArguments,
  batchGroupKey,
  buildBatch,
  canBatch,
  readBatch,
  singleRequestOperation,
} from '../../../src/data/collections/batch-calls.ts';
import { type BatchForm, batchForm } from '../../../src/service/facts/batches.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const { find } = await loadRegistry();

const IDS = [
  'product-pricing/getListingOffers',
  'product-pricing/getItemOffers',
  'product-pricing/getFeaturedOfferExpectedPriceBatch',
  'fees/getMyFeesEstimateForSKU',
  'fees/getMyFeesEstimateForASIN',
  'listings-items/getListingsItem',
  'catalog-items/getCatalogItem',
];

const formOf = (id: string): BatchForm => {
  const form = batchForm(id);
  if (form === undefined) throw new Error(`${id} has no form for many`);
  return form;
};

/** The answer to one that was asked for, as the service gives it. */
function answerTo({ by, key }: BatchForm, id: string, isRefused: boolean): object {
  if (by.kind === 'identifiers') return { [key]: id, seen: id };
  if (by.kind === 'estimates') {
    return {
      Status: isRefused ? 'ClientError' : 'Success',
      FeesEstimateIdentifier: { IdValue: id },
      seen: id,
    };
  }
  const status = { statusCode: isRefused ? 400 : 200 };
  const value = isRefused ? { errors: [{ code: 'X', message: 'No' }] } : { payload: { seen: id } };
  return { request: { [key]: id }, status, body: isRefused ? value : { ...value, seen: id } };
}

it('each has its own answer, whatever their order and whatever is missing', () => {
  const one = fc.record({ at: fc.nat(1_000), fate: fc.constantFrom('answered', 'refused', 'missing') });
  const world = fc.record({
    id: fc.constantFrom(...IDS),
    asked: fc.uniqueArray(one, { minLength: 1, maxLength: 20, selector: ({ at }) => at }),
    order: fc.infiniteStream(fc.nat()),
  });
  fc.assert(
    fc.property(world, ({ id, asked, order }) => {
      const form = formOf(id);
      const { by } = form;
      const all: BatchCallArguments[] = asked.map(({ at }) => ({
        parameters: { [form.key]: `S ${at}/x` },
        body: undefined,
        marketplaceId: 'A1PA6795UKMFR9',
      }));
      const expected = asked
        .filter(({ fate }) => fate === 'answered' || (fate === 'refused' && by.kind !== 'identifiers'))
        .map(({ at, fate }) => ({
          at: order.next().value,
          answer: answerTo(form, `S ${at}/x`, fate === 'refused'),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ answer }) => answer);
      const body =
        by.kind === 'identifiers'
          ? { items: expected }
          : by.kind === 'estimates'
            ? expected
            : { responses: expected };
      const outcomes = readBatch(form, body, all);
      expect(outcomes).toHaveLength(all.length);
      for (const [at, { fate, ...each }] of asked.entries()) {
        const outcome = outcomes[at];
        if (fate !== 'answered') expect(outcome).toHaveProperty('problem');
        else expect(outcome).toMatchObject({ items: [{ seen: `S ${each.at}/x` }] });
      }
    }),
  );
});

it('asks as the definitions say: addresses encoded, what is given before what is filled in', () => {
  const one = (parameters: BatchCallArguments['parameters'], body?: unknown): BatchCallArguments => ({
    parameters,
    body,
    marketplaceId: 'M',
  });
  expect(
    buildBatch(formOf('product-pricing/getListingOffers'), [
      one({ SellerSKU: 'A/1', MarketplaceId: 'N', ItemCondition: 'New' }),
    ]).body,
  ).toEqual({
    requests: [
      {
        MarketplaceId: 'N',
        ItemCondition: 'New',
        uri: '/products/pricing/v0/listings/A%2F1/offers',
        method: 'GET',
      },
    ],
  });
  expect(
    buildBatch(formOf('product-pricing/getCompetitiveSummary'), [one({}, { asin: 'B0' })]).body,
  ).toMatchObject({
    requests: [
      { asin: 'B0', marketplaceId: 'M', includedData: ['featuredBuyingOptions', 'referencePrices'] },
    ],
  });
  expect(
    buildBatch(formOf('listings-items/getListingsItem'), [
      one({ sku: 'A', marketplaceIds: ['M'] }),
      one({ sku: 'B', marketplaceIds: ['M'] }),
    ]).parameters,
  ).toEqual({ marketplaceIds: ['M'], identifiers: ['A', 'B'], identifiersType: 'SKU', pageSize: 20 });
});

const FEES = formOf('fees/getMyFeesEstimateForSKU');
const OFFERS = formOf('product-pricing/getListingOffers');
const LISTING = formOf('listings-items/getListingsItem');
const EXPECTED = formOf('product-pricing/getFeaturedOfferExpectedPriceBatch');
const skuOf = (id: string, marketplaceId?: string): BatchCallArguments => ({
  parameters: { SellerSKU: id },
  body: undefined,
  marketplaceId,
});

it('estimates are what is given, by the identifier', () => {
  const request = { FeesEstimateRequest: { Identifier: 'x' } };
  const all = [{ ...skuOf('A'), body: request }, skuOf('B')];
  expect(buildBatch(FEES, all)).toEqual({
    parameters: {},
    body: [
      { ...request, IdType: 'SellerSKU', IdValue: 'A' },
      { IdType: 'SellerSKU', IdValue: 'B' },
    ],
  });
});

it('a row may set the members of one request, of an operation that takes a list alone', () => {
  const operation = find(EXPECTED.operation);
  const one = singleRequestOperation(operation, EXPECTED);
  expect(one).toMatchObject({ id: operation.id, body: { required: true, schema: { type: 'object' } } });
  expect(Object.keys(Object(one.body?.schema.properties)).sort()).toEqual([
    'body',
    'headers',
    'marketplaceId',
    'segment',
    'sku',
  ]);
  const bare = { ...operation, body: { required: true, schema: {} } };
  expect(singleRequestOperation(bare, EXPECTED).body?.schema).toEqual({ type: 'object', properties: {} });
  const without = { ...operation, body: undefined };
  for (const [other, form] of [
    [without, EXPECTED],
    [operation, undefined],
    [find('listings-items/getListingsItem'), LISTING],
  ] as const) {
    expect(singleRequestOperation(other, form)).toBe(other);
  }
});

it('what is the same but for the identifier goes out together, where the search takes it', () => {
  const search = find(LISTING.operation);
  const given = (parameters: object) => ({ parameters: { ...parameters }, body: undefined });
  const group = (parameters: object) => batchGroupKey(LISTING, given(parameters));
  expect(group({ sku: 'A', issueLocale: 'de' })).toBe(group({ sku: 'B', issueLocale: 'de' }));
  expect(group({ sku: 'A', issueLocale: 'de' })).not.toBe(group({ sku: 'A', issueLocale: 'fr' }));
  expect(batchGroupKey(OFFERS, skuOf('A'))).toBe(
    batchGroupKey(OFFERS, { parameters: { ItemCondition: 'New' }, body: {} }),
  );
  expect(canBatch(LISTING, search, given({ sku: 'A', issueLocale: 'de' }))).toBe(true);
  expect(canBatch(LISTING, search, given({ sku: 'A,B' }))).toBe(false);
  expect(canBatch(LISTING, search, given({ sku: 'A', other: 1 }))).toBe(false);
  expect(canBatch(OFFERS, find(OFFERS.operation), given({ SellerSKU: 'A,B', other: 1 }))).toBe(true);
});

it.each<[string, BatchForm, unknown, BatchCallArguments[], unknown[]]>([
  [
    'of two of one name each has that of its marketplace, whatever their order',
    OFFERS,
    {
      responses: ['N', 'M'].map((MarketplaceId) => ({
        request: { SellerSKU: 'A', MarketplaceId },
        body: { payload: MarketplaceId },
      })),
    },
    [skuOf('A', 'M'), skuOf('A', 'N')],
    [
      { items: ['M'], at: ['payload'] },
      { items: ['N'], at: ['payload'] },
    ],
  ],
  [
    'the one of another marketplace is better than none',
    OFFERS,
    { responses: [{ request: { SellerSKU: 'A', MarketplaceId: 'N' }, body: { payload: 1 } }] },
    [skuOf('A', 'M')],
    [{ items: [1], at: ['payload'] }],
  ],
  [
    'of two alike each has one, and a third that is not answered has none',
    OFFERS,
    { responses: ['New', 'Used'].map((payload) => ({ request: { SellerSKU: 'A' }, body: { payload } })) },
    [skuOf('A', 'M'), skuOf('A', 'M'), skuOf('A', 'M')],
    [
      { items: ['New'], at: ['payload'] },
      { items: ['Used'], at: ['payload'] },
      { problem: 'The service left it out of its answer.' },
    ],
  ],
  [
    'the marketplace of an estimate is that of its body',
    FEES,
    ['N', 'M'].map((MarketplaceId) => ({
      FeesEstimateIdentifier: { IdValue: 'A', MarketplaceId },
      MarketplaceId,
    })),
    [
      { ...skuOf('A', 'N'), body: { FeesEstimateRequest: { MarketplaceId: 'M' }, marketplaceId: 'N' } },
      { ...skuOf('A', 'M'), body: { marketplaceId: 'N' } },
    ],
    ['M', 'N'].map((MarketplaceId) => ({
      items: [{ FeesEstimateIdentifier: { IdValue: 'A', MarketplaceId }, MarketplaceId }],
      at: ['payload', 'FeesEstimateResult'],
    })),
  ],
  [
    'what failed says why, as far as it is said',
    FEES,
    [
      { Status: 'ClientError', FeesEstimateIdentifier: { IdValue: 'A' }, Error: { Message: 'No.' } },
      { Status: 'ServiceError', FeesEstimateIdentifier: { IdValue: 'B' } },
    ],
    [skuOf('A'), skuOf('B')],
    [{ problem: 'ClientError: «No.»' }, { problem: 'ServiceError' }],
  ],
  [
    'a status from 300 on is no answer, nor are errors; without either there may be nothing',
    OFFERS,
    {
      responses: [
        { request: { SellerSKU: 'A' }, status: { statusCode: 300 } },
        { request: { SellerSKU: 'B' }, status: { statusCode: 299 }, body: { payload: 1 } },
        { request: { SellerSKU: 'C' }, body: { errors: [{ message: 'No.' }] } },
        { request: { SellerSKU: 'D' }, status: { statusCode: '500' }, body: { payload: 2 } },
        { request: { SellerSKU: 'E' }, status: { statusCode: 200 } },
      ],
    },
    ['A', 'B', 'C', 'D', 'E'].map((id) => skuOf(id)),
    [
      { problem: 'HTTP 300' },
      { items: [1], at: ['payload'] },
      { problem: 'HTTP undefined: «No.»' },
      { items: [2], at: ['payload'] },
      { items: [], at: ['payload'] },
    ],
  ],
  [
    'an answer of another shape has nothing for anybody',
    OFFERS,
    { responses: 'none' },
    [skuOf('A')],
    [{ problem: 'The service left it out of its answer.' }],
  ],
])('%s', (_what, form, answer, all, outcomes) => {
  expect(readBatch(form, answer, all)).toEqual(outcomes);
});
