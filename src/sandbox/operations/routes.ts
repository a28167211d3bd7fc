/** The operations that the sandbox answers from its own state. */

import type { ListingFixture } from '../fixtures/listing.ts';
import { PARTICIPATIONS } from '../fixtures/marketplaces.ts';
import type { Route } from '../router.ts';
import type { TokenBook } from '../tokens/token-book.ts';
import { buildCatalogItemRoute } from './catalog-item.ts';
import { buildListingsItemRoute } from './listings-item.ts';
import { buildRestrictedDataTokenRoute } from './restricted-data-token.ts';
import type { SupplySourceStore } from './supply-source-store.ts';
import { buildSupplySourceRoutes } from './supply-sources.ts';

export interface RouteParts {
  listings: readonly ListingFixture[];
  supplySources: SupplySourceStore;
  book: TokenBook;
  lifetimeSeconds: number;
}

export function buildRoutes({
  listings,
  supplySources,
  book,
  lifetimeSeconds,
}: RouteParts): readonly Route[] {
  return [
    buildCatalogItemRoute(listings),
    buildListingsItemRoute(listings),
    ...buildSupplySourceRoutes(supplySources),
    buildRestrictedDataTokenRoute(book, lifetimeSeconds),
    {
      operation: 'getMarketplaceParticipations',
      method: 'GET',
      path: '/sellers/v1/marketplaceParticipations',
      auth: 'seller',
      handle: () => ({ status: 200, body: { payload: PARTICIPATIONS } }),
    },
  ];
}
