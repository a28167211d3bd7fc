/** Several processes and one folder: readers beside readers and writers, processes that are killed, disks that are full. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, inject, test } from 'vitest';
import { removeExpired } from '../../../src/data/tables/account-folders.ts';
import type { CollectionSource } from '../../../src/data/tables/table-types.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import {
  ASK,
  collectItems,
  makeTestFolder,
  ORDERS,
  openTestTables,
  tablesWorker,
} from '../../helpers/tables-worker.ts';

const PROGRAM = join(inject('programs'), 'tables-process.mjs');

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** @param limit most bytes of one file, in 512 byte blocks */
async function start(folder: string, task: string, value: string, limit?: number) {
  const args = [PROGRAM, folder, tablesWorker, task, value];
  const child =
    limit === undefined
      ? spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
  children.push(child);
  const messages: unknown[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    messages.push(JSON.parse(line));
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    child,
    messages,
    async first(): Promise<unknown> {
      if (messages.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return messages[0];
    },
    ended: once(child, 'close'),
  };
}

const files = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

test('a process that is killed while it loads leaves nothing that looks whole, and what it left is removed', async () => {
  const tables = await openTestTables();
  await collectItems(tables, 'listings', [{ id: 1 }]);
  const other = await start(tables.folder, 'loadForever', 'x');
  expect(await other.first()).toBe('loading');
  const mine = await tables.openLoader({ ...ORDERS, kind: 'operation', operation: 'mine', parameters: {} });
  expect(await readdir(join(tables.folder, 'loading'))).toHaveLength(2);
  // While it lives, nobody takes its files away.
  const third = await openTestTables({ folder: tables.folder });
  expect((await third.list()).map(({ tables: [table] }) => table?.name)).toEqual(['listings']);
  expect(await readdir(join(tables.folder, 'loading'))).toHaveLength(2);
  other.child.kill('SIGKILL');
  await other.ended;
  const later = await openTestTables({ folder: tables.folder });
  expect(await later.list()).toHaveLength(1);
  expect(await readdir(join(tables.folder, 'loading'))).toHaveLength(1);
  await mine.abandon();
  expect(await readdir(join(tables.folder, 'loading'))).toHaveLength(0);
  for (const each of [tables, third, later]) await each.close();
}, 60_000);

const READS = RUNS_ALL ? 60 : 10;

test('two processes read at the same time while a third replaces what they read', async () => {
  const tables = await openTestTables();
  const items = (run: number) => Array.from({ length: 500 }, (_, i) => ({ id: i, run }));
  await collectItems(tables, 'orders', items(0));
  const readers = await Promise.all([1, 2].map(() => start(tables.folder, 'read', `${READS}`)));
  await Promise.all(readers.map((reader) => reader.first()));
  for (let run = 1; run <= 5; run++) await collectItems(tables, 'orders', items(run));
  for (const reader of readers) {
    await reader.ended;
    expect(reader.messages).toHaveLength(READS);
    for (const answer of reader.messages) {
      const [least, most, count] = Array.isArray(answer) ? answer : [];
      expect(least).toBe(most);
      expect(count).toBe(500);
    }
  }
  // One collection is left, and no reader's link.
  expect((await files(tables.folder)).filter((name) => name.endsWith('.db'))).toHaveLength(1);
  await tables.close();
}, 60_000);

test('tables that several processes collect at once get different names', async () => {
  const tables = await openTestTables();
  const others = await Promise.all(['a', 'b', 'c'].map((name) => start(tables.folder, 'collect', name)));
  const names = await Promise.all(others.map((other) => other.first()));
  expect(names.flat().sort()).toEqual(['orders', 'orders_2', 'orders_3']);
  const again = await collectItems(tables, 'orders', [{ id: 3 }], {
    kind: 'operation',
    operation: 'b',
    parameters: {},
  });
  expect([again.tables[0]?.name]).toEqual(names[1]);
  expect(await tables.list()).toHaveLength(3);
  await tables.close();
}, 60_000);

test('a disk that is full is told, and nothing is left of the collection', async () => {
  const folder = join(await makeTestFolder(), 'default');
  const file = join(await makeTestFolder(), 'report.txt');
  await writeFile(file, `sku\ttitle\n${`A\t${'x'.repeat(200)}\n`.repeat(20_000)}`);
  const other = await start(folder, 'loadDocument', file, 2_000);
  expect(await other.first()).toEqual([
    'ConfigError',
    expect.stringContaining('is full, or cannot be written'),
  ]);
  await other.ended;
  expect((await files(folder)).filter((name) => /\.(db|json|items)$/.test(name))).toEqual([]);
}, 60_000);

test('a living process keeps its personal tables whoever comes and goes; a killed one loses them at the next look', async () => {
  const base = await makeTestFolder();
  const folder = join(base, 'default');
  const { child, first, ended } = await start(folder, 'hold', 'orders/getOrders');
  expect(await first()).toEqual(['orders', 'process']);
  const keeping = { now: Date.now, keepHours: undefined };
  const guest = await openTestTables({ folder, keepHours: undefined });
  expect((await guest.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[1]]);
  await guest.close();
  await removeExpired(base, keeping);
  await removeExpired(base, { ...keeping, keepHours: 1 });
  const again = await openTestTables({ folder, keepHours: undefined });
  expect(await again.list()).toMatchObject([{ until: 'process' }]);
  await again.close();
  child.kill('SIGKILL');
  await ended;
  await removeExpired(base, keeping);
  expect((await files(folder)).filter((name) => /\.(db|json)$/.test(name))).toEqual([]);
  const later = await openTestTables({ folder, keepHours: undefined });
  await expect(later.query('SELECT * FROM orders', ASK)).rejects.toThrow('nothing has been collected');
  await later.close();
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a process that has found a personal table keeps it when the one that collected it ends (%s), until it ends itself',
  async (signal) => {
    const base = await makeTestFolder();
    const folder = join(base, 'default');
    const keeping = { now: Date.now, keepHours: undefined };
    const { child, first, ended } = await start(folder, 'hold', 'orders/getOrders');
    await first();
    const source: CollectionSource = { kind: 'operation', operation: 'orders/getOrders', parameters: {} };
    const finding = await openTestTables({ folder, keepHours: undefined });
    expect(await finding.find(source)).toMatchObject({ until: 'process' });
    const second = await start(folder, 'find', 'orders/getOrders');
    expect(await second.first()).toBe('orders');
    child.kill(signal);
    await ended;
    await removeExpired(base, keeping);
    expect((await finding.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[1]]);
    await finding.close();
    await removeExpired(base, keeping);
    const guest = await openTestTables({ folder, keepHours: undefined });
    expect((await guest.query('SELECT count(*) FROM orders', ASK)).rows).toEqual([[1]]);
    await guest.close();
    second.child.kill(signal);
    await second.ended;
    await removeExpired(base, keeping);
    expect((await files(folder)).filter((name) => /\.(db|json)$/.test(name))).toEqual([]);
  },
);
