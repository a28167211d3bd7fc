/** Long work on one value in short turns, so that other calls, signals and pings are answered in between. */

/** Below this many bytes of JSON, a step over a whole value is over in a few milliseconds. */
export const LARGE_BYTES = 256 * 1024;

/** Between two steps over a value of `bytes` JSON: gives the event loop a turn where the value is large. */
export async function letOthersRun(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await new Promise((resolve) => setImmediate(resolve));
}
