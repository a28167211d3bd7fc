/** A fee is asked for at the price of the listing where none was given, and at the given one wherever there is one. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { InputError } from '../../src/base/errors.ts';
import type { CallInput } from '../../src/call/client-types.ts';
import { fillFeePrice, fillFeePrices, lacksFeeParts } from '../../src/call/fee-prices.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';

const { find } = await loadRegistry();
const FEES = find('fees/getMyFeesEstimateForSKU');
const DE = 'A1PA6795UKMFR9';
const FR = 'A13V1IB3VIYZZH';
const OWNER = { name: 'default', baseUrl: 'https://service.example', authUrl: 'https://identity.example' };

const fee = (sku: unknown, request?: object, more: Partial<CallInput> = {}): CallInput => ({
  operation: FEES,
  parameters: { SellerSKU: sku },
  body: request && { FeesEstimateRequest: request },
  account: 'default',
  owner: OWNER,
  ...more,
});
const offer = (amount: unknown, more: object = {}) => ({
  marketplaceId: DE,
  offerType: 'B2C',
  price: { currencyCode: 'EUR', amount },
  ...more,
});
const listing = (sku: string, offers: object[] = [offer('12.50')], channels: string[] = ['DEFAULT']) => ({
  sku,
  offers,
  fulfillmentAvailability: channels.map((fulfillmentChannelCode) => ({ fulfillmentChannelCode })),
});

async function fill(inputs: CallInput[], listings: object[], answer?: { body: unknown }) {
  const calls: CallInput[] = [];
  const bySku = new Map(listings.map((each) => [Reflect.get(each, 'sku'), each]));
  const filled = await fillFeePrices(inputs, {
    client: {
      prepare: async ({ operation: { method }, parameters }) => {
        const ids = z.array(z.string()).default([DE]).parse(parameters.marketplaceIds);
        return {
          owner: OWNER,
          method,
          url: '',
          headers: {},
          parameters,
          filledIn: {},
          marketplaces: [{ id: String(ids[0]), name: 'x' } as never],
        };
      },
    },
    find,
    async read(input) {
      calls.push(input);
      if (answer !== undefined) return answer;
      const { sku, identifiers } = input.parameters;
      if (sku !== undefined) return { body: bySku.get(sku) };
      const asked = Array.isArray(identifiers) ? identifiers : [];
      // The service answers in another order than it was asked.
      return { body: { items: asked.flatMap((one) => bySku.get(one) ?? []).toReversed() } };
    },
  });
  return { filled, calls };
}

it('it lacks parts only where a fee for a SKU is asked for without its price or channel', () => {
  expect(lacksFeeParts(fee('A'))).toBe(true);
  expect(lacksFeeParts(fee('A', {}))).toBe(true);
  expect(lacksFeeParts(fee('A', undefined, { body: { FeesEstimateRequest: 5 } }))).toBe(true);
  expect(lacksFeeParts(fee('A', { PriceToEstimateFees: null }))).toBe(true);
  expect(lacksFeeParts(fee('A', { PriceToEstimateFees: null, IsAmazonFulfilled: false }))).toBe(false);
  expect(lacksFeeParts(fee(5))).toBe(false);
  expect(lacksFeeParts(fee('A', {}, { operation: find('fees/getMyFeesEstimateForASIN') }))).toBe(false);
});

it('what was given stays, and what is missing comes from the listing there', async () => {
  const members = fc.record(
    {
      MarketplaceId: fc.constantFrom(DE, FR),
      IsAmazonFulfilled: fc.boolean(),
      Identifier: fc.constantFrom('mine', 'A'),
      OptionalFulfillmentProgram: fc.constant('FBA_CORE'),
    },
    { requiredKeys: [] },
  );
  const channels = fc.shuffledSubarray(['DEFAULT', 'AMAZON_EU', 'SHOP']);
  await fc.assert(
    fc.asyncProperty(members, channels, fc.boolean(), async (given, codes, hasPrice) => {
      const price = { ListingPrice: { CurrencyCode: 'SEK', Amount: 1 } };
      const input = fee('A', hasPrice ? { ...given, PriceToEstimateFees: price } : given);
      const marketplace = given.MarketplaceId ?? DE;
      const { filled, calls } = await fill(
        [input],
        [
          listing(
            'A',
            [offer('99', { marketplaceId: 'X' }), offer('7.5', { marketplaceId: marketplace })],
            codes,
          ),
        ],
      );
      if (hasPrice && given.IsAmazonFulfilled !== undefined) {
        expect([filled, calls]).toEqual([[{ input }], []]);
        return;
      }
      const isByAmazon = codes.includes('AMAZON_EU');
      const taken = [
        ...(hasPrice ? [] : ['7.5 EUR']),
        ...(given.IsAmazonFulfilled === undefined ? [isByAmazon ? 'FBA' : 'shipped by the seller'] : []),
      ];
      expect(filled).toEqual([
        {
          input: {
            ...input,
            body: {
              FeesEstimateRequest: {
                MarketplaceId: marketplace,
                IsAmazonFulfilled: isByAmazon,
                Identifier: 'A',
                ...given,
                PriceToEstimateFees: hasPrice
                  ? price
                  : { ListingPrice: { CurrencyCode: 'EUR', Amount: 7.5 } },
              },
            },
          },
          remark: `From the listing in ${marketplace === DE ? 'Germany' : 'France'}: ${taken.join(', ')}.`,
        },
      ]);
      expect(
        calls.map(({ operation, parameters, account, owner }) => [operation.id, parameters, account, owner]),
      ).toEqual([
        [
          'listings-items/getListingsItem',
          {
            ...(given.MarketplaceId && { marketplaceIds: [given.MarketplaceId] }),
            includedData: ['offers', 'fulfillmentAvailability'],
            sku: 'A',
          },
          'default',
          OWNER,
        ],
      ]);
    }),
  );
});

it.each<[string, object[], number | undefined]>([
  ['an offer without a price is passed over', [offer(1, { price: undefined }), offer(2)], 2],
  ['a price for businesses is not the price', [offer(1, { offerType: 'B2B' }), offer(2)], 2],
  ['an offer that names no marketplace is of the one asked for', [offer(3, { marketplaceId: undefined })], 3],
  ['that of another marketplace is none', [offer(4, { marketplaceId: FR })], undefined],
  ['there is none', [], undefined],
])('%s', async (_what, offers, amount) => {
  const { filled } = await fill([fee('A')], [listing('A', offers)]);
  const request = Reflect.get(Object(filled[0]?.input.body), 'FeesEstimateRequest');
  if (amount === undefined) {
    expect(filled[0]?.problem).toMatchObject({
      message: 'The listing has no price in Germany, which fees are asked for; nothing was asked.',
      hint: expect.stringContaining('ListingPrice'),
    });
    expect(filled[0]?.remark).toBeUndefined();
    return;
  }
  expect(request).toMatchObject({ PriceToEstimateFees: { ListingPrice: { Amount: amount } } });
});

it('of many the listings are read twenty a call, those of a comma alone, each marketplace for itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ place: fc.constantFrom(DE, FR), hasComma: fc.boolean(), isThere: fc.boolean() }), {
        maxLength: 50,
      }),
      async (world) => {
        const skus = world.map(({ hasComma }, at) => (hasComma ? `S,${at}` : `S${at}`));
        const inputs = world.map(({ place }, at) => fee(skus[at], { MarketplaceId: place }));
        const there = world.flatMap(({ place, isThere, hasComma }, at) =>
          isThere || hasComma ? [listing(skus[at] ?? '', [offer(at, { marketplaceId: place })])] : [],
        );
        const alone = (marketplace: string) =>
          world.filter((one) => one.place === marketplace && !one.hasComma).length % 20 === 1;
        // The service answers for one alone that is not there with a failure.
        fc.pre(![DE, FR].some(alone));
        const { filled, calls } = await fill(inputs, there);
        for (const [at, { place, isThere, hasComma }] of world.entries()) {
          const one = filled[at];
          if (isThere || hasComma) {
            expect(one?.problem).toBeUndefined();
            expect(one?.remark).toContain(`: ${at} EUR`);
          } else {
            const name = place === DE ? 'Germany' : 'France';
            expect(one?.problem?.message).toBe(
              `There is no listing ${skus[at]} in ${name}; no fee was asked for.`,
            );
          }
        }
        for (const { parameters } of calls) {
          if ('sku' in parameters) expect(String(parameters.sku)).toContain(',');
          else {
            expect(String(parameters.identifiers)).toMatch(/^S\d+(?:,S\d+){1,19}$/);
            expect(parameters).toMatchObject({ identifiersType: 'SKU', pageSize: 20 });
          }
        }
        const most = [DE, FR].reduce((sum, marketplace) => {
          const own = world.filter((one) => one.place === marketplace);
          const plain = own.filter(({ hasComma }) => !hasComma).length;
          return sum + Math.ceil(plain / 20) + own.length - plain;
        }, 0);
        expect(calls).toHaveLength(most);
      },
    ),
    { numRuns: 40 },
  );
});

it('of one alone the problem is thrown, before a fee is asked for', async () => {
  const client = {
    prepare: async () => ({ marketplaces: [{ id: DE }] }),
    call: async () => ({ body: listing('A', []) }),
  };
  const parts = { client: client as never, find, call: {} };
  await expect(fillFeePrice(fee('A'), parts)).rejects.toBeInstanceOf(InputError);
  const given = fee('A', { PriceToEstimateFees: {}, IsAmazonFulfilled: true });
  expect(await fillFeePrice(given, parts)).toEqual({ input: given });
});

it.each([[[]], [null], ['x'], [{ items: {} }], [{ offers: 5, fulfillmentAvailability: [7] }]])(
  'an answer of another shape, %j, is a listing without a price, of one and of many',
  async (body) => {
    for (const skus of [['A'], ['A', 'B']]) {
      const inputs = skus.map((sku) => fee(sku));
      const { filled } = await fill(inputs, [], { body });
      const words = skus.length === 1 ? 'The listing has no price in Germany' : 'There is no listing ';
      expect(filled).toHaveLength(skus.length);
      for (const { problem } of filled) expect(problem?.message).toContain(words);
    }
  },
);
