/** How much is uploaded, and for how long: stated in the errors that refuse more. */

/** Of one document. A feed of 25,000 messages takes about a tenth of it. */
export const MOST_UPLOAD_BYTES = 100_000_000;

/** Without a byte of an answer, once all was sent. */
export const UPLOAD_SILENCE_MS = 60_000;

/** In all: a signed address lives five minutes. */
export const UPLOAD_TOTAL_MS = 4 * 60_000;
