/** The made-up seller's world: listings, stock and orders that agree with each other, each made when first asked for. */

import { type ListingFixture, listing, offer, stock } from '../fixtures/listing.ts';
import { makeSurcharges } from './aged-inventory.ts';
import { makeFeedback } from './feedback.ts';
import { makeInboundShipments } from './inbound-shipments.ts';
import { type ListingRow, readRow } from './listing-row.ts';
import { makeListings } from './make-listings.ts';
import { makeOrders, type Order } from './make-orders.ts';
import { type Market, marketOf } from './markets.ts';
import { HOUR_MS } from './plain-values.ts';
import { makeRefunds } from './refunds.ts';
import { makeReimbursements } from './reimbursements.ts';
import { makeEvents, makeSettlements } from './settlements.ts';
import { makeStorageFees } from './storage-fees.ts';
import { listStock } from './warehouse-stock.ts';

export type World = ReturnType<typeof createWorld>;

/** @param byHand listings that are part of the world as they are. @param now when the world was made, in milliseconds. @param more further listings. */
export function createWorld(
  byHand: readonly ListingFixture[],
  countries: readonly string[],
  now: number,
  more = 0,
) {
  const markets = countries.map(marketOf);
  const moment = Math.floor(now / HOUR_MS) * HOUR_MS;
  const soldIn = markets.slice(0, 2);
  const listings = once((): readonly ListingFixture[] => [
    ...byHand,
    ...makeListings(markets, moment),
    ...makeMoreListings(markets.slice(0, 1), more),
  ]);
  const bySku = once(() => new Map(listings().map((listing) => [listing.item.sku, listing])));
  const byAsin = once(() => new Map(listings().map((listing) => [listing.asin, listing])));
  const rows = perKey((id: string) => listings().flatMap((listing) => readRow(listing, id) ?? []));
  const orders = once((): readonly Order[] => {
    const shops = soldIn.map((market) => ({ market, rows: made(rows(market.id), byHand) }));
    return makeOrders(shops, moment);
  });
  const stock = perKey((id: string) => listStock(listings(), id, waitingUnits(orders())));
  const inboundShipments = once(() => makeInboundShipments(stock(markets[0]?.id ?? ''), markets[0], moment));
  const refunds = once(() => makeRefunds(orders(), moment));
  const feedback = once(() => makeFeedback(orders(), refunds(), moment));
  const reimbursements = once(() => {
    const [market] = markets;
    if (market === undefined) return [];
    const causes = { market, refunds: refunds(), stock: stock(market.id), shipments: inboundShipments() };
    return makeReimbursements(causes, moment);
  });
  const [home] = markets;
  const storageFees = once(() => (home === undefined ? [] : makeStorageFees(stock(home.id), home, moment)));
  const surcharges = once(() => (home === undefined ? [] : makeSurcharges(stock(home.id), home, moment)));
  const settlements = once(() => makeSettlements({ madeAt: moment, markets, soldIn }));
  const events = once(() => {
    const sources = {
      orders: orders(),
      refunds: refunds(),
      reimbursements: reimbursements(),
      storageCharges: [...storageFees(), ...surcharges()].filter(({ chargedAt }) => chargedAt <= moment),
    };
    return makeEvents(sources, settlements());
  });
  // Listings that are written by hand are found without making the rest.
  return {
    markets,
    /** The moment at which the world was made, in milliseconds; no order is younger. */
    madeAt: moment,
    /** The listings, with those written by hand first. */
    listings,
    findSku: (sku: string) => byHand.find(({ item }) => item.sku === sku) ?? bySku().get(sku),
    findAsin: (asin: string) => byHand.find((listing) => listing.asin === asin) ?? byAsin().get(asin),
    /** One marketplace's listings. */
    rows,
    stock,
    /** The newest stands last. */
    inboundShipments,
    /** Oldest first. */
    orders,
    /** Oldest first. */
    refunds,
    /** The newest stands first. */
    feedback,
    /** The newest stands first. They are the same whichever marketplace is asked for, as at the service. */
    reimbursements,
    /** The oldest stands first. They are those of the first marketplace, in whose warehouses the stock is. */
    storageFees,
    /** The oldest stands first; they are for the same stock. */
    surcharges,
    /** The newest stands first. */
    settlements,
    /** Oldest first. */
    events,
    /** Holds the marketplaces where there are orders. */
    soldIn,
  };
}

/** Leaves out the listings that are written by hand, because some of them are hostile on purpose. */
function made(rows: readonly ListingRow[], byHand: readonly ListingFixture[]): ListingRow[] {
  const skus = new Set(byHand.map(({ item }) => item.sku));
  return rows.filter(({ sku }) => !skus.has(sku));
}

/** Units of open orders that the service's warehouses ship, by SKU. */
function waitingUnits(orders: readonly Order[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { status, fulfilledBy, items } of orders) {
    if (fulfilledBy !== 'AMAZON' || status === 'Shipped' || status === 'Canceled') continue;
    for (const { row, ordered } of items) units.set(row.sku, (units.get(row.sku) ?? 0) + ordered);
  }
  return units;
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The value of an object is made once, when it is first asked for. */
export function perObject<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new WeakMap<Key, { value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
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
  const { id: marketplaceId, currency } = market;
  return Array.from({ length: count }, (_, at) => {
    const number = String(at + 1).padStart(5, '0');
    const itemName = `Hook, Brushed Steel, No. ${at + 1}`;
    return listing(
      { asin: `B0MRE${number}`, sku: `MORE-${number}`, itemName, productType: 'HOOK', marketplaceId },
      {
        attributes: {
          item_name: [{ value: itemName, language_tag: 'en_US', marketplace_id: marketplaceId }],
        },
        issues: [],
        offers: [offer(`${10 + (at % 50)}.00`, currency, marketplaceId)],
        fulfillmentAvailability: stock(25),
      },
    );
  });
}
