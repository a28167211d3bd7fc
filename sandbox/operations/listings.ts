/** getListingsItem and searchListingsItems: listings by SKU, or filtered, sorted and in pages, in the public service's shape. */

import { isJsonObject } from '../../src/base/json.ts';
import { type Answer, type Call, deny, invalid, ok, refuse } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { itemSchema } from '../world/listing-row.ts';
import type { World } from '../world/world.ts';
import { attributesOf, type ListingStore } from './listing-store.ts';
import {
  findPageStart,
  fits,
  isWithin,
  namesOf,
  readFilledList,
  readInteger,
  readList,
  readSpan,
  refuseChoices,
  refuseUnplayed,
} from './query.ts';

export const playListings = (listings: ListingStore): Played => ({
  'listings-items/getListingsItem': (call) => getListingsItem(listings, call),
  'listings-items/searchListingsItems': (call) => search(listings.world, call),
});

/** @throws Refusal for another seller than the one that the sandbox plays. */
export function refuseOtherSellers({ params }: Call): void {
  if (params.sellerId !== SELLER_ID) deny('The access token is not for this seller.');
}

/** @throws Refusal for a SKU that is not there. */
export function unknownSku(sku: string, marketplaceIds: readonly string[]): never {
  const message = `SKU '${sku}' not found in marketplace ${marketplaceIds.join(', ')}`;
  refuse(404, { code: 'NOT_FOUND', message, details: '' });
}

function getListingsItem(listings: ListingStore, call: Call): Answer {
  const { params, query } = call;
  refuseChoices(call);
  const marketplaceIds = readFilledList(query, 'marketplaceIds');
  refuseOtherSellers(call);
  const listing = listings.read(params.sku ?? '');
  if (!listing?.marketplaceIds.some((id) => marketplaceIds.includes(id)))
    return unknownSku(params.sku ?? '', marketplaceIds);
  return ok(showListing(listing, marketplaceIds, readList(query, 'includedData')));
}

// searchListingsItems: pages of at most 20, of which no search gives more than 1,000 listings.

const MAX_PAGE = 20;
const MAX_IDENTIFIERS = 20;
/** However many there are, paging ends here. */
const MAX_RESULTS = 1_000;
const UNPLAYED = ['variationParentSku', 'packageHierarchySku'];

function search(world: World, call: Call): Answer {
  refuseOtherSellers(call);
  refuseUnplayed(
    call,
    namesOf(call.operation).filter((name) => !UNPLAYED.includes(name)),
  );
  refuseChoices(call, { identifiersType: ['SKU', 'ASIN', 'FNSKU'] });
  refuseIdentifiers(call);
  const { from, query, tokenAt, cut } = findPageStart(call);
  const pageSize = readInteger(query, 'pageSize', { most: MAX_PAGE, otherwise: 10 });
  const marketplaceIds = readList(query, 'marketplaceIds');
  const found = findListings(world, query, marketplaceIds);
  const { items, next } = cut(found.slice(0, MAX_RESULTS), pageSize);
  const pagination = {
    ...next,
    ...(from > 0 && { previousToken: tokenAt(Math.max(0, from - pageSize)) }),
  };
  const parts = readList(query, 'includedData');
  return ok({
    numberOfResults: found.length,
    ...(Object.keys(pagination).length > 0 && { pagination }),
    items: items.map((listing) => showListing(listing, marketplaceIds, parts)),
  });
}

function refuseIdentifiers({ query }: Call): void {
  readFilledList(query, 'marketplaceIds');
  const identifiers = readList(query, 'identifiers').length;
  if (identifiers > MAX_IDENTIFIERS) invalid(`identifiers: holds ${identifiers}; at most 20 are allowed.`);
  if (identifiers > 0 !== query.has('identifiersType')) {
    invalid('identifiers and identifiersType: each needs the other.');
  }
}

/** The members that a search can be sorted by. */
const ORDERS = ['sku', 'createdDate', 'lastUpdatedDate'] as const;

/** Returns the members that filters and sorting use. */
function look(listing: ListingFixture, marketplaceIds: readonly string[]) {
  const shown = showListing(listing, marketplaceIds, ['summaries', 'issues']);
  const { sku, summaries, issues } = itemSchema.parse(shown);
  return {
    listing,
    sku,
    fnSkus: summaries.flatMap(({ fnSku }) => fnSku ?? []),
    statuses: summaries.flatMap(({ status }) => status),
    severities: issues.map(({ severity }) => severity),
    createdDate: summaries[0]?.createdDate ?? '',
    lastUpdatedDate: summaries[0]?.lastUpdatedDate ?? '',
  };
}

type Seen = ReturnType<typeof look>;

/** @throws Refusal for a moment that is none. */
function findListings(
  world: World,
  query: URLSearchParams,
  marketplaceIds: readonly string[],
): ListingFixture[] {
  const skus = query.get('identifiersType') === 'SKU' ? readList(query, 'identifiers') : [];
  // Named SKUs are looked up one by one, because a large catalog is requested in small parts.
  const all = skus.length > 0 ? skus.flatMap((sku) => world.findSku(sku) ?? []) : world.listings();
  const here = all
    .filter((listing) => listing.marketplaceIds.some((id) => marketplaceIds.includes(id)))
    .map((listing) => look(listing, marketplaceIds));
  const sortBy = ORDERS.find((name) => name === query.get('sortBy')) ?? 'lastUpdatedDate';
  const sign = query.get('sortOrder') === 'ASC' ? 1 : -1;
  const order = (a: Seen, b: Seen): number => sign * compare(a[sortBy], b[sortBy]) || compare(a.sku, b.sku);
  return here
    .filter(filterOf(query))
    .toSorted(order)
    .map(({ listing }) => listing);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function filterOf(query: URLSearchParams): (one: Seen) => boolean {
  const wanted = (name: string): string[] => readList(query, name);
  const type = query.get('identifiersType');
  const idsOf = ({ sku, listing, fnSkus }: Seen): readonly string[] =>
    type === 'ASIN' ? [listing.asin] : type === 'FNSKU' ? fnSkus : [sku];
  const [identifiers, severities, statuses, without] = [
    wanted('identifiers'),
    wanted('withIssueSeverity'),
    wanted('withStatus'),
    wanted('withoutStatus'),
  ];
  const created = spanOf(query, 'created');
  const updated = spanOf(query, 'lastUpdated');
  return (one) =>
    fits(identifiers, ...idsOf(one)) &&
    fits(severities, ...one.severities) &&
    fits(statuses, ...one.statuses) &&
    !without.some((status) => one.statuses.includes(status)) &&
    created(one.createdDate) &&
    updated(one.lastUpdatedDate);
}

/** Whether a date lies between two parameters; anything does where neither is given. */
function spanOf(query: URLSearchParams, name: string): (date: string) => boolean {
  const span = readSpan(query, name);
  if (span.after === undefined && span.before === undefined) return () => true;
  return (date) => isWithin(span, Date.parse(date));
}

// A listing as both show it: the parts asked for, narrowed to the marketplaces asked for.

/** @param parts none: the summaries. */
function showListing(
  listing: ListingFixture,
  marketplaceIds: readonly string[],
  parts: readonly string[],
): object {
  const here = listing.marketplaceIds.filter((id) => marketplaceIds.includes(id));
  const entries = (parts.length > 0 ? parts : ['summaries']).flatMap((part): [string, unknown][] => {
    const value = partOf(listing, part, here);
    return value === undefined ? [] : [[part, Array.isArray(value) ? narrow(value, here) : value]];
  });
  return { sku: listing.item.sku, ...Object.fromEntries(entries) };
}

function partOf(listing: ListingFixture, part: string, marketplaceIds: readonly string[]): unknown {
  if (part === 'productTypes') return productTypes(listing);
  if (part !== 'attributes') return listing.item[part];
  const here = Object.entries(attributesOf(listing)).map(
    ([name, entries]) => [name, narrow(entries, marketplaceIds)] as const,
  );
  const filled = here.filter(([, entries]) => entries.length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** Filters the entries of these marketplaces; an entry that names none belongs to all. */
export function narrow(entries: readonly unknown[], marketplaceIds: readonly string[]): readonly unknown[] {
  return entries.filter((entry) => {
    if (!isJsonObject(entry)) return true;
    const own = entry.marketplace_id ?? entry.marketplaceId ?? entry.marketplaceIds;
    if (Array.isArray(own)) return own.some((id) => marketplaceIds.includes(id));
    return typeof own !== 'string' || marketplaceIds.includes(own);
  });
}

function productTypes({ item }: ListingFixture): unknown {
  if (!Array.isArray(item.summaries)) return undefined;
  return item.summaries
    .filter(isJsonObject)
    .map(({ marketplaceId, productType }) => ({ marketplaceId, productType }));
}
