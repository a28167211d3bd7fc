/** The worker thread that alone loads SQLite: builds one collection, or answers queries. */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createBuilder } from './build-collection.ts';
import { createExporter } from './export-rows.ts';
import { toFailure } from './failures.ts';
import { createQueryOpener } from './open-query.ts';
import type { ExportRequest, LoadRequest, QueryRequest, WorkerAnswer, WorkerStart } from './protocol.ts';
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

function createReader(): (request: QueryRequest | ExportRequest) => unknown {
  const open = createQueryOpener();
  const exporter = createExporter(open);
  return (request) => (request.do === 'query' ? runQuery(open, request) : exporter.answer(request));
}

const start: WorkerStart = workerData;
if (parentPort !== null) {
  if (start.work === 'query') serve(parentPort, createReader());
  else serve<LoadRequest>(parentPort, createBuilder({ ...start, counts: new Float64Array(start.counts) }));
}
