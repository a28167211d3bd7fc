/** Listings of a feed are the same when they are unpacked, however many they are, and however often. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isListingsFeed,
  listingsOf,
  packListings,
  valuesOfFeed,
} from '../../../../src/write/run/items/packed-listings.ts';

const listing = fc.record(
  {
    n: fc.integer(),
    sku: fc.string(),
    productType: fc.string(),
    patches: fc.array(fc.jsonValue(), { maxLength: 2 }),
    basis: fc.string(),
    isPersonal: fc.boolean(),
    cannotUndo: fc.string(),
    undoes: fc.string(),
    members: fc.array(fc.record({ segments: fc.array(fc.oneof(fc.string(), fc.nat())) }), { maxLength: 2 }),
  },
  { requiredKeys: ['n', 'sku', 'productType', 'patches'] },
);

it('in parts of a hundred', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(listing, { maxLength: 3 }),
      fc.constantFrom(0, 1, 99, 100, 101, 200, 250),
      async (some, many) => {
        const all =
          some.length === 0
            ? []
            : Array.from({ length: many }, (_, at) => ({
                n: at,
                sku: 'S',
                productType: 'P',
                patches: [],
                ...some[at % some.length],
              }));
        const value = await packListings(all);
        expect(value.packed).toHaveLength(Math.ceil(all.length / 100));
        const plain: unknown = JSON.parse(JSON.stringify(all));
        const found = listingsOf(value);
        expect([...(found ?? [])]).toEqual(plain);
        expect([...(found ?? [])]).toEqual(plain);
        expect([...(listingsOf({ all: plain }) ?? [])]).toEqual(plain);
        expect([isListingsFeed(value), isListingsFeed({ all: plain })]).toEqual([true, true]);
      },
    ),
    { numRuns: 10 },
  );
});

it.each([undefined, null, 'x', [], {}, { packed: 'x' }, { all: [{}] }])('%j is no feed of ours', (value) => {
  expect(listingsOf(value)).toBeUndefined();
});

it('what holds neither is no feed', () => {
  expect([undefined, [], {}, { packed: 'x' }, { all: {} }].map(isListingsFeed)).toEqual(Array(5).fill(false));
});

it('each tells what it changes, where that may be known', () => {
  const listing = { n: 1, productType: 'P', patches: [] };
  const members = [{ segments: ['attributes', 'item_name'], after: 'Lamp' }];
  const value = {
    kind: 'feed',
    marketplaceIds: ['M1'],
    all: [
      { ...listing, sku: 'S1', members },
      { ...listing, sku: 'S2' },
    ],
  };
  expect([...(valuesOfFeed({ key: '', value }) ?? [])]).toEqual([
    { parameters: { sku: 'S1', marketplaceIds: ['M1'] }, members },
    { parameters: { sku: 'S2', marketplaceIds: ['M1'] }, members: [] },
  ]);
  expect(valuesOfFeed({ key: '', value: {} })).toBeUndefined();
});
