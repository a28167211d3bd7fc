/** A worker thread as it is asked: one request after the other, what fails told as data. */

import type { MessagePort } from 'node:worker_threads';
import { toFailure } from './failures.ts';
import type { WorkerAnswer } from './protocol.ts';

/** One request after the other, in the order in which they came. */
export function serve<Request>(port: MessagePort, answer: (request: Request) => unknown): void {
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
