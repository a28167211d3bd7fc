/** The worker thread that alone loads SQLite: builds one collection, or answers queries. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createBuilder } from './build-collection.ts';
import { toFailure } from './failures.ts';
import type { LoadRequest, QueryRequest, WorkerAnswer, WorkerStart } from './protocol.ts';
import { runQuery } from './run-query.ts';

/** One request after the other, in the order in which they came. */
function serve<Request>(port: MessagePort, answer: (request: Request) => unknown): void {
  let last = Promise.resolve();
  port.on('message', ({ id, request }: { id: number; request: Request }) => {
    last = last.then(async () => {
      const reply: WorkerAnswer = await Promise.resolve()
        .then(() => answer(request))
        .then(
          (value) => ({ id, value }),
          (error: unknown) => ({ id, failure: toFailure(error) }),
        );
      port.postMessage(reply);
    });
  });
}

const start: WorkerStart = workerData;
if (parentPort !== null) {
  if (start.work === 'query') serve<QueryRequest>(parentPort, runQuery);
  else serve<LoadRequest>(parentPort, createBuilder(start.folder, new Float64Array(start.counts)));
}
