/** A client secret ends by itself, which people are told in time. */

const DAY_MS = 86_400_000;

/** The identity provider ends a client secret so many days after it was made. */
export const SECRET_DAYS = 180;

/** People are told from so many days before. */
export const TOLD_DAYS = 30;

/** Returns when a secret ends at the latest that was first seen then, both in milliseconds since the epoch. */
export const secretEndOf = (since: number): number => since + SECRET_DAYS * DAY_MS;

/** Returns the days until then, with their fraction; a negative number once it is past. */
export const daysUntil = (end: number, now: number): number => (end - now) / DAY_MS;
