/** The operations that the sandbox answers from its own state. */

import type { FeedStore } from '../feed-processing/feed-store.ts';
import { participationsOf } from '../fixtures/marketplaces.ts';
import type { ReportStore } from '../reports/report-store.ts';
import { type Route, route } from '../router.ts';
import type { UploadPlace, UploadStore } from '../signed/upload-store.ts';
import type { TokenBook } from '../tokens/token-book.ts';
import type { World } from '../world/world.ts';
import { buildCatalogItemRoute } from './catalog-item.ts';
import { buildFeedRoutes } from './feeds.ts';
import { buildInventorySummariesRoute } from './inventory-summaries.ts';
import { buildInvoiceRoutes } from './invoices.ts';
import type { ListingStore } from './listing-store.ts';
import { buildListingsItemRoute } from './listings-item.ts';
import { buildMerchantFulfilmentRoutes } from './merchant-fulfilment.ts';
import { buildMessagingRoutes } from './messaging.ts';
import { buildOrders2026Routes } from './orders-2026.ts';
import { buildOrdersV0Routes } from './orders-v0.ts';
import { buildOutboundOrderRoutes } from './outbound-orders.ts';
import { buildReportRoutes } from './reports.ts';
import { buildRestrictedDataTokenRoute } from './restricted-data-token.ts';
import { buildSearchListingsRoute } from './search-listings.ts';
import { buildShippingV2Routes } from './shipping-v2.ts';
import type { SupplySourceStore } from './supply-source-store.ts';
import { buildSupplySourceRoutes } from './supply-sources.ts';
import { buildUploadRoutes } from './upload-destinations.ts';
import { buildWriteListingRoutes } from './write-listing.ts';

export interface RouteParts {
  world: World;
  reports: ReportStore;
  /** The signed address of a document, by its id. */
  addressOf(documentId: string, announceEncoding: boolean): string;
  feeds: FeedStore;
  uploads: UploadStore;
  /** The signed address that takes the upload; as a form where it is one of A+ content. */
  uploadAddressOf(place: UploadPlace): string;
  formAddressOf(place: UploadPlace): string;
  listings: ListingStore;
  supplySources: SupplySourceStore;
  book: TokenBook;
  lifetimeSeconds: number;
  now: () => number;
}

export function buildRoutes(parts: RouteParts): readonly Route[] {
  const { world, reports, addressOf, listings, supplySources, book, lifetimeSeconds, now } = parts;
  return [
    buildCatalogItemRoute(world),
    buildListingsItemRoute(listings),
    ...buildWriteListingRoutes(listings),
    buildSearchListingsRoute(listings.world, now),
    buildInventorySummariesRoute(world, now),
    ...buildOrdersV0Routes(world, now),
    ...buildOrders2026Routes(world, now),
    ...buildReportRoutes({ reports, addressOf, markets: world.markets, now }),
    ...buildMerchantFulfilmentRoutes(world, now),
    ...buildShippingV2Routes(world, now),
    ...buildInvoiceRoutes({ world, now, addressOf }),
    ...buildOutboundOrderRoutes(world, now),
    ...buildFeedRoutes({ ...parts, markets: world.markets }),
    ...buildUploadRoutes(parts),
    ...buildMessagingRoutes(world, parts.uploads),
    ...buildSupplySourceRoutes(supplySources),
    buildRestrictedDataTokenRoute(book, lifetimeSeconds),
    route('getMarketplaceParticipations', 'GET', '/sellers/v1/marketplaceParticipations', () => ({
      status: 200,
      body: { payload: participationsOf(world.markets.map(({ country }) => country)) },
    })),
  ];
}
