/** A token bucket, and the rates it is given, as arithmetic of numbers: nothing here waits or knows of calls. */

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

/** One call an hour. A slower rate would close an operation for the life of the process, for one wrong header. */
export const SLOWEST_BELIEVED = 1 / 3600;
/** More is no limit at all. */
export const FASTEST_BELIEVED = 1000;

/** Any stated or learned rate, kept between what can be meant. */
export function believed(requestsPerSecond: number): number {
  return Math.min(FASTEST_BELIEVED, Math.max(SLOWEST_BELIEVED, requestsPerSecond));
}

/** @param burst less than one call at a time would be none, ever */
export function fullBucket(requestsPerSecond: number, burst: number, now: number): Bucket {
  const capacity = Math.max(1, burst);
  return {
    tokens: capacity,
    capacity,
    requestsPerSecond: believed(requestsPerSecond),
    updatedAt: now,
    held: false,
  };
}

export function refill(bucket: Bucket, now: number): Bucket {
  if (now <= bucket.updatedAt) return bucket;
  const gained = ((now - bucket.updatedAt) / 1000) * bucket.requestsPerSecond;
  return { ...bucket, tokens: Math.min(bucket.capacity, bucket.tokens + gained), updatedAt: now };
}

/** Milliseconds until the next call may go; 0 when it may go now. */
export function waitMs(bucket: Bucket, now: number): number {
  const current = refill(bucket, now);
  const missing = 1 - current.tokens;
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
  return { ...refill(bucket, now), requestsPerSecond: believed(requestsPerSecond) };
}

export function withCapacity(bucket: Bucket, capacity: number): Bucket {
  return { ...bucket, capacity, tokens: Math.min(bucket.tokens, capacity) };
}

/** A rate that is only guessed is never slower than one call a minute, the slowest public limits. */
export const SLOWEST_GUESS = 1 / 60;
const FIRST_GUESS_AT_LEAST = 0.5;
const RAISE_AFTER_MS = 10_000;
const LOWER_AFTER_MS = 1000;

/** Guesses an undocumented limit from a refusal: half of the calls before the first refusal, in requests per second. */
export function guessRate(accepted: number, elapsedMs: number): number {
  return Math.max(FIRST_GUESS_AT_LEAST, accepted / Math.max(1, elapsedMs / 1000) / 2);
}

/** Refusals that come together count once. */
export function lowerRate(rate: number, sinceChangeMs: number): number {
  return sinceChangeMs < LOWER_AFTER_MS ? rate : Math.max(SLOWEST_GUESS, rate / 2);
}

/** A quarter more after ten quiet seconds. */
export function raiseRate(rate: number, sinceChangeMs: number): number {
  return sinceChangeMs < RAISE_AFTER_MS ? rate : rate * 1.25;
}
