/** Under Stryker: the worker of the tables within the test's own thread, since a mutant is active nowhere else. */

import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import type * as threads from 'node:worker_threads';
import { TABLES_WORKER } from '../bundle.ts';

/** What our tests ask that only the end of a thread ends goes to a real one. */
const ENDLESS = /RECURSIVE n\(i\)|zeroblob\(/;

/** In the place of `Worker`: other workers are threads as always. @param real the module as it is */
export function workerOrHere({ Worker, MessageChannel }: typeof threads) {
  return new Proxy(Worker, {
    construct(target, [file, ...others]: [string, ...unknown[]]) {
      const start = () => Reflect.construct(target, [file, ...others]);
      return basename(file) === TABLES_WORKER ? new WorkerHere(start, new MessageChannel()) : start();
    },
  });
}

class WorkerHere extends EventEmitter {
  readonly #start: () => threads.Worker;
  readonly #here: threads.MessageChannel;
  #served: Promise<void> | undefined;
  #thread: threads.Worker | undefined;
  /** Pieces of an export come from where it began. */
  #isInThread = false;

  constructor(start: () => threads.Worker, here: threads.MessageChannel) {
    super();
    this.#start = start;
    this.#here = here;
    this.#here.port1.on('message', (reply) => this.emit('message', reply)).unref();
  }

  postMessage(message: { request: { do: string } }, transferred: ArrayBuffer[]): void {
    const { request } = message;
    if (request.do !== 'more' && request.do !== 'stop')
      this.#isInThread = ENDLESS.test(JSON.stringify(request));
    if (!this.#isInThread) {
      this.#served ??= this.#serve();
      this.#here.port1.postMessage(message, transferred);
      return;
    }
    this.#thread ??= this.#start().on('message', (reply) => this.emit('message', reply));
    this.#thread.postMessage(message, transferred);
  }

  async #serve(): Promise<void> {
    const [{ serve }, { createWorker }] = await Promise.all([
      import('../../src/data/tables/worker-thread.ts'),
      import('../../src/data/tables/worker/answer-requests.ts'),
    ]);
    serve(this.#here.port2, createWorker());
  }

  ref(): void {
    this.#here.port1.ref();
  }

  unref(): void {
    this.#here.port1.unref();
    this.#here.port2.unref();
  }

  async terminate(): Promise<number> {
    this.#here.port1.close();
    await this.#thread?.terminate();
    this.emit('exit', 1);
    return 1;
  }
}
