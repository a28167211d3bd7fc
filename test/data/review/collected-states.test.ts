/** Collections of prices, stock and offers leave what they have seen: of whole ones of one marketplace, and of nothing else. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepCollectedStates } from '../../../src/data/review/collected-states.ts';
import type { ListingState } from '../../../src/data/review/compare-states.ts';
import type { CollectionSource, Tables } from '../../../src/data/tables/types.ts';
import { noSnapshots } from '../../helpers/memory-loader.ts';
import { openTestTables } from '../../helpers/tables-worker.ts';

const DE = 'A1PA6795UKMFR9';
let tables: Tables;
beforeAll(async () => {
  tables = await openTestTables();
});
afterAll(() => tables.close());

/** What is left of a collection, by SKU. */
async function left(
  operation: string,
  items: readonly unknown[],
  { parameters = {}, complete = true, home }: { parameters?: object; complete?: boolean; home?: string } = {},
) {
  const source: CollectionSource = { kind: 'operation', operation, parameters: { ...parameters } };
  const loader = await tables.open(source);
  await loader.addItems('t', items);
  const info = await loader.finish({ source, complete, notes: [] });
  const kept: [string, ReadonlyMap<string, Partial<ListingState>>][] = [];
  const snapshots = {
    ...noSnapshots.snapshots,
    keepPart: async (id: string, _at: string, seen: ReadonlyMap<string, Partial<ListingState>>) => {
      kept.push([id, seen]);
    },
  };
  const { signal } = new AbortController();
  await keepCollectedStates(info, { query: tables.query.bind(tables), snapshots }, { home, signal });
  return kept.map(([id, seen]) => [id, Object.fromEntries(seen)]);
}

const offer = (mine: boolean, wins: boolean) => ({ MyOffer: mine, IsBuyBoxWinner: wins });
const OFFERS = [
  { SellerSKU: 'A', error: null, Offers: [offer(false, true), offer(true, false)] },
  { SellerSKU: 'B', error: null, Offers: [offer(true, true)] },
  { SellerSKU: 'C', error: 'HTTP 400' },
];

it('the featured offer, where offers were collected', async () => {
  expect(
    await left('product-pricing/getListingOffers', OFFERS, { parameters: { MarketplaceId: 'DE' } }),
  ).toEqual([[DE, { A: { featured: 0 }, B: { featured: 1 } }]]);
});

it('stock in the warehouses, price and own stock of listings, of the account where no marketplace was named', async () => {
  const held = (sellerSku: string, fulfillableQuantity?: number) => ({
    sellerSku,
    inventoryDetails: { fulfillableQuantity },
  });
  expect(
    await left('fulfilment-inventory/getInventorySummaries', [held('A', 0), held('B', 7), held('C')], {
      home: DE,
    }),
  ).toEqual([[DE, { A: { stock: 0 }, B: { stock: 7 } }]]);
  const price = (offerType: string, amount: string) => ({
    offerType,
    price: { amount, currencyCode: 'EUR' },
  });
  const stock = (fulfillmentChannelCode: string, quantity?: number) => ({ fulfillmentChannelCode, quantity });
  expect(
    await left(
      'listings-items/searchListingsItems',
      [
        {
          sku: 'A',
          offers: [price('B2B', '1.00'), price('B2C', '2.50')],
          fulfillmentAvailability: [stock('DEFAULT', 4)],
        },
        { sku: 'B', offers: [price('B2C', '3.00')], fulfillmentAvailability: [stock('AMAZON_EU')] },
        { sku: 'C', offers: [] },
      ],
      { parameters: { marketplaceIds: [DE] } },
    ),
  ).toEqual([[DE, { A: { price: 2.5, currency: 'EUR', stock: 4 }, B: { price: 3, currency: 'EUR' } }]]);
});

it('nothing of what is not whole, of several marketplaces or none, of other operations or other columns', async () => {
  const id = 'product-pricing/getListingOffers';
  expect(await left(id, OFFERS, { home: DE, complete: false })).toEqual([]);
  expect(await left(id, OFFERS)).toEqual([]);
  expect(await left(id, OFFERS, { parameters: { marketplaceIds: [DE, 'A13V1IB3VIYZZH'] } })).toEqual([]);
  expect(await left(id, [{ SellerSKU: 'A', seen: 1 }], { home: DE })).toEqual([]);
  expect(await left('orders/searchOrders', OFFERS, { home: DE })).toEqual([]);
});
