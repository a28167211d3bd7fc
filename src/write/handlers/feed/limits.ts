/** How large a feed may be and how long it is followed: stated in the errors that refuse more, and in what is told. */

import { MOST_UPLOAD_BYTES } from '../../../call/upload/upload.ts';

/** Of one JSON_LISTINGS_FEED; the service's own limit. */
export const MOST_MESSAGES = 25_000;

/** Of one document. */
export const MOST_DOCUMENT_BYTES = MOST_UPLOAD_BYTES;

/** How long one run follows a feed; the next one goes on. Most are done in minutes, some in hours. */
export const MOST_FOLLOW_MS = 4 * 3_600_000;

/** A feed that is worked on for longer is told as stuck: it holds up those behind it. */
export const STUCK_MS = 30 * 60_000;

/** Between two looks at a feed: quick at first, since small ones are done in seconds. */
export const FIRST_LOOK_MS = 1_000;
export const SLOWEST_LOOK_MS = 30_000;
export const SLOWER = 1.5;

/** How long one call of ours may wait for its place under the service's limits. */
export const FEED_CALL_MS = 10 * 60_000;

/** Bytes of a processing report that are read into one answer: 25,000 messages with some issues each. */
export const MOST_REPORT_BYTES = 100_000_000;
