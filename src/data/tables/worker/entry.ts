/** The worker thread that alone loads SQLite: builds collections and answers queries, one after the other. */

import { parentPort } from 'node:worker_threads';
import { serve } from '../worker-thread.ts';
import { createWorker } from './answer-requests.ts';

if (parentPort !== null) serve(parentPort, createWorker());
