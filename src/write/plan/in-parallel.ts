/** Reads many things a few at a time, the results in their order; the first failure ends it, and says which one it was. */

import { forEachAtOnce } from '../../base/at-once.ts';
import { AppError } from '../../base/errors.ts';
import type { Progress } from '../../tell/reading-session.ts';

/** Enough for the limits of any reading operation. */
const AT_ONCE = 5;

/** @param tell how far it is @throws what `read` throws, with its number in front of the hint where there are several */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item, at: number) => Promise<Result>,
  tell: (progress: Progress) => void = () => undefined,
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
  await forEachAtOnce(items, work, AT_ONCE);
  return results;
}
