import { expect, test } from 'vitest';
import type { QueryAnswer } from '../../../src/data/tables/worker/messages.ts';
import { createWorkerPool, startWorker } from '../../../src/data/tables/worker-thread.ts';
import { tablesWorker } from '../../helpers/tables-worker.ts';

const REST_MS = 300;

test('a thread that has just answered rests before it is ended; what is asked of it meanwhile fails', async () => {
  const worker = startWorker(tablesWorker);
  const request = {
    do: 'query',
    sql: 'SELECT 1 AS one',
    countSql: 'SELECT 1',
    maxRows: 1,
    maxBytes: 10,
    files: [],
    builtIn: [],
  };
  const answer: QueryAnswer = await worker.ask(request);
  expect(answer.rows).toEqual([[1]]);
  const started = performance.now();
  const ending = worker.end();
  expect(worker.isEnded()).toBe(true);
  await expect(worker.ask(request)).rejects.toThrow('The worker thread was ended');
  await ending;
  expect(performance.now() - started).toBeGreaterThan(REST_MS - 50);
});

test('a thread at rest goes to who takes one for the same as before; who finds none takes any', async () => {
  const workers = createWorkerPool(tablesWorker);
  const loading = workers.take('load');
  const asked = workers.take('query');
  workers.giveBack(asked);
  workers.giveBack(loading);
  expect(workers.take('query')).toBe(asked);
  expect(workers.take('query')).toBe(loading);
  workers.giveBack(loading);
  await asked.end();
  workers.giveBack(asked);
  expect(workers.take('query')).toBe(loading);
  workers.giveBack(loading);
  await workers.close();
});
