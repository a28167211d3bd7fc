/**
 * Splits long work on one value into short steps, so that other calls, signals and pings are handled in
 * between.
 */

/** A step over a whole value with less JSON than this takes only a few milliseconds. */
export const LARGE_BYTES = 32 * 1024;

/**
 * Yields to the event loop between two steps over a value of `bytes` JSON, or of unknown size. Returns
 * undefined, so that nothing is awaited, when the value is small.
 */
export function yieldToEventLoop(bytes = LARGE_BYTES): Promise<void> | undefined {
  return bytes >= LARGE_BYTES ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}

/**
 * Yields to the event loop after every `every` steps of a loop with many short steps.
 * @param at the number of finished steps
 */
export function yieldEvery(every: number, at: number): Promise<void> | undefined {
  return at % every === every - 1 ? yieldToEventLoop() : undefined;
}
