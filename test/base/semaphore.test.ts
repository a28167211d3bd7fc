/** Work on one thing goes on one after the other, on different things at once. */

import { describe, expect, it } from 'vitest';
import { createKeyedSemaphore, createSemaphore } from '../../src/base/semaphore.ts';

describe('a semaphore by key', () => {
  const gate = () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    return { opened, open };
  };
  const settle = () => new Promise(setImmediate);

  it('of one thing wait, of another do not', async () => {
    const inTurn = createKeyedSemaphore();
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

  it('a third that comes while the second is under way waits for it', async () => {
    const inTurn = createKeyedSemaphore();
    const second = gate();
    const order: string[] = [];
    const one = inTurn('a', async () => order.push('first'));
    const two = inTurn('a', async () => {
      await second.opened;
      order.push('second');
    });
    await one;
    await settle();
    const three = inTurn('a', async () => order.push('third'));
    await settle();
    expect(order).toEqual(['first']);
    second.open();
    await Promise.all([two, three]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('a failure is its own, and the next goes on', async () => {
    const inTurn = createKeyedSemaphore();
    const failing = inTurn('a', async () => {
      throw new Error('mine');
    });
    const next = inTurn('a', async () => 'done');
    await expect(failing).rejects.toThrow('mine');
    expect(await next).toBe('done');
  });
});

it('gives no turn to one that was cancelled while it waited', async () => {
  const { take } = createSemaphore(1);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const never = new AbortController().signal;
  const cancelled = new AbortController();
  const first = take(never, () => opened);
  const second = take(cancelled.signal, async () => 'second');
  const third = take(never, async () => 'third');
  cancelled.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  open();
  await first;
  expect(await third).toBe('third');
});
