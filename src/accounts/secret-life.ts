/** Computes when a client secret expires, so that users are warned in time. */

const DAY_MS = 86_400_000;

/** The identity provider ends a client secret this many days after its creation. */
export const SECRET_DAYS = 180;

/** Users are warned this many days before the end. */
export const WARNING_DAYS = 30;

/**
 * Returns the latest end of a secret that was first seen at `since`, both in milliseconds since the epoch.
 */
export const secretEndOf = (since: number): number => since + SECRET_DAYS * DAY_MS;

/** Returns the fractional days until `end`; negative once it is past. */
export const daysUntil = (end: number, now: number): number => (end - now) / DAY_MS;
