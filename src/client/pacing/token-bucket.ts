/** A token bucket as arithmetic of numbers: nothing here waits or knows of calls. */

export interface Bucket {
  /** Calls that may go at `updatedAt`; a fraction of one while it fills. */
  tokens: number;
  /** Calls that may go at once after a rest (the burst). */
  capacity: number;
  requestsPerSecond: number;
  /** Milliseconds of the clock from which it fills; in the future while it must not fill. */
  updatedAt: number;
  /** True from the first call out of a full bucket until that call's answer. */
  held: boolean;
}

/** How long a first call out of a full bucket may keep it from filling when its answer is late. */
export const HOLD_MS = 1000;
/** Slack for clocks that count in whole milliseconds on the other side. */
export const MARGIN_MS = 5;
const ALMOST_ONE = 1 - 1e-9;

export function fullBucket(requestsPerSecond: number, capacity: number, now: number): Bucket {
  return { tokens: capacity, capacity, requestsPerSecond, updatedAt: now, held: false };
}

export function refill(bucket: Bucket, now: number): Bucket {
  if (now <= bucket.updatedAt) return bucket;
  const gained = ((now - bucket.updatedAt) / 1000) * bucket.requestsPerSecond;
  return { ...bucket, tokens: Math.min(bucket.capacity, bucket.tokens + gained), updatedAt: now };
}

/** Milliseconds until the call at `position` (from 1) of those waiting may go; 0 when it may go now. */
export function waitMs(bucket: Bucket, now: number, position = 1): number {
  const current = refill(bucket, now);
  const missing = position - current.tokens;
  if (missing <= 1 - ALMOST_ONE) return 0;
  const resting = Math.max(0, current.updatedAt - now);
  return resting + (missing / current.requestsPerSecond) * 1000;
}

/**
 * Takes one token; the caller has seen that one is there.
 * Out of a full bucket the filling starts only with the answer: the service counts from the arrival of the
 * call, which lies somewhere between sending and answer, and a bucket that starts sooner runs ahead of it.
 */
export function take(bucket: Bucket, now: number): Bucket {
  const current = refill(bucket, now);
  const tokens = Math.max(0, current.tokens - 1);
  const wasFull = current.tokens >= current.capacity - 1e-9 && now >= current.updatedAt;
  return wasFull ? { ...current, tokens, updatedAt: now + HOLD_MS, held: true } : { ...current, tokens };
}

/** An answer arrived: what was held may fill. */
export function answered(bucket: Bucket, now: number): Bucket {
  if (!bucket.held) return bucket;
  return { ...bucket, held: false, updatedAt: Math.min(bucket.updatedAt, now + MARGIN_MS) };
}

/** The service refused a call: empty, and not filling before `until`. */
export function emptied(bucket: Bucket, until: number): Bucket {
  return {
    ...bucket,
    tokens: 0,
    held: false,
    updatedAt: bucket.held ? until : Math.max(bucket.updatedAt, until),
  };
}

export function withRate(bucket: Bucket, requestsPerSecond: number, now: number): Bucket {
  return { ...refill(bucket, now), requestsPerSecond };
}

export function withCapacity(bucket: Bucket, capacity: number): Bucket {
  return { ...bucket, capacity, tokens: Math.min(bucket.tokens, capacity) };
}
