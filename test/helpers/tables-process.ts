/** Another process that uses the same tables: collects, is stopped while it does, or asks again and again. Prints JSON lines. */

import { Snapshots } from '../../src/data/review/snapshots.ts';
import { openTables } from '../../src/data/tables/open-tables.ts';
import type { CollectionSource } from '../../src/data/tables/table-types.ts';
import { createWorkerPool } from '../../src/data/tables/worker-thread.ts';
import { createPersonalData } from '../../src/privacy/personal/personal-data.ts';
import { comparisonsBeside, leasesBeside } from './leases.ts';

const [folder = '', workerFile = '', task = '', value = ''] = process.argv.slice(2);
const say = (told: unknown) => process.stdout.write(`${JSON.stringify(told)}\n`);
const workers = createWorkerPool(workerFile);
const tables = openTables({
  folder,
  workers,
  account: 'default',
  now: Date.now,
  keepHours: ['hold', 'find'].includes(task) ? undefined : 24,
  personal: createPersonalData({ isMasking: true }),
  changes: async () => ({ rows: [], leftOut: 0 }),
  leases: leasesBeside(folder),
  snapshots: new Snapshots({
    comparisons: comparisonsBeside(folder),
    account: 'default',
    now: Date.now,
    keepDays: 90,
  }),
});
const ask = { maxRows: 10, maxBytes: 10_000, timeoutMs: 60_000 };
const source: CollectionSource = { kind: 'operation', operation: value, parameters: {} };

/** Adds until it is stopped. */
async function loadForever() {
  const loader = await tables.openLoader(source);
  for (let page = 0; ; page++) {
    await loader.addItems(
      'orders',
      Array.from({ length: 100 }, (_, i) => ({ id: page * 100 + i })),
    );
    if (page === 3) say('loading');
  }
}

/** A document of so many bytes, on a disk that may be too small for it. */
async function loadDocument() {
  const loader = await tables.openLoader({ kind: 'document', id: value, of: 'report' });
  try {
    await loader.addDocument('report', value, { format: 'tab' });
    await loader.finish({ source: { kind: 'document', id: value, of: 'report' }, complete: true, notes: [] });
    say('finished');
  } catch (error) {
    await loader.abandon();
    say(error instanceof Error ? [error.name, error.message] : error);
  }
}

async function collect() {
  const loader = await tables.openLoader(source);
  await loader.addItems('orders', [{ id: 1 }, { id: 2 }]);
  const { tables: made } = await loader.finish({ source, complete: true, notes: [] });
  say(made.map(({ name }) => name));
}

/** Personal data, until it is stopped. */
async function hold() {
  const loader = await tables.openLoader(source);
  await loader.addItems('orders', [{ BuyerEmail: 'anna@example.de' }]);
  const { tables: made, until } = await loader.finish({ source, complete: true, notes: [] });
  say([made[0]?.name, until]);
  await new Promise(() => setInterval(() => {}, 60_000));
}

/** One of another process, until it is stopped. */
async function find() {
  say((await tables.find(source))?.tables[0]?.name);
  await new Promise(() => setInterval(() => {}, 60_000));
}

/** Each answer has to be whole: either before or after a replacement. */
async function read() {
  for (let i = 0; i < Number(value); i++) {
    const { rows } = await tables.query('SELECT min(run), max(run), count(*) FROM orders', ask);
    say(rows[0]);
  }
}

process.once('SIGTERM', () => {
  void tables.close().then(() => process.exit());
});
const tasks: Readonly<Record<string, () => Promise<void>>> = {
  loadForever,
  loadDocument,
  collect,
  hold,
  find,
  read,
};
await tasks[task]?.();
await tables.close();
await workers.close();
