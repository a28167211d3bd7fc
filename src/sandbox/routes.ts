/** The operations that the sandbox answers from its own state. */

import type { ListingFixture } from './fixtures/listing.ts';
import { PARTICIPATIONS } from './fixtures/marketplaces.ts';
import { buildCatalogItemRoute } from './operations/catalog-item.ts';
import { buildListingsItemRoute } from './operations/listings-item.ts';
import { buildRestrictedDataTokenRoute } from './operations/restricted-data-token.ts';
import { buildSupplySourceRoutes } from './operations/supply-sources.ts';
import type { Route } from './router.ts';
import type { SupplySourceStore } from './supply-source-store.ts';
import type { TokenBook } from './token-book.ts';

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
