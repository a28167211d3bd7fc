/** The operations that the sandbox answers from its own state. */

import { loadRegistry } from '../../src/service/registry/registry.ts';
import { okPayload } from '../answer.ts';
import { participationsOf } from '../fixtures/marketplaces.ts';
import type { Played, Routes } from '../router.ts';
import type { NextFeed } from '../sandbox.ts';
import type { Addresses } from '../signed/signed-address.ts';
import type { UploadStore } from '../signed/upload-store.ts';
import type { TokenBook } from '../tokens/token-book.ts';
import type { Market } from '../world/markets.ts';
import type { World } from '../world/world.ts';
import { playAnswers } from './answer-from-data.ts';
import { playCatalog } from './catalog-item.ts';
import { playCustomerFeedback } from './customer-feedback.ts';
import { type KioskJobs, playKiosk } from './data-kiosk.ts';
import { type FeedJobs, playFeeds } from './feeds.ts';
import { playFees } from './fees.ts';
import { playInvoices } from './invoices.ts';
import type { ListingStore } from './listing-store.ts';
import { playListings } from './listings.ts';
import { playMessaging } from './messaging.ts';
import { playOrderMetrics } from './order-metrics.ts';
import { playOutboundOrders } from './outbound-orders.ts';
import { playPricing2022 } from './pricing-2022.ts';
import { playPricingV0 } from './pricing-v0.ts';
import { playPromotions } from './promotions.ts';
import { playReports, type ReportJobs } from './reports.ts';
import { playTokens } from './restricted-data-token.ts';
import { playCatalogItems } from './search-catalog.ts';
import { playShipping } from './shipping.ts';
import { playSupplySources, type SupplySourceStore } from './supply-sources.ts';
import { playSupport } from './support.ts';
import { playUploads } from './upload-destinations.ts';
import { playListingWrites } from './write-listing.ts';

export interface RouteParts {
  world: World;
  /** The marketplaces in which the seller takes part. */
  takesPart: readonly Market[];
  listings: ListingStore;
  reports: ReportJobs;
  kiosk: KioskJobs;
  feeds: FeedJobs;
  nextFeeds: NextFeed[];
  uploads: UploadStore;
  addresses: Addresses;
  supplySources: SupplySourceStore;
  book: TokenBook;
  lifetimeSeconds: number;
}

/** Builds the routes from the facts, which have their paths and parameters. */
export async function buildRoutes(parts: RouteParts): Promise<Routes> {
  const { find, operations } = await loadRegistry();
  const played = Object.entries(playAll(parts)).map(([name, handle]) => {
    const [id = '', resource] = name.split(' ');
    const operation = find(id);
    return { operation, path: operation.path.replace('{resource}', resource ?? ''), handle };
  });
  return { played, operations };
}

function playAll(parts: RouteParts): Played {
  const { world, takesPart, listings, supplySources, uploads, book, lifetimeSeconds } = parts;
  return {
    ...playAnswers(world),
    ...playCatalog(world),
    ...playCatalogItems(listings.world),
    ...playCustomerFeedback(world),
    ...playListings(listings),
    ...playListingWrites(listings),
    ...playOrderMetrics(world),
    ...playFees(parts),
    ...playReports(parts),
    ...playKiosk(parts),
    ...playShipping(world),
    ...playInvoices(parts),
    ...playOutboundOrders(world),
    ...playFeeds(parts),
    ...playUploads(parts),
    ...playMessaging(world, uploads),
    ...playSupport(world),
    ...playPromotions(world),
    ...playPricingV0(listings.world, takesPart),
    ...playPricing2022(listings.world, takesPart),
    ...playSupplySources(supplySources),
    ...playTokens(book, lifetimeSeconds),
    'sellers/getMarketplaceParticipations': () => okPayload(participationsOf(takesPart)),
  };
}
