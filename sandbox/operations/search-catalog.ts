/** searchCatalogItems and getCatalogItem of catalog 2022-04-01: the products by words, brand, ASIN or SKU, in pages. */

import { isJsonObject } from '../../src/base/json.ts';
import { type Answer, type Call, invalid, known, ok } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import type { Played } from '../router.ts';
import { salesRankOf } from '../world/competitors.ts';
import { cubicFeetOf } from '../world/products.ts';
import type { World } from '../world/world.ts';
import { attributesOf } from './listing-store.ts';
import { narrow, refuseOtherSellers } from './listings.ts';
import {
  findPageStart,
  fits,
  namesOf,
  readFilledList,
  readInteger,
  readList,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

const MAX_PAGE = 20;
const MAX_IDENTIFIERS = 20;
const UNPLAYED = ['classificationIds', 'locale', 'keywordsLocale'];
const CHOICES = {
  identifiersType: ['ASIN', 'SKU'],
  includedData: [
    'attributes',
    'dimensions',
    'images',
    'productTypes',
    'relationships',
    'salesRanks',
    'summaries',
  ],
};
/** These belong to an offer, and not to the product that the catalog describes. */
const OFFER_ATTRIBUTES = ['purchasable_offer', 'fulfillment_availability'];

const GROUP = { websiteDisplayGroup: 'home_garden_display_on_website' };

/** @param world as the listing store shows it. */
export const playCatalogItems = (world: World): Played => ({
  'catalog-items/searchCatalogItems': (call) => search(world, call),
  'catalog-items/getCatalogItem': (call) => {
    refuseCall(call);
    const marketplaceIds = readFilledList(call.query, 'marketplaceIds');
    const { asin } = call.params;
    const found = listingsIn(world, marketplaceIds).find((listing) => listing.asin === asin);
    return ok(showItem(known(found, 'Item', asin), marketplaceIds, call.query));
  },
});

function refuseCall(call: Call): void {
  refuseUnplayed(
    call,
    namesOf(call.operation).filter((name) => !UNPLAYED.includes(name)),
  );
  refuseChoices(call, CHOICES);
}

const listingsIn = (world: World, marketplaceIds: readonly string[]): ListingFixture[] =>
  world.listings().filter((listing) => {
    const here = listing.marketplaceIds.filter((id) => marketplaceIds.includes(id));
    return here.some((id) => !isRemoved(listing, id));
  });

/** A product that was removed from the catalog is still a listing, with an issue that says so. */
const isRemoved = ({ item }: ListingFixture, marketplaceId: string): boolean =>
  objectsOf(narrow(objectsOf(item.issues), [marketplaceId]))
    .flatMap(({ enforcements }) => (isJsonObject(enforcements) ? objectsOf(enforcements.actions) : []))
    .some(({ action }) => action === 'CATALOG_ITEM_REMOVED');

function search(world: World, call: Call): Answer {
  refuseCall(call);
  const { from, query, tokenAt, cut } = findPageStart(call);
  const marketplaceIds = readFilledList(query, 'marketplaceIds');
  const identifiers = readList(query, 'identifiers');
  const words = readList(query, 'keywords').flatMap((value) => value.toLowerCase().split(/\s+/));
  if (identifiers.length > 0 === words.length > 0) invalid('identifiers or keywords: one of them is needed.');
  if (identifiers.length > MAX_IDENTIFIERS) invalid(`identifiers: at most ${MAX_IDENTIFIERS} are allowed.`);
  const bySku = query.get('identifiersType') === 'SKU';
  if (identifiers.length > 0 && !query.has('identifiersType')) invalid('identifiersType: is missing.');
  if (bySku) refuseOtherSellers({ ...call, params: { sellerId: query.get('sellerId') ?? '' } });
  const brands = readList(query, 'brandNames');
  const pageSize = readInteger(query, 'pageSize', { most: MAX_PAGE, otherwise: 10 });
  const found = listingsIn(world, marketplaceIds).filter((listing) => {
    const texts = summariesIn(listing, marketplaceIds).map((summary) => describe(summary, listing));
    return (
      fits(identifiers, bySku ? listing.item.sku : listing.asin) &&
      fits(brands, ...texts.map(({ brand = '' }) => brand)) &&
      (words.length === 0 || texts.some((text) => matchesWord(text, words)))
    );
  });
  const { items, next } = cut(found, pageSize);
  return ok({
    numberOfResults: found.length,
    pagination: { ...next, ...(from > 0 && { previousToken: tokenAt(Math.max(0, from - pageSize)) }) },
    items: items.map((listing) => showItem(listing, marketplaceIds, query)),
  });
}

const matchesWord = (
  { brand = '', itemName }: { brand?: string; itemName: string },
  words: readonly string[],
) => words.every((word) => `${brand} ${itemName}`.toLowerCase().includes(word));

const objectsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : []);

type Summary = Readonly<Record<string, unknown>>;

/** Returns the summaries of the listing in these marketplaces. */
const summariesIn = ({ item }: ListingFixture, marketplaceIds: readonly string[]): Summary[] =>
  objectsOf(item.summaries).filter(({ marketplaceId }) => fits(marketplaceIds, String(marketplaceId)));

function showItem(
  listing: ListingFixture,
  marketplaceIds: readonly string[],
  query: URLSearchParams,
): object {
  const parts = readList(query, 'includedData');
  const summaries = summariesIn(listing, marketplaceIds);
  const shown = (parts.length > 0 ? parts : ['summaries']).map((part) => {
    const show = PARTS[part];
    const value =
      show === undefined
        ? showAttributes(listing, marketplaceIds)
        : summaries.map((one) => ({ marketplaceId: one.marketplaceId, ...show(one, listing) }));
    return [part, value] as const;
  });
  return { asin: listing.asin, ...Object.fromEntries(shown) };
}

function showAttributes(listing: ListingFixture, marketplaceIds: readonly string[]): object {
  const shown = Object.entries(attributesOf(listing))
    .filter(([name]) => !OFFER_ATTRIBUTES.includes(name))
    .map(([name, entries]) => [name, narrow(entries, marketplaceIds)] as const);
  return Object.fromEntries(shown.filter(([, entries]) => entries.length > 0));
}

/** Tells what the catalog has of a product in one marketplace. */
const PARTS: Readonly<Record<string, (summary: Summary, listing: ListingFixture) => object>> = {
  summaries: describe,
  dimensions: (_summary, { asin }) => ({ item: sizeOf(asin, 1 / PACKAGING), package: sizeOf(asin) }),
  images: ({ mainImage }) => ({ images: isJsonObject(mainImage) ? [{ variant: 'MAIN', ...mainImage }] : [] }),
  productTypes: ({ productType }) => ({ productType }),
  relationships: () => ({ relationships: [] }),
  salesRanks: ({ marketplaceId }, { asin }) => ({
    displayGroupRanks: [{ ...GROUP, title: 'Home', rank: salesRankOf(asin, String(marketplaceId)) }],
  }),
};

/** A package is so much longer on each side than what is in it; fees count its volume. */
const PACKAGING = 1.1;
const POUNDS_PER_CUBIC_FOOT = 12;
const INCHES_PER_FOOT = 12;

/** Products are as wide as they are high, and twice as long. */
function sizeOf(asin: string, scale = 1): object {
  const cubicFeet = cubicFeetOf(asin);
  const side = (cubicFeet / 2) ** (1 / 3) * INCHES_PER_FOOT * scale;
  const measure = (value: number, unit: string) => ({ unit, value: Math.round(value * 100) / 100 });
  return {
    height: measure(side, 'inches'),
    length: measure(side * 2, 'inches'),
    width: measure(side, 'inches'),
    weight: measure(cubicFeet * POUNDS_PER_CUBIC_FOOT * scale, 'pounds'),
  };
}

function describe({ marketplaceId, itemName }: Summary, listing: ListingFixture) {
  const brands = objectsOf(attributesOf(listing).brand);
  const brand = brands.find(({ marketplace_id: id }) => id === marketplaceId)?.value;
  return {
    ...(typeof brand === 'string' && { brand, manufacturer: brand }),
    itemClassification: 'BASE_PRODUCT',
    itemName: String(itemName ?? ''),
    packageQuantity: 1,
    ...GROUP,
    websiteDisplayGroupName: 'Home',
  };
}
