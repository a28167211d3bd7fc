/** The offers on a product in a marketplace: the seller's own at its current price, and those of made-up competitors. */

import { SELLER_ID } from '../fixtures/listings.ts';
import { type ListingRow, readRow } from './listing-row.ts';
import type { Market } from './markets.ts';
import { centsOf, toStep } from './plain-values.ts';
import { createSequence, seedOf } from './sequence.ts';
import { fulfillableOf } from './warehouse-stock.ts';
import type { World } from './world.ts';

/** Amounts are in hundredths of the currency. */
export interface Offer {
  sellerId: string;
  /** The seller's SKU; undefined for the offer of a competitor. */
  sku: string | undefined;
  fulfilledBy: ListingRow['fulfilledBy'];
  price: number;
  shipping: number;
  rating: number;
  feedbackCount: number;
  /** True if the offer can be the featured one. */
  isEligible: boolean;
}

export type ProductMarket = NonNullable<ReturnType<typeof readProductMarket>>;

const MAX_COMPETITORS = 4;
/** An offer above this share of the product's usual price is not featured, even without a competitor. */
const THRESHOLD = 1.2;
const SELLERS = 9;

/** Returns what a buyer pays in all. */
export const landedPrice = ({ price, shipping }: Offer): number => price + shipping;

/** @param world as the listing store shows it. @returns undefined where nobody sells this product in this marketplace. */
export function readProductMarket(world: World, asin: string, market: Market) {
  const current = world.listings().find((listing) => listing.asin === asin);
  const own = current && readRow(current, market.id);
  // The competitors do not follow the seller: their prices come from the price that the product had at first.
  const made = world.findAsin(asin);
  const first = made && readRow(made, market.id);
  const usual = centsOf(first?.price ?? own?.price ?? '');
  if (own === undefined && first === undefined) return undefined;
  const threshold = usual === undefined ? undefined : toStep(usual * THRESHOLD, market);
  const ownOffer = own && buildOwnOffer(own, market, threshold);
  const competitors = first === undefined || usual === undefined ? [] : inventOffers(asin, usual, market);
  const offers = [...(ownOffer ?? []), ...competitors].toSorted((a, b) => landedPrice(a) - landedPrice(b));
  const isFeatured = ({ isEligible }: Offer): boolean => isEligible;
  return {
    asin,
    market,
    /** The seller's own offer; undefined if the seller does not list the product. */
    own,
    /** The cheapest comes first; of two at one price the seller's own. */
    offers,
    featured: offers.find(isFeatured),
    /** The offer that is featured when the seller's own is not. */
    competing: competitors.toSorted((a, b) => landedPrice(a) - landedPrice(b)).find(isFeatured),
    threshold,
    salesRank: salesRankOf(asin, market.id),
  };
}

/** Returns the place of the product among all that is sold for the home. */
export const salesRankOf = (asin: string, marketplaceId: string): number =>
  200 + (createSequence(seedOf(`${asin} ${marketplaceId}`))() % 90_000);

/** Returns no offer while the listing has no price, cannot be bought or is out of stock. */
function buildOwnOffer(row: ListingRow, market: Market, threshold = Infinity): Offer[] {
  const price = centsOf(row.price);
  const quantity = row.quantity ?? row.warehoused ?? fulfillableOf(row.sku);
  if (price === undefined || quantity === 0 || !row.status.includes('BUYABLE')) return [];
  return [
    {
      sellerId: SELLER_ID,
      sku: row.sku,
      fulfilledBy: row.fulfilledBy,
      price,
      shipping: shippingOf(row.fulfilledBy, market),
      rating: 97,
      feedbackCount: 1_284,
      isEligible: price <= threshold,
    },
  ];
}

/** Three products of ten have no competitor; the others are sold from 7 percent below to 10 percent above the usual price. */
function inventOffers(asin: string, usual: number, market: Market): Offer[] {
  const next = createSequence(seedOf(`${asin} ${market.country}`));
  const count = next() % 10 < 3 ? 0 : 1 + (next() % MAX_COMPETITORS);
  const first = next();
  return Array.from({ length: count }, (_, index) => {
    const fulfilledBy = next() % 2 === 0 ? 'AMAZON' : 'MERCHANT';
    const rating = 84 + (next() % 16);
    return {
      sellerId: `A3SANDBOXRVL0${1 + ((first + index) % SELLERS)}`,
      sku: undefined,
      fulfilledBy,
      price: toStep((usual * (93 + (next() % 18))) / 100, market),
      shipping: shippingOf(fulfilledBy, market),
      rating,
      feedbackCount: 20 + (next() % 5_000),
      isEligible: rating >= 88,
    };
  });
}

const shippingOf = (fulfilledBy: ListingRow['fulfilledBy'], { shippingCents }: Market): number =>
  fulfilledBy === 'AMAZON' ? 0 : shippingCents;
