import { expect, test } from 'vitest';
import type { QueryAnswer } from '../../../src/data/tables/worker/messages.ts';
import { createWorkerPool, startWorker } from '../../../src/data/tables/worker-thread.ts';
import { tablesWorker } from '../../helpers/tables-worker.ts';

test('what is asked of a thread that is ended fails', async () => {
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
  const ending = worker.end();
  expect(worker.isEnded()).toBe(true);
  await expect(worker.ask(request)).rejects.toThrow('The worker thread was ended');
  await ending;
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
