/** How long a token is used: arithmetic over two clocks, since each can be wrong by itself. */

import type { Clock } from '../../base/clock.ts';

/** Documented lifetime (section 2.2), assumed where `expires_in` is missing, not positive or no number. */
const DEFAULT_LIFETIME_SECONDS = 3600;
/** Longer promises are not believed. */
export const MAX_TOKEN_SECONDS = 86_400;
/** A token is no longer used this long before its end. */
export const EARLY_MS = 60_000;

/** `expires_in` as sent when it is a positive number (also as text), otherwise the documented default. */
export function lifetimeSeconds(expiresIn: unknown): number {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0)
    return DEFAULT_LIFETIME_SECONDS;
  return Math.min(seconds, MAX_TOKEN_SECONDS);
}

export interface Lifetime {
  /** Milliseconds of the monotonic clock and of the wall clock; the token is used before both. */
  usableUntil: number;
  usableUntilWall: number;
  /** Milliseconds since the epoch, when the service says it ends. */
  expiresAt: number;
}

type Clocks = Pick<Clock, 'now' | 'wallClock'>;

/** Returns the lifetime of a new token: it ends 60 s early, but never loses more than half of a short life. */
export function lifetime(lengthMs: number, clock: Clocks): Lifetime {
  return lasting(Math.max(lengthMs - EARLY_MS, lengthMs / 2), lengthMs, clock);
}

/** Returns the rest of an older token's life, without its last 60 s. */
export function endingEarly(remainingMs: number, clock: Clocks): Lifetime {
  return lasting(remainingMs - EARLY_MS, remainingMs, clock);
}

function lasting(usableMs: number, lengthMs: number, clock: Clocks): Lifetime {
  const wallClock = clock.wallClock();
  return {
    usableUntil: clock.now() + usableMs,
    usableUntilWall: wallClock + usableMs,
    expiresAt: wallClock + lengthMs,
  };
}

/**
 * Both clocks must agree: the monotonic one may stand still while a machine sleeps, the wall clock may be set.
 * A wall clock set far back would stretch nothing, because the monotonic one still counts.
 */
export function isUsable(life: Lifetime, clock: Clocks): boolean {
  return clock.now() < life.usableUntil && clock.wallClock() < life.usableUntilWall;
}
