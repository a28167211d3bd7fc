/**
 * The entry of the worker thread, which alone loads SQLite: it builds collections and runs queries, one at a
 * time.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { reportEngineBytes, serve } from '../worker-thread.ts';
import { createWorker } from './answer-requests.ts';

if (parentPort !== null) {
  reportEngineBytes(workerData);
  serve(parentPort, createWorker());
}
