/** Reads many things a few at a time, the results in their order; the first failure ends it, and says which one it was. */

import { AppError } from '../../base/errors.ts';
import type { Progress } from '../../tell/session.ts';

/** Enough for the limits of any reading operation. */
const AT_ONCE = 5;

/** @param tell how far it is @throws what `read` throws, with its number in front of the hint where there are several */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item, at: number) => Promise<Result>,
  tell: (progress: Progress) => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  let [next, done, hasFailed] = [0, 0, false];
  const work = async () => {
    for (let at = next++; at < items.length && !hasFailed; at = next++) {
      const item = items[at];
      if (item === undefined) continue;
      try {
        results[at] = await read(item, at);
        done += 1;
        tell({ message: `Read ${done} of ${items.length}` });
      } catch (error) {
        hasFailed = true;
        throw items.length > 1 && error instanceof AppError
          ? error.withHintFirst(
              `It is about number ${at + 1} of ${items.length}; nothing of the list was sent.`,
            )
          : error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return results;
}
