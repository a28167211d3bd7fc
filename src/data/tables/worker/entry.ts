/** The worker thread that alone loads SQLite: builds collections and answers queries, one after the other. */

import { parentPort, workerData } from 'node:worker_threads';
import { serve, tellEngineBytes } from '../worker-thread.ts';
import { createWorker } from './answer-requests.ts';

if (parentPort !== null) {
  tellEngineBytes(workerData);
  serve(parentPort, createWorker());
}
