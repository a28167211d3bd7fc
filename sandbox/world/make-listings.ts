/** Listings by the hundred, made from a seed: products in several marketplaces, with prices, stock and what is wrong. */

import { type ListingFixture, offer, stock, summary } from '../fixtures/listing.ts';
import { type Action, type Cause, causesOf, isEnforced } from './causes.ts';
import type { Market } from './markets.ts';
import { amountText, DAY_MS, isoSeconds, localCents, toStep } from './plain-values.ts';
import { buildProduct, type Product } from './products.ts';
import { createSequence } from './sequence.ts';
import { fulfillableOf } from './warehouse-stock.ts';

/** The number of made listings, about 260 with those that are written by hand. */
const COUNT = 250;
const SEED = 20_261_121;

type Draft = ReturnType<typeof draft>;

/** @param now the moment from which their dates are counted, in milliseconds. */
export function makeListings(markets: readonly Market[], now: number): ListingFixture[] {
  const next = createSequence(SEED);
  return Array.from({ length: COUNT }, (_, index) => build(draft(index, markets, now, next), now));
}

function draft(index: number, all: readonly Market[], now: number, next: () => number) {
  const [rolls, age, isShippedBySeller] = [next(), next(), next() % 20 < 9];
  const product = buildProduct(index);
  // Everything is sold in the first marketplace, half of it in the second, less in the others.
  const markets = all.filter((_, place) => place === 0 || (rolls >> place) % (place + 1) === 0);
  const last = markets.slice(-1);
  return {
    product,
    markets,
    /** Which of all it is: what it has beside its price follows from it. */
    index,
    /** Undefined: the seller ships it, out of `quantity`. */
    fnSku: isShippedBySeller ? undefined : `X${product.asin.slice(1)}`,
    quantity: next() % 8 === 0 ? 0 : 1 + (next() % 140),
    causes: causesOf(index),
    /** The marketplaces where the causes hold. */
    affected: rolls % 3 === 0 ? last : markets,
    createdAt: now - (30 + (age % 900)) * DAY_MS,
    updatedAt: now - (1 + (age % 60)) * 3_600_000 * 11,
    exemptUntil: isoSeconds((Math.floor(now / DAY_MS) + 5 + ((index * 7) % 56)) * DAY_MS),
  };
}

function build(listing: Draft, now: number): ListingFixture {
  const { product, markets, fnSku, quantity } = listing;
  return {
    asin: product.asin,
    marketplaceIds: markets.map(({ id }) => id),
    item: {
      sku: product.sku,
      summaries: markets.map((market) => summarize(listing, market)),
      attributes: makeAttributes(listing, now),
      issues: listing.causes.map((cause) => issue(listing, cause)),
      offers: markets.map((market) => offer(priceOf(product, market), market.currency, market.id)),
      // The service's own warehouses: how many there are is for the inventory operations to say.
      fulfillmentAvailability:
        fnSku === undefined
          ? stock(quantity)
          : [...new Set(markets.map(({ warehouses }) => warehouses))].map((fulfillmentChannelCode) => ({
              fulfillmentChannelCode,
            })),
    },
  };
}

function summarize(listing: Draft, market: Market): object {
  const { product, fnSku, createdAt, updatedAt } = listing;
  return {
    ...summary({
      asin: product.asin,
      itemName: titleIn(listing, market),
      productType: product.productType,
      status: statusOf(listing, market),
      marketplaceId: market.id,
      ...(fnSku !== undefined && { fnSku }),
    }),
    createdDate: isoSeconds(createdAt),
    lastUpdatedDate: isoSeconds(updatedAt),
    ...(!hasImage(listing, market) && { mainImage: undefined }),
  };
}

/** Returns the causes that hold in this marketplace. */
const causesIn = ({ causes, affected }: Draft, market: Market): readonly Cause[] =>
  affected.includes(market) ? causes : [];

const titleIn = (draft: Draft, market: Market): string =>
  draft.product.title(market, causesIn(draft, market).find(({ title }) => title !== undefined)?.title);

const hasImage = (draft: Draft, market: Market): boolean =>
  !causesIn(draft, market).some(({ categories }) => categories.includes('MISSING_IMAGE'));

/** A listing that is sold out or suppressed is not buyable; one that is hidden from search is not discoverable. */
function statusOf(draft: Draft, market: Market): string[] {
  const { product, fnSku, quantity } = draft;
  const isDone = (action: Action): boolean =>
    causesIn(draft, market).some((cause) => isEnforced(cause, action));
  const isRemoved = isDone('CATALOG_ITEM_REMOVED');
  const isSoldOut = (fnSku === undefined ? quantity : fulfillableOf(product.sku)) === 0;
  return [
    ...(isRemoved || isSoldOut || isDone('LISTING_SUPPRESSED') ? [] : ['BUYABLE']),
    ...(isRemoved || isDone('SEARCH_SUPPRESSED') ? [] : ['DISCOVERABLE']),
  ];
}

function issue(
  { markets, affected, exemptUntil }: Draft,
  { enforced, title: _title, ...cause }: Cause,
): object {
  return {
    ...cause,
    ...(enforced && {
      enforcements: {
        actions: enforced.actions.map((action) => ({ action })),
        exemption: {
          status: enforced.exemption,
          ...(enforced.exemption === 'EXEMPT_UNTIL_EXPIRY_DATE' && { expiryDate: exemptUntil }),
        },
      },
    }),
    ...(markets.length > 1 && { marketplaceIds: affected.map(({ id }) => id) }),
  };
}

// The attributes of a made-up listing: texts, an image, and offers that some have a sale, bounds or a price for businesses in.

/** @param now from which the days of a sale are counted, in milliseconds */
function makeAttributes(draft: Draft, now: number): object {
  const { product, markets } = draft;
  const pictured = markets.filter((market) => hasImage(draft, market));
  const written = ({ id, language }: Market, value: string) => ({
    value,
    language_tag: language,
    marketplace_id: id,
  });
  return {
    item_name: markets.map((market) => written(market, titleIn(draft, market))),
    brand: markets.map(({ id, words }) => ({ value: words.brand, marketplace_id: id })),
    bullet_point: markets.flatMap((market) => market.words.bullets.map((value) => written(market, value))),
    main_product_image_locator: pictured.map(({ id }) => ({
      media_location: `https://images.example.com/${product.asin}/main.jpg`,
      marketplace_id: id,
    })),
    purchasable_offer: markets.flatMap((market) => makeOffers(draft, market, now)),
    fulfillment_availability: markets.map((market) => makeStock(draft, market)),
  };
}

/** Formats an amount of the marketplace's currency: `34.99`. */
const priceOf = ({ baseCents }: Product, market: Market): string =>
  amountText(localCents(baseCents, market), market);

/** Every third has a sale, every fourth bounds, every fifth a price for businesses. */
function makeOffers({ product, index }: Draft, market: Market, now: number): object[] {
  const { id, currency } = market;
  const cents = localCents(product.baseCents, market);
  const times = (factor: number) => Number(amountText(toStep(cents * factor, market), market));
  const amount = (factor: number) => [{ schedule: [{ value_with_tax: times(factor) }] }];
  const day = (days: number) => isoSeconds((Math.floor(now / DAY_MS) + days) * DAY_MS);
  const sale = { value_with_tax: times(0.8), start_at: day(3), end_at: day(24) };
  const consumers = {
    currency,
    audience: 'ALL',
    our_price: amount(1),
    ...(index % 3 === 0 && { discounted_price: [{ schedule: [sale] }] }),
    ...(index % 4 === 0 && {
      minimum_seller_allowed_price: amount(0.75),
      maximum_seller_allowed_price: amount(1.5),
    }),
    marketplace_id: id,
  };
  const businesses = { currency, audience: 'B2B', our_price: amount(0.95), marketplace_id: id };
  return index % 5 === 0 ? [consumers, businesses] : [consumers];
}

/** The service's own warehouses: how many there are is for the inventory operations to say. */
function makeStock({ fnSku, quantity }: Draft, { id, warehouses }: Market): object {
  return fnSku === undefined
    ? {
        fulfillment_channel_code: 'DEFAULT',
        quantity,
        lead_time_to_ship_max_days: 1,
        marketplace_id: id,
      }
    : { fulfillment_channel_code: warehouses, marketplace_id: id };
}
