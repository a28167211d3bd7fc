/** Rate limits that really limit: one token bucket per operation, named in the header of section 8. */

import type { RateLimit } from './types.ts';

/** Generous enough for a person, tight enough to be met by a loop; the later ones are the public service's own. */
export const DEFAULT_RATE_LIMITS: Readonly<Record<string, RateLimit>> = {
  getCatalogItem: { requestsPerSecond: 5, burst: 10 },
  getListingsItem: { requestsPerSecond: 5, burst: 10 },
  patchListingsItem: { requestsPerSecond: 5, burst: 5 },
  'patchListingsItem VALIDATION_PREVIEW': { requestsPerSecond: 1, burst: 1 },
  putListingsItem: { requestsPerSecond: 5, burst: 10 },
  'putListingsItem VALIDATION_PREVIEW': { requestsPerSecond: 1, burst: 1 },
  deleteListingsItem: { requestsPerSecond: 5, burst: 10 },
  getSupplySources: { requestsPerSecond: 5, burst: 10 },
  getSupplySource: { requestsPerSecond: 5, burst: 10 },
  createSupplySource: { requestsPerSecond: 1, burst: 5 },
  updateSupplySource: { requestsPerSecond: 1, burst: 5 },
  updateSupplySourceStatus: { requestsPerSecond: 1, burst: 5 },
  archiveSupplySource: { requestsPerSecond: 1, burst: 5 },
  createRestrictedDataToken: { requestsPerSecond: 1, burst: 10 },
  getMarketplaceParticipations: { requestsPerSecond: 0.016, burst: 15 },
  searchListingsItems: { requestsPerSecond: 5, burst: 5 },
  getInventorySummaries: { requestsPerSecond: 2, burst: 2 },
  getOrders: { requestsPerSecond: 0.0167, burst: 20 },
  searchOrders: { requestsPerSecond: 0.0056, burst: 20 },
  getOrder: { requestsPerSecond: 0.5, burst: 30 },
  getOrderItems: { requestsPerSecond: 0.5, burst: 30 },
  getOrderBuyerInfo: { requestsPerSecond: 0.5, burst: 30 },
  getOrderAddress: { requestsPerSecond: 0.5, burst: 30 },
  getOrderItemsBuyerInfo: { requestsPerSecond: 0.5, burst: 30 },
  createReport: { requestsPerSecond: 0.0167, burst: 15 },
  getReports: { requestsPerSecond: 0.0222, burst: 10 },
  getReport: { requestsPerSecond: 2, burst: 15 },
  cancelReport: { requestsPerSecond: 0.0222, burst: 10 },
  getReportDocument: { requestsPerSecond: 0.0167, burst: 15 },
  createFeedDocument: { requestsPerSecond: 0.5, burst: 15 },
  createFeed: { requestsPerSecond: 0.0083, burst: 15 },
  getFeed: { requestsPerSecond: 2, burst: 15 },
  getFeeds: { requestsPerSecond: 0.0222, burst: 10 },
  cancelFeed: { requestsPerSecond: 2, burst: 15 },
  getFeedDocument: { requestsPerSecond: 0.0222, burst: 10 },
  createUploadDestinationForResource: { requestsPerSecond: 10, burst: 10 },
  getOrderRegulatedInfo: { requestsPerSecond: 0.5, burst: 30 },
  getEligibleShipmentServices: { requestsPerSecond: 6, burst: 12 },
  createShipment: { requestsPerSecond: 2, burst: 2 },
  getShipment: { requestsPerSecond: 1, burst: 1 },
  cancelShipment: { requestsPerSecond: 1, burst: 1 },
  listAllFulfillmentOrders: { requestsPerSecond: 2, burst: 30 },
  getFulfillmentOrder: { requestsPerSecond: 2, burst: 30 },
  createFulfillmentOrder: { requestsPerSecond: 2, burst: 30 },
  updateFulfillmentOrder: { requestsPerSecond: 2, burst: 30 },
  cancelFulfillmentOrder: { requestsPerSecond: 2, burst: 30 },
  getMessagingActionsForOrder: { requestsPerSecond: 1, burst: 5 },
  GetAttributes: { requestsPerSecond: 1, burst: 5 },
  getSolicitationActionsForOrder: { requestsPerSecond: 1, burst: 5 },
  getReportSchedules: { requestsPerSecond: 0.0222, burst: 10 },
};

interface Bucket {
  tokens: number;
  at: number;
}

export interface RateLimits {
  limitOf(operation: string): RateLimit | undefined;
  /** Milliseconds until a call would be let through: 0 when this one was. */
  take(operation: string): number;
}

export function createRateLimits(
  given: Readonly<Record<string, RateLimit>> | false,
  now: () => number,
): RateLimits {
  const limits: Readonly<Record<string, RateLimit>> =
    given === false ? {} : { ...DEFAULT_RATE_LIMITS, ...given };
  const named = new Map(Object.entries(limits));
  const ownNames = given === false ? new Set<string>() : new Set(Object.keys(given));
  const buckets = new Map<string, Bucket>();
  // A `*` of the caller's goes before a default, a name of the caller's before both.
  const limitOf = (operation: string): RateLimit | undefined =>
    ownNames.has(operation) ? named.get(operation) : (named.get('*') ?? named.get(operation));
  return {
    limitOf,
    take(operation) {
      const limit = limitOf(operation);
      if (limit === undefined) return 0;
      const bucket = refill(buckets.get(operation), limit, now());
      buckets.set(operation, bucket);
      if (bucket.tokens < 1) return ((1 - bucket.tokens) / limit.requestsPerSecond) * 1000;
      bucket.tokens -= 1;
      return 0;
    },
  };
}

/** The bucket as it stands at `now`; a new one is full. A clock that went back refills nothing. */
export function refill(bucket: Bucket | undefined, limit: RateLimit, now: number): Bucket {
  if (bucket === undefined) return { tokens: limit.burst, at: now };
  const elapsedSeconds = Math.max(0, now - bucket.at) / 1000;
  return { tokens: Math.min(limit.burst, bucket.tokens + elapsedSeconds * limit.requestsPerSecond), at: now };
}

/** `5` goes out as `5.0`, as the public service sends it. */
export function formatRate(limit: RateLimit): string {
  return Number.isInteger(limit.requestsPerSecond)
    ? limit.requestsPerSecond.toFixed(1)
    : String(limit.requestsPerSecond);
}
