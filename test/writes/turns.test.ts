import { expect, it } from 'vitest';
import { createTurns } from '../../src/writes/write-guard.ts';

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

it('work on one thing waits its turn, work on another does not', async () => {
  const inTurn = createTurns();
  const first = gate();
  const order: string[] = [];
  const one = inTurn('a', async () => {
    await first.opened;
    order.push('first');
  });
  const two = inTurn('a', async () => order.push('second'));
  await inTurn('b', async () => order.push('other'));
  expect(order).toEqual(['other']);
  first.open();
  await Promise.all([one, two]);
  expect(order).toEqual(['other', 'first', 'second']);
});

it('a failure is its own, and the next goes on', async () => {
  const inTurn = createTurns();
  const failing = inTurn('a', async () => {
    throw new Error('mine');
  });
  const next = inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('mine');
  expect(await next).toBe('done');
});
