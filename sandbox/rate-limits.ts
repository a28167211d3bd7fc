/** Rate limits that really limit: one token bucket per operation, named in the header of section 8. */

import type { Operation } from '../src/service/facts/operation.ts';
import type { RateLimit } from './sandbox.ts';

/** Limits of operations for which the facts have none, or one that is too slow for a demo. */
const OWN_LIMITS: Readonly<Record<string, RateLimit>> = {
  getCatalogItem: { requestsPerSecond: 5, burst: 10 },
  'patchListingsItem VALIDATION_PREVIEW': { requestsPerSecond: 1, burst: 1 },
  'putListingsItem VALIDATION_PREVIEW': { requestsPerSecond: 1, burst: 1 },
  getSupplySources: { requestsPerSecond: 5, burst: 10 },
  getSupplySource: { requestsPerSecond: 5, burst: 10 },
  createSupplySource: { requestsPerSecond: 1, burst: 5 },
  updateSupplySource: { requestsPerSecond: 1, burst: 5 },
  updateSupplySourceStatus: { requestsPerSecond: 1, burst: 5 },
  archiveSupplySource: { requestsPerSecond: 1, burst: 5 },
};

/** The public service's limits of these operations, and the sandbox's own. */
export function defaultLimits(operations: readonly Operation[]): Record<string, RateLimit> {
  const known = operations.flatMap(({ name, rate }) =>
    rate?.burst === undefined ? [] : [[name, { ...rate, burst: rate.burst }] as const],
  );
  return { ...Object.fromEntries(known), ...OWN_LIMITS };
}

interface Bucket {
  tokens: number;
  at: number;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** @param defaults of operations that the caller gave none */
export function createRateLimits(
  given: Readonly<Record<string, RateLimit>> | false,
  now: () => number,
  defaults: Readonly<Record<string, RateLimit>> = {},
) {
  const own = new Map(Object.entries(given || {}));
  const others = new Map(Object.entries(given === false ? {} : defaults));
  const buckets = new Map<string, Bucket>();
  // A `*` of the caller's goes before a default, a name of the caller's before both.
  const limitOf = (operation: string): RateLimit | undefined =>
    own.get(operation) ?? own.get('*') ?? others.get(operation);
  return {
    limitOf,
    /** Whether this call is let through. */
    take(operation: string): boolean {
      const limit = limitOf(operation);
      if (limit === undefined) return true;
      const bucket = refill(buckets.get(operation), limit, now());
      buckets.set(operation, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
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
