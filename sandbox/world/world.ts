/** The made-up seller's world: listings, stock and orders that agree with each other, each made when first asked for. */

import { type ListingFixture, offer, stock, summary } from '../fixtures/listing.ts';
import { type ListingRow, readRow } from './listing-row.ts';
import { makeListings } from './make-listings.ts';
import { makeOrders, type Order } from './make-orders.ts';
import { type Country, MARKETS, type Market } from './markets.ts';
import { HOUR_MS } from './plain-values.ts';
import { listStock, type WarehouseStock } from './warehouse-stock.ts';

export interface World {
  markets: readonly Market[];
  /** Those written by hand first. */
  listings(): readonly ListingFixture[];
  findSku(sku: string): ListingFixture | undefined;
  findAsin(asin: string): ListingFixture | undefined;
  /** One marketplace's listings. */
  rows(marketplaceId: string): readonly ListingRow[];
  stock(marketplaceId: string): readonly WarehouseStock[];
  /** Oldest first. */
  orders(): readonly Order[];
}

/** @param byHand listings that are part of the world as they are. @param now when the world was made, in milliseconds. @param more further listings. */
export function createWorld(
  byHand: readonly ListingFixture[],
  countries: readonly Country[],
  now: number,
  more = 0,
): World {
  const markets = countries.map((country) => MARKETS[country]);
  const moment = Math.floor(now / HOUR_MS) * HOUR_MS;
  const listings = once(() => [
    ...byHand,
    ...makeListings(markets, moment),
    ...makeMoreListings(markets.slice(0, 1), more),
  ]);
  const bySku = once(() => new Map(listings().map((listing) => [listing.item.sku, listing])));
  const byAsin = once(() => new Map(listings().map((listing) => [listing.asin, listing])));
  const rows = perKey((id: string) => listings().flatMap((listing) => readRow(listing, id) ?? []));
  const orders = once(() => {
    const shops = markets.slice(0, 2).map((market) => ({ market, rows: made(rows(market.id), byHand) }));
    return makeOrders(shops, moment);
  });
  // What is written by hand is found without making the rest.
  return {
    markets,
    listings,
    findSku: (sku) => byHand.find(({ item }) => item.sku === sku) ?? bySku().get(sku),
    findAsin: (asin) => byHand.find((listing) => listing.asin === asin) ?? byAsin().get(asin),
    rows,
    stock: perKey((id: string) => listStock(listings(), id)),
    orders,
  };
}

/** Nobody orders what is written by hand: some of it is hostile on purpose. */
function made(rows: readonly ListingRow[], byHand: readonly ListingFixture[]): ListingRow[] {
  const skus = new Set(byHand.map(({ item }) => item.sku));
  return rows.filter(({ sku }) => !skus.has(sku));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function perKey<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    // Keys are marketplaces that exist; what a caller invents is not kept.
    if (made.size < 30) made.set(key, value);
    return value;
  };
}

// Listings by the thousand for what only large catalogs show: all alike but for their number, sold by the seller.

function makeMoreListings(markets: readonly Market[], count: number): ListingFixture[] {
  const [market] = markets;
  if (market === undefined) return [];
  const { id, currency } = market;
  return Array.from({ length: count }, (_, at) => {
    const number = String(at + 1).padStart(5, '0');
    const asin = `B0MRE${number}`;
    const itemName = `Hook, Brushed Steel, No. ${at + 1}`;
    return {
      asin,
      purpose: 'one of very many',
      marketplaceIds: [id],
      item: {
        sku: `MORE-${number}`,
        summaries: [summary({ asin, itemName, productType: 'HOOK', marketplaceId: id })],
        attributes: { item_name: [{ value: itemName, language_tag: 'en_US', marketplace_id: id }] },
        issues: [],
        offers: [offer(`${10 + (at % 50)}.00`, currency, id)],
        fulfillmentAvailability: stock(25),
      },
    };
  });
}
