/** getListingsItem: the same listings by SKU, in the public service's shape. */

import { isJsonObject } from '../../json.ts';
import { type Answer, type Call, fail } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Route } from '../router.ts';

/** What `includedData` can name. */
const PARTS = [
  'summaries',
  'attributes',
  'issues',
  'offers',
  'fulfillmentAvailability',
  'procurement',
  'relationships',
  'productTypes',
];

export function buildListingsItemRoute(listings: readonly ListingFixture[]): Route {
  const bySku = new Map(listings.map((listing) => [listing.item.sku, listing]));
  return {
    operation: 'getListingsItem',
    method: 'GET',
    path: '/listings/2021-08-01/items/{sellerId}/{sku}',
    auth: 'seller',
    handle: (call) => getListingsItem(bySku, call),
  };
}

/** A list sent as one value with commas, or under a repeated name. */
const readList = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '');

const invalid = (details: string): Answer =>
  fail(400, { code: 'InvalidInput', message: 'Request has missing or invalid parameters.', details });

function getListingsItem(bySku: ReadonlyMap<string, ListingFixture>, { params, query }: Call): Answer {
  const { sellerId = '', sku = '' } = params;
  const marketplaceIds = readList(query, 'marketplaceIds');
  const asked = readList(query, 'includedData');
  const wrong = asked.filter((part) => !PARTS.includes(part));
  if (wrong.length > 0) return invalid(`includedData: ${wrong.join(', ')} is none of ${PARTS.join(', ')}.`);
  if (marketplaceIds.length === 0) return invalid('marketplaceIds: is missing.');
  if (sellerId !== SELLER_ID) {
    const details = 'The access token is not for this seller.';
    return fail(403, { code: 'Unauthorized', message: 'Access to requested resource is denied.', details });
  }
  const listing = bySku.get(sku);
  if (!listing?.marketplaceIds.some((id) => marketplaceIds.includes(id))) {
    const message = `SKU '${sku}' not found in marketplace ${marketplaceIds.join(', ')}`;
    return fail(404, { code: 'NOT_FOUND', message, details: '' });
  }
  return {
    status: 200,
    body: showListing(listing, marketplaceIds, asked.length > 0 ? asked : ['summaries']),
  };
}

function showListing(
  listing: ListingFixture,
  marketplaceIds: readonly string[],
  parts: readonly string[],
): object {
  const here = listing.marketplaceIds.filter((id) => marketplaceIds.includes(id));
  const entries = parts.flatMap((part): [string, unknown][] => {
    const value = part === 'productTypes' ? productTypes(listing) : listing.item[part];
    return value === undefined ? [] : [[part, Array.isArray(value) ? narrow(value, here) : value]];
  });
  return { sku: listing.item.sku, ...Object.fromEntries(entries) };
}

/** What belongs to these marketplaces; an entry that names none belongs to all. */
function narrow(entries: readonly unknown[], marketplaceIds: readonly string[]): readonly unknown[] {
  return entries.filter((entry) => {
    if (!isJsonObject(entry)) return true;
    const own = entry.marketplaceId ?? entry.marketplaceIds;
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
