/** Threads that people share: bounded for each person, and the next place goes to whoever has fewest. */

import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { createFairWorkerPool } from '../../../src/data/tables/fair-worker-pool.ts';
import type { WorkerPool, WorkerThread } from '../../../src/data/tables/worker-thread.ts';
import { tablesWorker } from '../../helpers/tables-worker.ts';

function shared(mostOfPerson: number, most: number, waitMs = 5_000) {
  let started = 0;
  const rested: WorkerThread[] = [];
  const open = (): WorkerPool => ({
    take: () => {
      const rest = rested.pop();
      if (rest !== undefined) return rest;
      started += 1;
      return {
        ask: () => Promise.reject(new Error('not here')),
        end: async () => {},
        isEnded: () => false,
        engineBytes: () => 0,
      };
    },
    giveBack: (worker) => void rested.push(worker),
    close: async () => {},
  });
  const workers = createFairWorkerPool('', { mostOfPerson, most, waitMs, open });
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

it('who waits has the very thread that another gives back', async () => {
  const { workers, started } = shared(1, 1);
  const held = await workers.of('anna').take('query');
  const next = workers.of('ben').take('query');
  workers.of('anna').giveBack(held);
  await next;
  expect(started()).toBe(1);
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

it('who asks for many in one moment has no more of them', async () => {
  const { workers, started } = shared(2, 8);
  const anna = workers.of('anna');
  const taken: WorkerThread[] = [];
  const asked = Array.from({ length: 6 }, async () => void taken.push(await anna.take('query')));
  await new Promise((resolve) => setImmediate(resolve));
  expect([taken.length, workers.atWork(), started()]).toEqual([2, 2, 2]);
  for (let at = 0; at < 6; at++) {
    const worker = taken[at];
    if (worker !== undefined) anna.giveBack(worker);
    await new Promise((resolve) => setImmediate(resolve));
    expect(workers.atWork()).toBeLessThanOrEqual(2);
  }
  await Promise.all(asked);
  expect(workers.atWork()).toBe(0);
});

// Only Linux gives threads of a process priorities of their own; the gate's Linux job always runs it.
const hasThreadPriorities = process.platform === 'linux';
if (!hasThreadPriorities) process.stderr.write('Skipped: priorities of threads (Linux only)\n');

// Skipped on other systems, never in the gate on Linux (see hasThreadPriorities).
it.skipIf(!hasThreadPriorities)(
  'works behind all else of the process where processors are short',
  async () => {
    const workers = createFairWorkerPool(tablesWorker, { mostOfPerson: 1, most: 1 });
    onTestFinished(() => workers.close());
    const pool = workers.of('anna');
    const own = getPriority();
    const worker = await pool.take('query');
    const nices = async () => {
      const threads = await readdir('/proc/self/task');
      const lines = await Promise.all(threads.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8')));
      return lines.map((line) => Number(line.split(') ').at(-1)?.split(' ')[16]));
    };
    await expect.poll(nices, { timeout: 10_000 }).toContain(Math.max(own, 10));
    expect(getPriority()).toBe(own);
    await worker.end();
  },
);

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
