/** A worker thread with nothing but the engine: opens a file, and answers each statement with its rows and its milliseconds. */

import { parentPort, workerData } from 'node:worker_threads';
import sqlite from 'node-sqlite3-wasm';

const database = new sqlite.Database(String(workerData), { readOnly: true });
parentPort?.on('message', (sql: string) => {
  const started = performance.now();
  const rows = database.all(sql);
  parentPort?.postMessage({ rows: rows.length, ms: performance.now() - started });
});
