/** getListingsItem: the same listings by SKU, in the public service's shape. */

import { type Answer, type Call, fail } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import { type Route, route } from '../router.ts';
import type { ListingStore } from './listing-store.ts';
import { invalid, readList, refuseOthers } from './query.ts';
import { PARTS, showListing } from './show-listing.ts';

export function buildListingsItemRoute(listings: ListingStore): Route {
  return route('getListingsItem', 'GET', '/listings/2021-08-01/items/{sellerId}/{sku}', (call) =>
    getListingsItem(listings, call),
  );
}

/** @returns the refusal; undefined for the seller that the sandbox plays. */
export function refuseSeller(sellerId: string): Answer | undefined {
  if (sellerId === SELLER_ID) return undefined;
  const details = 'The access token is not for this seller.';
  return fail(403, { code: 'Unauthorized', message: 'Access to requested resource is denied.', details });
}

function getListingsItem(listings: ListingStore, { params, query }: Call): Answer {
  const { sellerId = '', sku = '' } = params;
  const marketplaceIds = readList(query, 'marketplaceIds');
  const wrong = refuseOthers(query, 'includedData', PARTS);
  if (wrong !== undefined) return wrong;
  if (marketplaceIds.length === 0) return invalid('marketplaceIds: is missing.');
  const refused = refuseSeller(sellerId);
  if (refused !== undefined) return refused;
  const listing = listings.read(sku);
  if (!listing?.marketplaceIds.some((id) => marketplaceIds.includes(id))) {
    const message = `SKU '${sku}' not found in marketplace ${marketplaceIds.join(', ')}`;
    return fail(404, { code: 'NOT_FOUND', message, details: '' });
  }
  return { status: 200, body: showListing(listing, marketplaceIds, readList(query, 'includedData')) };
}
