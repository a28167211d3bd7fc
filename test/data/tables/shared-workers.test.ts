/** Threads that people share: bounded for each person, and the next place goes to whoever has fewest. */

import { expect, it } from 'vitest';
import { createSharedWorkers } from '../../../src/data/tables/shared-workers.ts';
import type { WorkerPool, WorkerThread } from '../../../src/data/tables/worker-thread.ts';

function shared(mostOfPerson: number, most: number, waitMs = 5_000) {
  let started = 0;
  const rested: WorkerThread[] = [];
  const open = (): WorkerPool => ({
    take: () => {
      const rest = rested.pop();
      if (rest !== undefined) return rest;
      started += 1;
      return { ask: () => Promise.reject(new Error('not here')), end: async () => {}, isEnded: () => false };
    },
    giveBack: (worker) => void rested.push(worker),
    close: async () => {},
  });
  const workers = createSharedWorkers('', { mostOfPerson, most, waitMs, open });
  return { workers, started: () => started };
}

it('two hundred people one after the other are served by one thread', async () => {
  const { workers, started } = shared(2, 8);
  for (let at = 0; at < 200; at++) {
    const pool = workers.of(`person-${at}`);
    pool.giveBack(await pool.take('query'));
  }
  expect(started()).toBe(1);
  expect(workers.atWork()).toBe(0);
});

it('one person has so many at once, and holds up nobody else', async () => {
  const { workers } = shared(2, 8);
  const [anna, ben] = [workers.of('anna'), workers.of('ben')];
  const held = [await anna.take('query'), await anna.take('query')];
  let hasThird = false;
  const third = Promise.resolve(anna.take('query')).then((worker) => {
    hasThird = true;
    return worker;
  });
  await ben.take('query');
  expect(hasThird).toBe(false);
  await held[0]?.end();
  await third;
  expect(workers.atWork()).toBe(3);
});

it('where all are at work, the next place is for whoever has fewest', async () => {
  const { workers } = shared(3, 3);
  const anna = workers.of('anna');
  const held = [await anna.take('query'), await anna.take('query'), await anna.take('query')];
  const order: string[] = [];
  const wait = (name: string) =>
    Promise.resolve(workers.of(name).take('query')).then(() => void order.push(name));
  const waiting = [wait('anna'), wait('ben')];
  for (const worker of held) anna.giveBack(worker);
  await Promise.all(waiting);
  expect(order).toEqual(['ben', 'anna']);
});

it('who waits too long is told, and has no place in the line any more', async () => {
  const { workers } = shared(1, 8, 20);
  const anna = workers.of('anna');
  const first = await anna.take('query');
  await expect(Promise.resolve(anna.take('query'))).rejects.toThrow('As much is computed at once');
  anna.giveBack(first);
  expect(workers.atWork()).toBe(0);
});

it('the end of a person ends what is at work for them, and nothing of others', async () => {
  const { workers } = shared(2, 8);
  await workers.of('anna').take('load');
  await workers.of('ben').take('load');
  await workers.of('anna').close();
  expect(workers.atWork()).toBe(1);
});
