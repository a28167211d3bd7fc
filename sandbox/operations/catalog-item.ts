/** getCatalogItem of catalog v0 (section 4.2), with every documented status within reach. */

import { stringify } from 'lossless-json';
import type { ServiceError } from '../../src/service/document/error.ts';
import { type Answer, type Call, fail } from '../answer.ts';
import type { ListingFixture } from '../fixtures/listing.ts';
import { type Route, route } from '../router.ts';
import type { World } from '../world/world.ts';

/** Asking for one of these is answered with the status in its name. */
const ERRORS: Readonly<Record<string, ServiceError & { status: number }>> = {
  B0ERROR400: { status: 400, code: 'InvalidInput', message: 'The request is not valid.', details: 'asin' },
  B0ERROR401: { status: 401, code: 'Unauthorized', message: 'The credentials were not accepted.' },
  B0ERROR403: {
    status: 403,
    code: 'Unauthorized',
    message: 'Access to requested resource is denied.',
    details: 'The application lacks the role that this operation needs.',
  },
  B0ERROR404: { status: 404, code: 'NotFound', message: 'The item was not found.' },
  B0ERROR429: {
    status: 429,
    code: 'QuotaExceeded',
    message: 'You exceeded your quota for the requested resource.',
  },
  B0ERROR500: {
    status: 500,
    code: 'InternalFailure',
    message: 'We encountered an internal error. Please try again.',
  },
  B0ERROR503: {
    status: 503,
    code: 'ServiceUnavailable',
    message: 'The service is down for a moment.',
    details: 'Try again in some seconds.',
  },
};

export function buildCatalogItemRoute(world: World): Route {
  return route('getCatalogItem', 'GET', '/catalog/v0/items/{asin}', (call) => getCatalogItem(world, call));
}

const invalid = (details: string): Answer =>
  fail(400, { code: 'InvalidInput', message: 'The request has missing or invalid parameters.', details });

function getCatalogItem(world: World, { params, query }: Call): Answer {
  const asin = params.asin ?? '';
  const marketplaceId = query.get('MarketplaceId') ?? '';
  if (!/^[A-Z0-9]{10}$/.test(asin)) return invalid('asin: is 10 capital letters and digits.');
  if (!/^[A-Z0-9]{5,20}$/.test(marketplaceId)) return invalid('MarketplaceId: is missing or malformed.');
  const asked = ERRORS[asin];
  if (asked !== undefined) {
    const { status, ...error } = asked;
    return fail(status, error);
  }
  const listing = world.findAsin(asin);
  if (listing === undefined || !listing.marketplaceIds.includes(marketplaceId)) {
    const message = `Requested item '${asin}' not found in marketplace ${marketplaceId}.`;
    return fail(404, { code: 'NotFound', message });
  }
  return { status: 200, text: serialize(listing) };
}

const serialized = new WeakMap<ListingFixture, string>();

/** Fixtures never change, so that each becomes text once. */
function serialize(listing: ListingFixture): string {
  const known = serialized.get(listing);
  if (known !== undefined) return known;
  const { item: payload, errors } = listing;
  const text = stringify({ payload, ...(errors && { errors }) }) ?? '';
  serialized.set(listing, text);
  return text;
}
