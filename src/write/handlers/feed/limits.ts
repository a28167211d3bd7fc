/** Defines the limits on a feed's size and on the time to follow it; the errors and answers state them. */

import { MAX_UPLOAD_BYTES } from '../../../call/upload/upload.ts';

/** The service's own limit for one JSON_LISTINGS_FEED. */
export const MAX_FEED_MESSAGES = 25_000;

/** The limit for one document. */
export const MAX_FEED_DOCUMENT_BYTES = MAX_UPLOAD_BYTES;

/**
 * The time that one run follows a feed; the next one continues. Most feeds are done in minutes, some in
 * hours.
 */
export const MAX_FOLLOW_MS = 4 * 3_600_000;

/** A feed that takes longer is reported as stuck, because it holds up those behind it. */
export const STUCK_MS = 30 * 60_000;

/** The pauses between polls of a feed: short at first, because small feeds are done in seconds. */
export const FIRST_POLL_MS = 1_000;
export const MAX_POLL_MS = 30_000;
export const POLL_BACKOFF = 1.5;

/** The maximum time that one call of ours waits for its slot under the rate limit. */
export const FEED_CALL_MS = 10 * 60_000;

/**
 * Maximum bytes of a processing report that are read into one answer: 25,000 messages with some issues each.
 */
export const MAX_REPORT_BYTES = 100_000_000;
