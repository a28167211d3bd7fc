/** How long a token is used: arithmetic over two clocks, since each can be wrong by itself. */

/** Documented lifetime (section 2.2), assumed where `expires_in` is missing, not positive or no number. */
export const DEFAULT_LIFETIME_SECONDS = 3600;
/** Longer promises are not believed. */
const LONGEST_SECONDS = 86_400;
const EARLY_MS = 60_000;

/** `expires_in` as sent when it is a positive number (also as text), otherwise the documented default. */
export function lifetimeSeconds(expiresIn: unknown): number {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0)
    return DEFAULT_LIFETIME_SECONDS;
  return Math.min(seconds, LONGEST_SECONDS);
}

export interface Lifetime {
  /** Milliseconds of the monotonic clock and of the wall clock; the token is used before both. */
  usableUntil: number;
  usableUntilWall: number;
  /** Milliseconds since the epoch, when the service says it ends. */
  expiresAt: number;
}

/** Ends 60 s early, but never takes more than half of a short life. */
export function lifetime(lengthMs: number, now: { now: number; wallClock: number }): Lifetime {
  const usableMs = Math.max(lengthMs - EARLY_MS, lengthMs / 2);
  return {
    usableUntil: now.now + usableMs,
    usableUntilWall: now.wallClock + usableMs,
    expiresAt: now.wallClock + lengthMs,
  };
}

/**
 * Both clocks must agree: the monotonic one may stand still while a machine sleeps, the wall clock may be set.
 * A wall clock set far back would stretch nothing, because the monotonic one still counts.
 */
export function isUsable(life: Lifetime, now: { now: number; wallClock: number }): boolean {
  return now.now < life.usableUntil && now.wallClock < life.usableUntilWall;
}
