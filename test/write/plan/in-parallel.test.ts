/** Many read at once: in their order, told as they come, and ended by the first failure, which says which one it was. */

import { expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { inParallel } from '../../../src/write/plan/in-parallel.ts';

it('the results stand in the order of what was asked, and each is told as it comes', async () => {
  const results: unknown[] = [];
  let [open, most] = [0, 0];
  const read = async (item: number, at: number) => {
    open += 1;
    most = Math.max(most, open);
    for (let turn = 0; turn < 12 - at; turn += 1) await Promise.resolve();
    open -= 1;
    return `${at}:${item * 2}`;
  };
  const items = [10, 20, 30, 40, 50, 60, 70];
  const found = await inParallel(items, read, (progress) => results.push(progress.message));
  expect(found).toEqual(items.map((item, at) => `${at}:${item * 2}`));
  expect(results).toEqual(items.map((_, at) => `Read ${at + 1} of 7`));
  expect(most).toBe(5);
});

it('a failure says which of several it was, and nothing of the only one', async () => {
  const failing = (error: Error, count: number) =>
    inParallel(
      Array.from({ length: count }, (_, at) => at),
      async (_item, at) => {
        if (at === count - 1) throw error;
        return at;
      },
    ).catch((failed: unknown) => failed);
  const words = 'It is about number 3 of 3; nothing of the list was sent.';
  const results = await failing(new InputError('down', 'Try later.'), 3);
  expect(Object(results).hint).toMatch(new RegExp(`^${words}`));
  expect(await failing(new InputError('down', 'Try later.'), 1)).toMatchObject({ hint: 'Try later.' });
  const ours = new Error('ours');
  expect(await failing(ours, 3)).toBe(ours);
});
