/** Work for many, some at once: a failure ends all, and is told when nothing is under way any more. */

import { expect, it } from 'vitest';
import { forEachConcurrently } from '../../src/base/concurrent.ts';

it('throws the first failure once the work beside it has ended, and begins no more', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (item === 2) throw new Error('second');
    ended.push(item);
  };
  await expect(forEachConcurrently([0, 1, 2, 3, 4], work, 3)).rejects.toThrow('first');
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0]);
});
