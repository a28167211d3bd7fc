/** Collections of prices, stock and offers leave what they have seen: of whole ones of one marketplace, and of nothing else. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordCollectedStates } from '../../../src/data/review/collected-states.ts';
import { type ReviewedListingState, stateOfListing } from '../../../src/data/review/compare-states.ts';
import { flattenListing } from '../../../src/data/review/listing-rows.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { noSnapshots } from '../../helpers/memory-loader.ts';
import { openTestTables } from '../../helpers/tables-worker.ts';

const DE = 'A1PA6795UKMFR9';
let tables: Tables;
beforeAll(async () => {
  tables = await openTestTables();
});
afterAll(() => tables.close());

/** Returns what is left of a collection, by SKU. */
async function left(
  operation: string,
  items: readonly unknown[],
  { parameters = {}, complete = true, home }: { parameters?: object; complete?: boolean; home?: string } = {},
) {
  const source: CollectionSource = { kind: 'operation', operation, parameters: { ...parameters } };
  const loader = await tables.openLoader(source);
  await loader.addItems('t', items);
  const kept = await keptOf(await loader.finish({ source, complete, notes: [] }), home);
  return kept.map(([id, _at, seen]) => [id, seen]);
}

async function keptOf(info: CollectionInfo, home: string | undefined) {
  const kept: [string, string, ReadonlyMap<string, Partial<ReviewedListingState>>][] = [];
  const snapshots = {
    ...noSnapshots.snapshots,
    keepPart: async (id: string, at: string, seen: ReadonlyMap<string, Partial<ReviewedListingState>>) => {
      kept.push([id, at, seen]);
    },
  };
  const { signal } = new AbortController();
  await recordCollectedStates(info, { query: tables.query.bind(tables), snapshots }, { home, signal });
  return kept.map(([id, at, seen]) => [id, at, Object.fromEntries(seen)]);
}

/** The same of a report's text. */
async function leftOfReport(
  reportType: string,
  lines: readonly string[],
  more: { marketplaces?: string[]; madeAt?: string | undefined } = {},
) {
  const { marketplaces = [DE], madeAt = '2026-11-24T09:00:00+00:00' } = more;
  const source: CollectionSource = { kind: 'report', reportType, marketplaces, madeAt };
  const loader = await tables.openLoader(source);
  const file = join(loader.folder, 'r.txt');
  await writeFile(file, lines.map((line) => line.replaceAll('|', '\t')).join('\n'));
  await loader.addDocument('t', file, { format: 'tab' });
  const info = await loader.finish({ source, complete: true, notes: [] });
  return keptOf(info, undefined);
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

const WHEN = '2026-11-24T09:00:00.000Z';

it('reports of listings leave price, own stock and status; what the service holds stands in those of its stock', async () => {
  const head = 'item-name|seller-sku|price|quantity|fulfillment-channel|status';
  const rows = ['x|A|2.50|4|DEFAULT|Active', 'y|B|3.00||AMAZON_EU|Inactive', 'z|C|||DEFAULT|Incomplete'];
  expect(await leftOfReport('GET_MERCHANT_LISTINGS_ALL_DATA', [head, ...rows])).toEqual([
    [
      DE,
      WHEN,
      {
        A: { price: 2.5, currency: 'EUR', stock: 4, buyable: 1 },
        B: { price: 3, currency: 'EUR', buyable: 0 },
        C: { buyable: 0 },
      },
    ],
  ]);
  const fba = 'sku|your-price|afn-listing-exists|afn-fulfillable-quantity';
  expect(
    await leftOfReport('GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA', [fba, 'A|9.99|Yes|0', 'B|1.00|No|7']),
  ).toEqual([[DE, WHEN, { A: { price: 9.99, currency: 'EUR', stock: 0 } }]]);
  const afn = 'seller-sku|asin|Warehouse-Condition-code|Quantity Available';
  expect(
    await leftOfReport('GET_AFN_INVENTORY_DATA', [
      afn,
      'A|1|SELLABLE|5',
      'A|1|UNSELLABLE|2',
      'B|2|UNSELLABLE|1',
    ]),
  ).toEqual([[DE, WHEN, { A: { stock: 5 } }]]);
});

it('a report of several marketplaces, of an unknown time, of another head or another type leaves nothing', async () => {
  const lines = ['seller-sku|price|quantity|fulfillment-channel|status', 'A|2.50|4|DEFAULT|Active'];
  const type = 'GET_MERCHANT_LISTINGS_ALL_DATA';
  expect(await leftOfReport(type, lines, { marketplaces: [DE, 'A13V1IB3VIYZZH'] })).toEqual([]);
  expect(await leftOfReport(type, lines, { madeAt: 'soon' })).toEqual([]);
  expect(await leftOfReport(type, ['SKU|preis', 'A|2.50'])).toEqual([]);
  expect(await leftOfReport('GET_MERCHANT_CANCELLED_LISTINGS_DATA', lines)).toEqual([]);
});

const word = fc.constantFrom('1', '90220', 'ghs_class', 'X');
const anIssue = fc.record(
  {
    code: word,
    message: fc.constant('m'),
    attributeNames: fc.array(word, { maxLength: 2 }),
    marketplaceIds: fc.constantFrom([], [DE], ['A13V1IB3VIYZZH']),
    enforcements: fc.record(
      {
        actions: fc.array(
          fc.record({ action: fc.constantFrom('LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED', 'X') }),
          {
            maxLength: 2,
          },
        ),
        exemption: fc.record({
          status: fc.constantFrom('EXEMPT', 'NOT_EXEMPT'),
          expiryDate: fc.constantFrom('2099-01-01T00:00:00Z', '2020-01-01T00:00:00Z'),
        }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['code'] },
);
const aListing = fc.record(
  {
    summaries: fc.array(
      fc.record({
        marketplaceId: fc.constant(DE),
        status: fc.constantFrom([], ['BUYABLE'], ['DISCOVERABLE']),
      }),
      { maxLength: 1 },
    ),
    offers: fc.array(
      fc.record({
        marketplaceId: fc.constant(DE),
        offerType: fc.constantFrom('B2C', 'B2B'),
        price: fc.record({ amount: fc.constantFrom('1.00', '2.50'), currencyCode: fc.constant('EUR') }),
      }),
      { maxLength: 2 },
    ),
    fulfillmentAvailability: fc.array(
      fc.record({ fulfillmentChannelCode: fc.constantFrom('DEFAULT', 'AMAZON_EU'), quantity: fc.nat(3) }),
      { maxLength: 2 },
    ),
    issues: fc.array(anIssue, { maxLength: 3 }),
  },
  { requiredKeys: ['issues'] },
);

it('collected listings leave what a review of the same would, and nothing of what was not asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aListing, { minLength: 20, maxLength: 30 }), async (some) => {
      const items = some.map((listing, at) => ({ sku: `S${at}`, ...listing }));
      const parameters = { marketplaceIds: [DE], includedData: ['issues', 'offers'] };
      const [found] = await left('listings-items/searchListingsItems', items, { parameters });
      const expected = items.map((item) => {
        const listing = flattenListing(item, { id: DE, name: '' }, Date.now());
        if (listing === undefined) throw new Error('no listing');
        const { suppressed, causes, price, currency, stock, buyable } = stateOfListing(
          listing.row,
          listing.issues,
        );
        const known = {
          suppressed,
          causes,
          ...(price === null ? {} : { price, currency }),
          ...(stock === null ? {} : { stock }),
          ...(buyable === null ? {} : { buyable }),
        };
        return [item.sku, known];
      });
      expect(found).toEqual([DE, Object.fromEntries(expected)]);
    }),
    // A collection is dear, a listing is not: four of them hold as many listings as forty small ones.
    { numRuns: 4 },
  );
});
