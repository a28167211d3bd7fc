/** Work for each of many, several at once, and lists cut into parts of one size. */

/** Requests that go on at once: the limit of the service decides which of them goes, not how long each takes. */
const AT_ONCE = 12;

/** Runs the work for each of them, some at once, in order; the first failure ends all, and is thrown once none is under way. */
export async function forEachAtOnce<Item>(
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

export function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
