/** Loads a report into tables, asks them and the bare engine the same questions in turn, and prints the milliseconds. */

import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import { openTables } from '../../../src/data/tables/open-tables.ts';
import type { CollectionSource } from '../../../src/data/tables/tables.ts';
import { createWorkerPool } from '../../../src/data/tables/worker-thread.ts';
import { createLeases } from '../../../src/disk/leases.ts';
import { createPersonalData } from '../../../src/privacy/personal/personal-data.ts';
import { openStateStore } from '../../../src/write/state-store.ts';

const [folder = '', report = '', workerFile = '', bareFile = '', rounds = '1', firstUses = '1'] =
  process.argv.slice(2);

const source: CollectionSource = { kind: 'document', id: report, of: 'report' };
const store = openStateStore(join(folder, 'state'));
const open = () => {
  const workers = createWorkerPool(workerFile);
  const tables = openTables({
    folder: join(folder, 'tables'),
    account: 'bench',
    now: Date.now,
    keepHours: 24,
    personal: createPersonalData({ isMasking: true }),
    changes: async () => ({ rows: [], leftOut: 0 }),
    leases: createLeases(async () => store),
    snapshots: new Snapshots({ folder: join(folder, 'snapshots'), now: Date.now, keepDays: 90 }),
    workers,
  });
  const close = async () => {
    await tables.close();
    await workers.close();
  };
  return { ...tables, close };
};
const asked = { maxRows: 200, maxBytes: 100_000, timeoutMs: 60_000 };

const loading = open();
const loader = await loading.open(source);
await loader.addDocument('document', report, { format: 'tab' });
const { tables } = await loader.finish({ source, complete: true, notes: [] });
await loading.close();
const table = tables[0]?.name ?? '';
const [database = ''] = readdirSync(join(folder, 'tables')).filter((name) => name.endsWith('.db'));
const own = join(folder, 'bare.db');
// The engine's lock is exclusive: the bare one reads under a name of its own.
linkSync(join(folder, 'tables', database), own);

const sums = 'count(*) AS orders, sum(quantity) AS units, round(sum(item_price), 2) AS revenue';
const plain = `SELECT order_status, currency, ${sums} FROM ${table} GROUP BY 1, 2`;
const byWeek = `SELECT local_week(purchase_date, 'Europe/Berlin') AS week, currency, ${sums} FROM ${table} GROUP BY 1, 2`;

const timed = async (run: () => Promise<unknown>) => {
  const started = performance.now();
  await run();
  return performance.now() - started;
};

async function inTurn(rounds: number, runs: Record<string, () => Promise<number>>) {
  const measured: Record<string, number[]> = {};
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const ms = await run();
      if (round >= 0) measured[name] = [...(measured[name] ?? []), ms];
    }
  }
  return measured;
}

const startBare = () => new Worker(bareFile, { workerData: own });
const askBare = (worker: Worker, sql: string) =>
  new Promise<{ ms: number }>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject).postMessage(sql);
  });

const bare = startBare();
const kept = open();
const warm = await inTurn(Number(rounds), {
  bare: async () => (await askBare(bare, plain)).ms,
  plain: () => timed(() => kept.query(plain, asked)),
  byWeek: () => timed(() => kept.query(byWeek, asked)),
});
await bare.terminate();
await kept.close();

const first = await inTurn(Number(firstUses), {
  bareFirst: async () => {
    const started = performance.now();
    const worker = startBare();
    await askBare(worker, plain);
    const ms = performance.now() - started;
    await worker.terminate();
    return ms;
  },
  first: async () => {
    const fresh = open();
    const ms = await timed(() => fresh.query(plain, asked));
    await fresh.close();
    return ms;
  },
});
process.stdout.write(`${JSON.stringify({ ...warm, ...first })}\n`);
