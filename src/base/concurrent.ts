/** Runs work for many items concurrently, and splits lists into chunks. */

/**
 * The number of concurrent requests. The rate limit of the service decides which request goes next, so
 * waiting requests cost nothing.
 */
const AT_ONCE = 12;

/**
 * Runs the work for each item in order, up to `atOnce` of them concurrently. The first failure stops further
 * work and is thrown once no work is in progress.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const queue = items.entries();
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (const [at, item] of queue) {
      if (failure !== undefined) return;
      await work(item, at).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
}

export function splitIntoChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
