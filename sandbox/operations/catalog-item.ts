/** getCatalogItem of catalog v0 (section 4.2), with every documented status within reach. */

import { type Answer, type Call, ok, refuse } from '../answer.ts';
import type { Played } from '../router.ts';
import type { World } from '../world/world.ts';

/** Asking for `B0ERROR` and one of these statuses is answered with it. */
const ERRORS: readonly (readonly [status: number, code: string, message: string, details?: string])[] = [
  [400, 'InvalidInput', 'The request is not valid.', 'asin'],
  [401, 'Unauthorized', 'The credentials were not accepted.'],
  [
    403,
    'Unauthorized',
    'Access to requested resource is denied.',
    'The application lacks the role that this operation needs.',
  ],
  [404, 'NotFound', 'The item was not found.'],
  [429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.'],
  [500, 'InternalFailure', 'We encountered an internal error. Please try again.'],
  [503, 'ServiceUnavailable', 'The service is down for a moment.', 'Try again in some seconds.'],
];

export const playCatalog = (world: World): Played => ({
  'catalog-v0/getCatalogItem': (call) => getCatalogItem(world, call),
});

function malformed(details: string): never {
  refuse(400, { code: 'InvalidInput', message: 'The request has missing or invalid parameters.', details });
}

function getCatalogItem(world: World, { params, query }: Call): Answer {
  const asin = params.asin ?? '';
  const marketplaceId = query.get('MarketplaceId') ?? '';
  if (!/^[A-Z0-9]{10}$/.test(asin)) malformed('asin: is 10 capital letters and digits.');
  if (!/^[A-Z0-9]{5,20}$/.test(marketplaceId)) malformed('MarketplaceId: is missing or malformed.');
  for (const [status, code, message, details] of ERRORS) {
    if (asin === `B0ERROR${status}`) refuse(status, { code, message, ...(details && { details }) });
  }
  const listing = world.findAsin(asin);
  if (listing?.marketplaceIds.includes(marketplaceId)) {
    const { item: payload, errors } = listing;
    return ok({ payload, ...(errors && { errors }) });
  }
  const message = `Requested item '${asin}' not found in marketplace ${marketplaceId}.`;
  return refuse(404, { code: 'NotFound', message });
}
