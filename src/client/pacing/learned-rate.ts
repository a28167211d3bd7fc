/** A rate for operations whose limit nobody states: guessed from a refusal, then followed by the answers. */

/** Never slower than one call a minute, the slowest public limits. */
const SLOWEST = 1 / 60;
const FIRST_GUESS_AT_LEAST = 0.5;
const RAISE_AFTER_MS = 10_000;
const LOWER_AFTER_MS = 1000;

/** Half of what went through before the first refusal, in requests per second. */
export function guessRate(accepted: number, elapsedMs: number): number {
  return Math.max(FIRST_GUESS_AT_LEAST, accepted / Math.max(1, elapsedMs / 1000) / 2);
}

/** Refusals that come together count once. */
export function lowerRate(rate: number, sinceChangeMs: number): number {
  return sinceChangeMs < LOWER_AFTER_MS ? rate : Math.max(SLOWEST, rate / 2);
}

/** A quarter more after ten quiet seconds. */
export function raiseRate(rate: number, sinceChangeMs: number): number {
  return sinceChangeMs < RAISE_AFTER_MS ? rate : rate * 1.25;
}
