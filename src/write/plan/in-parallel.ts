/**
 * Reads many things a few at a time and returns the results in order. The first failure ends it and names its
 * item.
 */

import { forEachConcurrently } from '../../base/concurrent.ts';
import { AppError } from '../../base/errors.ts';
import type { CallProgress } from '../../render/reading-session.ts';

/** The number of parallel reads that stays within the limits of any reading operation. */
const MAX_AT_ONCE = 5;

/**
 * @param tell receives the progress
 * @throws what `read` throws, with the number of the item before the hint if there are several
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item, at: number) => Promise<Result>,
  tell: (progress: CallProgress) => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  let done = 0;
  const work = async (item: Item, at: number) => {
    try {
      results[at] = await read(item, at);
      done += 1;
      tell({ message: `Read ${done} of ${items.length}` });
    } catch (error) {
      throw items.length > 1 && error instanceof AppError
        ? error.withHintFirst(
            `It is about number ${at + 1} of ${items.length}; nothing of the list was sent.`,
          )
        : error;
    }
  };
  await forEachConcurrently(items, work, MAX_AT_ONCE);
  return results;
}
