/** searchListingsItems: filtered, sorted and in pages of at most 20, of which no search gives more than 1,000 listings. */

import type { Answer, Call } from '../answer.ts';
import type { Route } from '../router.ts';
import type { World } from '../world/world.ts';
import { findListings, ORDERS } from './find-listings.ts';
import { refuseSeller } from './listings-item.ts';
import { findPlace } from './page-token.ts';
import { answerQuery, invalid, readInteger, readList, refuseUnknown } from './query.ts';
import { PARTS, showListing } from './show-listing.ts';

const OPERATION = 'searchListingsItems';
const MAX_PAGE = 20;
const MAX_IDENTIFIERS = 20;
/** However many there are, paging ends here. */
const MAX_RESULTS = 1_000;

const CHOICES = {
  includedData: PARTS,
  identifiersType: ['SKU', 'ASIN', 'FNSKU'],
  withIssueSeverity: ['WARNING', 'ERROR'],
  withStatus: ['BUYABLE', 'DISCOVERABLE'],
  withoutStatus: ['BUYABLE', 'DISCOVERABLE'],
  ...ORDERS,
} as const;
const MOMENTS = ['createdAfter', 'createdBefore', 'lastUpdatedAfter', 'lastUpdatedBefore'] as const;
const PLAYED = [
  'marketplaceIds',
  'issueLocale',
  'identifiers',
  'pageSize',
  'pageToken',
  ...Object.keys(CHOICES),
  ...MOMENTS,
];

export function buildSearchListingsRoute(world: World, now: () => number): Route {
  return {
    operation: OPERATION,
    method: 'GET',
    path: '/listings/2021-08-01/items/{sellerId}',
    auth: 'seller',
    handle: (call) => answerQuery(() => search(world, now(), call)),
  };
}

function search(world: World, now: number, { params, query: given }: Call): Answer {
  const refused = refuseSeller(params.sellerId ?? '') ?? refuse(given);
  if (refused !== undefined) return refused;
  const { from, query, tokenAt, cut } = findPlace(given, {
    operation: OPERATION,
    tokenName: 'pageToken',
    now,
  });
  const pageSize = readInteger(query, 'pageSize', { least: 1, most: MAX_PAGE, otherwise: 10 });
  const marketplaceIds = readList(query, 'marketplaceIds');
  const found = findListings(world, query, marketplaceIds);
  const { items, next } = cut(found.slice(0, MAX_RESULTS), pageSize);
  const pagination = {
    ...(next !== undefined && { nextToken: next }),
    ...(from > 0 && { previousToken: tokenAt(Math.max(0, from - pageSize)) }),
  };
  const parts = readList(query, 'includedData');
  return {
    status: 200,
    body: {
      numberOfResults: found.length,
      ...(Object.keys(pagination).length > 0 && { pagination }),
      items: items.map((listing) => showListing(listing, marketplaceIds, parts)),
    },
  };
}

function refuse(query: URLSearchParams): Answer | undefined {
  const refused = refuseUnknown(OPERATION, query, { played: PLAYED, choices: CHOICES });
  if (refused !== undefined) return refused;
  if (readList(query, 'marketplaceIds').length === 0) return invalid('marketplaceIds: is missing.');
  const identifiers = readList(query, 'identifiers').length;
  if (identifiers > MAX_IDENTIFIERS)
    return invalid(`identifiers: holds ${identifiers}; at most 20 are allowed.`);
  if (identifiers > 0 !== query.has('identifiersType')) {
    return invalid('identifiers and identifiersType: each needs the other.');
  }
  return undefined;
}
