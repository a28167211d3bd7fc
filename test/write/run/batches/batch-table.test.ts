/** Batches in a real store, of this computer and of replicas: whole or not there, only added to, worked on by one process at a time, and in doubt where the store may have lost something. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SharedStore } from '../../../../src/replicas/shared-store.ts';
import { BatchWaitsError } from '../../../../src/write/run/batches/batch.ts';
import {
  type BatchDisk,
  localBatches,
  openBatchTable,
  sharedBatches,
} from '../../../../src/write/run/batches/batch-table.ts';
import { jsonLine, parseLine } from '../../../../src/write/run/batches/lines.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import {
  mayUseStore,
  type PostgresServer,
  STORE_NAME,
  startPostgres,
  stopAllPostgres,
} from '../../../helpers/postgres.ts';
import { connectTo } from '../../../helpers/shared-store.ts';
import { onStore } from '../../../helpers/state-rows.ts';

const ID = '00000001';
const LEASE_MS = 60_000;

interface Place {
  disk: BatchDisk;
  other: BatchDisk;
  /** Statements that a program of ours never gives. */
  change(text: string): Promise<void>;
  close(): Promise<void>;
}

async function openLocal(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  const stores = [openStateStore(folder), openStateStore(folder)] as const;
  const [disk, other] = [openBatchTable(localBatches(stores[0])), openBatchTable(localBatches(stores[1]))];
  return {
    disk,
    other,
    change: async (text) => void onStore(folder, text),
    async close() {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let server: PostgresServer | undefined;

async function openShared(): Promise<Place & { stores: readonly [SharedStore, SharedStore] }> {
  server ??= await startPostgres();
  const running = server;
  const connected = async () => connectTo(running.address);
  const stores = [await connected(), await connected()] as const;
  await running.clear();
  for (const store of stores) await store.look();
  const [disk, other] = stores.map((store) => openBatchTable(sharedBatches(store, LEASE_MS)));
  if (disk === undefined || other === undefined) throw new Error('There are two.');
  return {
    disk,
    other,
    stores,
    change: async (text) => void (await running.query(text)),
    async close() {
      for (const store of stores) await store.close();
    },
  };
}

afterAll(stopAllPostgres);

async function read(disk: BatchDisk, from = 0, id = ID) {
  const found: { line: string; next: number }[] = [];
  for await (const one of disk.read(id, from)) found.push(one);
  return found;
}
const linesOf = async (disk: BatchDisk, id = ID) => (await read(disk, 0, id)).map(({ line }) => line);
const kindsOf = async (disk: BatchDisk) => (await linesOf(disk)).map((line) => parseLine(line)?.t ?? line);
const idsOf = async (by: BatchDisk) => (await by.list()).map(({ id }) => id);
const begin = async (by: BatchDisk, id = ID, lines = ['one']) => by.create(id, lines, await idsOf(by));
const sending = (by: string, i = 0) => jsonLine({ t: 'sending', i, by, at: 1 });
const step = (by: string, i = 0) => jsonLine({ t: 'step', i, by });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const PLACES = [{ name: 'on this computer', openPlace: openLocal as () => Promise<Place> }];
if (mayUseStore) PLACES.push({ name: `in a store (${STORE_NAME})`, openPlace: openShared });

describe.each(PLACES)('a batch $name', ({ name, openPlace }) => {
  let place: Place;
  let disk: BatchDisk;
  let other: BatchDisk;
  beforeEach(async () => {
    place = await openPlace();
    ({ disk, other } = place);
  });
  afterEach(() => place.close());
  const forget = () => place.change('UPDATE leases SET heard_at = heard_at - 120000');

  test('is made whole and only added to', async () => {
    expect(await disk.list()).toEqual([]);
    expect(await read(disk)).toEqual([]);
    expect(await begin(disk)).toBe(true);
    await other.append(ID, ['two', 'three']);
    expect(await linesOf(disk)).toEqual(['one', 'two', 'three']);
    expect((await read(disk, 1)).map(({ line }) => line)).toEqual(['two', 'three']);
    await expect(disk.append('00000002', ['x'])).rejects.toThrow('not in the store');
    await expect(disk.hold('00000002')).rejects.toThrow('not in the store');
    await expect(begin(disk)).rejects.toThrow('already');
  });

  test('long lines, many of them, and characters of several bytes come back as they were, from any place', async () => {
    const lines = ['ä€😀'.repeat(150_000), ...Array.from({ length: 1_130 }, (_, i) => `ü${i}'"\\`)];
    await begin(disk, ID, lines);
    const found = await read(disk);
    expect(found.map(({ line }) => line)).toEqual(lines);
    for (const at of [0, 1, 499, 500, 1_129, 1_130])
      expect(await read(disk, found[at]?.next)).toEqual(found.slice(at + 1));
  });

  test('lines of many at once never mix, and those of one call stay together', async () => {
    await begin(disk);
    const pairs = Array.from({ length: 50 }, (_, i) => [`${i}a`, `${i}b`]);
    await Promise.all(pairs.map((pair, at) => (at % 2 === 0 ? disk : other).append(ID, pair)));
    const found = (await linesOf(disk)).slice(1);
    const together = found.flatMap((line, at) => (at % 2 === 0 ? [[line, found[at + 1]]] : []));
    expect(together.sort()).toEqual([...pairs].sort());
  });

  test('of several that begin at once one is first, and each other one sees it before it begins', async () => {
    const seen = [disk, other, disk, other].map(async (by, at) => {
      for (;;) {
        const known = await idsOf(by);
        if (await by.create(`0000000${at}`, ['one'], known)) return known.length;
      }
    });
    expect((await Promise.all(seen)).sort()).toEqual([0, 1, 2, 3]);
    expect(await disk.create('00000009', ['one'], ['00000000'])).toBe(false);
  });

  test('is told once that is noted, and removed with its lines when nobody has written to it for long', async () => {
    await begin(disk);
    await begin(disk, '00000002');
    await disk.markTold(ID);
    expect((await other.list()).map(({ isTold }) => isTold)).toEqual([true, false]);
    await place.change(`UPDATE batches SET changed_at = changed_at - 10000 WHERE id = '${ID}'`);
    await other.sweep(5_000);
    expect(await idsOf(disk)).toEqual(['00000002']);
    expect(await linesOf(other)).toEqual([]);
    expect(await linesOf(disk, '00000002')).toEqual(['one']);
  });

  test('is worked on by one at a time; one that is silent loses it, and is named', async () => {
    await begin(disk);
    expect(await disk.isHeld(ID)).toBe(false);
    const hold = await disk.hold(ID);
    expect(await other.hold(ID)).toBeUndefined();
    expect(await other.isHeld(ID)).toBe(true);
    await forget();
    expect(await other.isHeld(ID)).toBe(false);
    // It is still this process's, because no other one has taken it.
    expect(await hold?.isOurs()).toBe(true);
    expect(await other.isHeld(ID)).toBe(true);
    await forget();
    const next = await other.hold(ID);
    expect(next?.silent).toBe(hold?.mark);
    expect([await hold?.isOurs(), await next?.isOurs()]).toEqual([false, true]);
    // A process does not release what is not its own any more.
    await hold?.release();
    expect(await disk.isHeld(ID)).toBe(true);
    // A process of this computer that has ended sends nothing any more; of replicas nobody knows.
    await place.change('UPDATE leases SET pid = 2147483646');
    const last = await disk.hold(ID);
    expect([last !== undefined, last?.silent]).toEqual([name === 'on this computer', undefined]);
    await last?.release();
    await next?.release();
    expect(await disk.isHeld(ID)).toBe(false);
  });

  test('who was frozen and wakes without its lease claims nothing; outcomes are taken from anybody', async () => {
    await begin(disk, ID, ['list']);
    const was = await disk.hold(ID);
    const old = was?.mark ?? '';
    await disk.append(ID, [sending(old)]);
    await forget();
    const now = (await other.hold(ID))?.mark ?? '';
    await disk.append(ID, [sending(old, 1), step(old)]);
    expect(await was?.isOurs()).toBe(false);
    expect(await kindsOf(other)).toEqual(['list', 'sending']);
    // An item that another one has is looked at, and not sent again; a free one is claimed.
    await other.append(ID, [sending(now), sending(now, 1), step(now), step(now, 1)]);
    expect(await kindsOf(other)).toEqual(['list', 'sending', 'sending', 'step']);
    await disk.append(ID, [jsonLine({ t: 'end', i: 0, by: old, at: 1, kind: 'accepted' })]);
    await other.append(ID, [jsonLine({ t: 'looking', i: 0, by: now, at: 1 })]);
    expect((await kindsOf(other)).slice(4)).toEqual(['end']);
  });

  test.each([
    ['another server', `UPDATE batches SET server = 'other'`],
    ['other contents', `UPDATE batches SET generation = 'other'`],
    ['fewer lines', 'DELETE FROM batch_lines WHERE n = 2'],
    ['nothing', 'DELETE FROM batches; DELETE FROM batch_lines'],
  ])('%s in its place: the list says so, and nothing is claimed', async (_name, change) => {
    await begin(disk, ID, ['list']);
    await disk.append(ID, ['two']);
    const lease = await disk.hold(ID);
    const from = (await read(disk)).at(-1)?.next;
    await place.change(change);
    await disk.append(ID, [sending(lease?.mark ?? '')]);
    const found = await read(disk, from);
    expect(found.map(({ line }) => parseLine(line)?.t)).toEqual(['doubt']);
    expect(await lease?.isOurs()).toBe(false);
    expect(await read(disk, 0, '00000009')).toEqual([]);
  });

  test('who has read lines that were lost reads of the doubt too, whoever wrote that, and nothing is sent any more', async () => {
    await begin(disk, ID, ['list']);
    expect(await linesOf(other)).toEqual(['list']);
    await disk.append(ID, ['two']);
    const from = (await read(disk)).at(-1)?.next;
    await place.change('DELETE FROM batch_lines WHERE n > 1');
    await place.change(`UPDATE batches SET server = 'other'`);
    const mark = (await other.hold(ID))?.mark ?? '';
    await other.append(ID, [sending(mark)]);
    expect((await read(disk, from)).map(({ line }) => parseLine(line)?.t)).toEqual(['doubt']);
  });
});

// Skipped for a newcomer without a server, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  test('who takes a list up after the store was restored knows of it, as long as one process that saw more is there', async () => {
    const { disk, other, stores, change, close } = await openShared();
    await begin(disk, ID, ['list']);
    const { generation } = stores[1];
    const tables = ['store', 'batches', 'batch_lines', 'batch_items'];
    for (const table of tables) await change(`CREATE TABLE old_${table} AS SELECT * FROM ${table}`);
    await disk.append(ID, ['two']);
    // Both have seen more than the backup holds, so that it does not matter which of them comes back first.
    for (const store of stores) await store.look();
    for (const table of tables)
      await change(
        `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM old_${table}; DROP TABLE old_${table}`,
      );
    await other.hold(ID);
    expect(stores[1].generation).not.toBe(generation);
    expect(await kindsOf(other)).toEqual(['list', 'doubt']);
    await close();
  });

  test('a store that is away takes nothing, and takes it once it is back, without a doubt', async () => {
    const { disk, close } = await openShared();
    await begin(disk, ID, ['list']);
    const lease = await disk.hold(ID);
    const claim = () => disk.append(ID, [sending(lease?.mark ?? '')]);
    for (const [away, back] of [
      [() => server?.freeze(), () => server?.thaw()],
      [() => server?.stop(), () => server?.start()],
    ] as const) {
      await away();
      await expect(claim()).rejects.toThrow(BatchWaitsError);
      await expect(disk.list()).rejects.toThrow('The store that replicas share is away (');
      expect(await lease?.isOurs()).toBe(true);
      await back();
      for (
        let tries = 0;
        tries < 100 &&
        !(await claim().then(
          () => true,
          () => false,
        ));
        tries++
      )
        await pause(50);
    }
    expect(new Set(await kindsOf(disk))).toEqual(new Set(['list', 'sending']));
    await close();
  });
});
