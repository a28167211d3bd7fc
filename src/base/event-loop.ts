/** Long work on one value in short turns, so that other calls, signals and pings are answered in between. */

/** Below this many bytes of JSON, a step over a whole value is over in a few milliseconds. */
export const LARGE_BYTES = 32 * 1024;

/**
 * Between two steps over a value of `bytes` JSON, or of a size that is not known: gives the event loop a turn where it is
 * large, and is nothing to wait for where it is small.
 */
export function letOthersRun(bytes = LARGE_BYTES): Promise<void> | undefined {
  return bytes >= LARGE_BYTES ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}

/** In a loop over many, each of them soon done: a turn for others at every so many. @param at how many are done */
export function letOthersRunEach(every: number, at: number): Promise<void> | undefined {
  return at % every === every - 1 ? letOthersRun() : undefined;
}
