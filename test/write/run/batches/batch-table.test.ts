/** Batches in a real store, of this computer and of replicas: whole or not there, worked on by one process at a time, and in doubt where the store may have lost something. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { SharedStore } from '../../../../src/replicas/shared-store.ts';
import { execute } from '../../../../src/store/statement.ts';
import { openStore } from '../../../../src/store/store.ts';
import { BatchWaitsError } from '../../../../src/write/run/batches/batch.ts';
import type { BatchContent, StoredDetail } from '../../../../src/write/run/batches/batch-content.ts';
import type { BatchChange, ItemState } from '../../../../src/write/run/batches/batch-state.ts';
import {
  type BatchStatePart,
  type BatchTable,
  ITEM_TABLES,
  localBatches,
  openBatchTable,
  sharedBatches,
} from '../../../../src/write/run/batches/batch-table.ts';
import { openStateStore, SHARED_TABLES, STATE_TABLES } from '../../../../src/write/state-store.ts';
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

interface TableSetup {
  table: BatchTable;
  other: BatchTable;
  /** Statements that a program of ours never gives. */
  change(text: string): Promise<void>;
  close(): Promise<void>;
}

async function openLocal(): Promise<TableSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  const stores = [openStateStore(folder), openStateStore(folder)] as const;
  const [table, other] = [openBatchTable(localBatches(stores[0])), openBatchTable(localBatches(stores[1]))];
  return {
    table,
    other,
    change: async (text) => {
      for (const one of text.split(';')) onStore(folder, one);
    },
    async close() {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let server: PostgresServer | undefined;

async function openShared(): Promise<TableSetup & { stores: readonly [SharedStore, SharedStore] }> {
  server ??= await startPostgres();
  const running = server;
  const connected = async () => connectTo(running.address);
  const stores = [await connected(), await connected()] as const;
  await running.clear();
  for (const store of stores) await store.look();
  const [table, other] = stores.map((store) => openBatchTable(sharedBatches(store, LEASE_MS)));
  if (table === undefined || other === undefined) throw new Error('There are two.');
  return {
    table,
    other,
    stores,
    change: async (text) => void (await running.query(text)),
    async close() {
      for (const store of stores) await store.close();
    },
  };
}

afterAll(stopAllPostgres);

/** Returns its state behind a place; undefined of a batch that is not there. */
async function read(table: BatchTable, from = 0, id = ID) {
  const items = new Map<number, ItemState>();
  let last: Pick<BatchStatePart, 'flags' | 'place'> | undefined;
  for await (const standing of table.read(id, from)) {
    last = standing;
    for (const [item, state] of standing.items) items.set(item, state);
  }
  return last && { flags: last.flags, place: last.place, items };
}
const idsOf = async (by: BatchTable) => (await by.list()).map(({ id }) => id);
const contentOf = (id: string, values: readonly StoredDetail[] = []): BatchContent => ({
  head: {
    ...{ v: 1, id, account: 'shop', owner: 'mark', tool: 'change_listings', asked: 'a', digest: 'd' },
    ...{ words: '9 listings', createdAt: 1, total: 9, check: 'c', kept: 'clear' },
  },
  values,
});
const begin = async (by: BatchTable, id = ID, values?: readonly StoredDetail[]) =>
  by.create(contentOf(id, values), await idsOf(by));
const valuesOf = async (table: BatchTable, id = ID) => {
  const values: unknown[] = [];
  for await (const value of table.values(id)) values.push(value);
  return values;
};
const sending = (by: string, i = 0): BatchChange => ({ t: 'sending', i, by });
const step = (by: string, i = 0): BatchChange => ({ t: 'step', i, by, d: { v: 1 } });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const PLACES = [{ name: 'on this computer', openPlace: openLocal as () => Promise<TableSetup> }];
if (mayUseStore) PLACES.push({ name: `in a store (${STORE_NAME})`, openPlace: openShared });

describe.each(PLACES)('a batch $name', ({ name, openPlace }) => {
  let setup: TableSetup;
  let table: BatchTable;
  let other: BatchTable;
  beforeEach(async () => {
    setup = await openPlace();
    ({ table, other } = setup);
  });
  afterEach(() => setup.close());
  const forget = () => setup.change('UPDATE leases SET heard_at = heard_at - 120000');

  test('is made whole, and changed by whoever has it', async () => {
    expect(await table.list()).toEqual([]);
    expect(await read(table)).toBeUndefined();
    expect(await begin(table, ID, [{ v: 'one' }, { x: 'two' }])).toBe(true);
    expect(await other.head(ID)).toEqual(contentOf(ID).head);
    expect(await valuesOf(other)).toEqual([{ v: 'one' }, { x: 'two' }]);
    const { place: at = 0 } = (await read(table)) ?? {};
    expect(await other.change(ID, [{ t: 'stop' }, { t: 'end', i: 3, by: '', kind: 'failed' }])).toEqual([
      true,
      true,
    ]);
    const found = await read(table, at);
    expect(found?.flags.isStopped).toBe(true);
    expect([...(found?.items ?? [])].map(([item, { outcome }]) => [item, outcome?.kind])).toEqual([
      [3, 'failed'],
    ]);
    expect((await read(table, found?.place))?.items.size).toBe(0);
    await expect(table.change('00000002', [{ t: 'stop' }])).rejects.toThrow('not in the store');
    await expect(table.hold('00000002')).rejects.toThrow('not in the store');
    await expect(begin(table)).rejects.toThrow('already');
  });

  test('long values, many items, and characters of several bytes come back as they were, from any place', async () => {
    const value = { v: 'ä€😀'.repeat(150_000) };
    await begin(table, ID, [value, { v: `ü'"\\` }]);
    expect(await valuesOf(table)).toEqual([value, { v: `ü'"\\` }]);
    const why = (i: number) => ({ v: `€${i}`.repeat(i === 7 ? 100_000 : 1) });
    const ends = Array.from(
      { length: 1_130 },
      (_, i): BatchChange => ({ t: 'end', i, by: '', kind: 'failed', d: why(i) }),
    );
    const { place: before = 0 } = (await read(table)) ?? {};
    for (let at = 0; at < ends.length; at += 100) await table.change(ID, ends.slice(at, at + 100));
    const found = await read(table);
    expect([...(found?.items ?? [])].map(([item, { outcome }]) => [item, outcome?.d])).toEqual(
      ends.map((_, i) => [i, why(i)]),
    );
    for (const at of [0, 1, 499, 500, 1_129, 1_130])
      expect([...((await read(table, before + at))?.items.keys() ?? [])]).toEqual(
        ends.map((_, i) => i).slice(at),
      );
  });

  test('changes of many at once are all there, and those of one call stay together', async () => {
    await begin(table);
    const { place: before = 0 } = (await read(table)) ?? {};
    const pairs = Array.from({ length: 50 }, (_, at) => [2 * at, 2 * at + 1]);
    const changes = (pair: readonly number[]) =>
      pair.map((i): BatchChange => ({ t: 'end', i, by: '', kind: 'failed' }));
    await Promise.all(pairs.map((pair, at) => (at % 2 === 0 ? table : other).change(ID, changes(pair))));
    const order = [...((await read(table, before))?.items.keys() ?? [])];
    const together = order.flatMap((item, at) => (at % 2 === 0 ? [[item, order[at + 1]]] : []));
    expect(together.sort(([one = 0], [two = 0]) => one - two)).toEqual(pairs);
  });

  test('of several that begin at once one is first, and each other one sees it before it begins', async () => {
    const seen = [table, other, table, other].map(async (by, at) => {
      for (;;) {
        const known = await idsOf(by);
        if (await by.create(contentOf(`0000000${at}`), known)) return known.length;
      }
    });
    expect((await Promise.all(seen)).sort()).toEqual([0, 1, 2, 3]);
    expect(await table.create(contentOf('00000009'), ['00000000'])).toBe(false);
  });

  test('is told once that is noted, and removed with all that is of it when nobody has written to it for long', async () => {
    await begin(table, ID, [{ v: 1 }]);
    await table.change(ID, [{ t: 'end', i: 0, by: '', kind: 'failed' }]);
    await begin(table, '00000002', [{ v: 2 }]);
    await table.markTold(ID);
    expect((await other.list()).map(({ isTold }) => isTold)).toEqual([true, false]);
    await setup.change(`UPDATE batches SET changed_at = changed_at - 10000 WHERE id = '${ID}'`);
    await other.sweep(5_000);
    expect(await idsOf(table)).toEqual(['00000002']);
    expect([await read(other), await valuesOf(other)]).toEqual([undefined, []]);
    expect(await valuesOf(table, '00000002')).toEqual([{ v: 2 }]);
  });

  test('is worked on by one at a time; one that is silent loses it, and is named', async () => {
    await begin(table);
    expect(await table.isHeld(ID)).toBe(false);
    const hold = await table.hold(ID);
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
    expect(await table.isHeld(ID)).toBe(true);
    // A process of this computer that has ended sends nothing any more; of replicas nobody knows.
    await setup.change('UPDATE leases SET pid = 2147483646');
    const last = await table.hold(ID);
    expect([last !== undefined, last?.silent]).toEqual([name === 'on this computer', undefined]);
    await last?.release();
    await next?.release();
    expect(await table.isHeld(ID)).toBe(false);
  });

  test('who was frozen and wakes without its lease claims nothing; outcomes are taken from anybody', async () => {
    await begin(table);
    const was = await table.hold(ID);
    const old = was?.mark ?? '';
    expect(await table.change(ID, [sending(old)])).toEqual([true]);
    await forget();
    const now = (await other.hold(ID))?.mark ?? '';
    expect(await table.change(ID, [sending(old, 1), step(old)])).toEqual([false, false]);
    expect(await was?.isOurs()).toBe(false);
    // An item that another one has is looked at, and not sent again; a free one is claimed.
    const changes = [sending(now), sending(now, 1), step(now), step(now, 1)];
    expect(await other.change(ID, changes)).toEqual([false, true, false, true]);
    expect(await table.change(ID, [{ t: 'end', i: 0, by: old, kind: 'accepted' }])).toEqual([true]);
    expect(await other.change(ID, [{ t: 'looking', i: 0, by: now }])).toEqual([false]);
  });

  test.each([
    ['another server', `UPDATE batches SET server = 'other'`],
    ['other contents', `UPDATE batches SET generation = 'other'`],
    ['fewer changes', 'UPDATE batches SET last = last - 1'],
    ['no item', 'DELETE FROM batch_items'],
    ['nothing', 'DELETE FROM batches; DELETE FROM batch_items'],
  ])('%s in its place: the list says so, and nothing is claimed', async (_name, change) => {
    await begin(table);
    await table.change(ID, [{ t: 'end', i: 1, by: '', kind: 'accepted' }]);
    const lease = await table.hold(ID);
    const { place: from = 0 } = (await read(table)) ?? {};
    await setup.change(change);
    expect(await table.change(ID, [sending(lease?.mark ?? '')])).toEqual([false]);
    const found = await read(table, from);
    expect(found).toMatchObject({ flags: { isInDoubt: true, isStopped: true } });
    expect(found?.place).toBeGreaterThan(from);
    expect(await lease?.isOurs()).toBe(false);
    expect(await read(table, 0, '00000009')).toBeUndefined();
  });

  test('who has read changes that were lost reads of the doubt too, whoever wrote that, and nothing is sent any more', async () => {
    await begin(table);
    expect((await read(other))?.flags.isInDoubt).toBe(false);
    await table.change(ID, [{ t: 'halted', why: 'x' }]);
    const { place: from = 0 } = (await read(table)) ?? {};
    await setup.change('UPDATE batches SET last = last - 1');
    await setup.change(`UPDATE batches SET server = 'other'`);
    const mark = (await other.hold(ID))?.mark ?? '';
    expect(await other.change(ID, [sending(mark)])).toEqual([false]);
    expect((await read(table, from))?.flags.isInDoubt).toBe(true);
  });
});

/** A store of the version before, with its statements; opened by this version afterwards. */
const BEFORE = [
  {
    name: 'on this computer',
    async open(fill: (run: (text: string) => Promise<void>) => Promise<void>) {
      const folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
      const before = openStore(folder, { tables: STATE_TABLES.slice(0, STATE_TABLES.indexOf(ITEM_TABLES)) });
      await before.run(() => execute({ text: 'DELETE FROM batches', values: [] }));
      await before.close();
      await fill(async (text) => void onStore(folder, text));
      const store = openStateStore(folder);
      onTestFinished(async () => {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      });
      return openBatchTable(localBatches(store));
    },
  },
  {
    name: `in a store (${STORE_NAME})`,
    async open(fill: (run: (text: string) => Promise<void>) => Promise<void>) {
      server ??= await startPostgres();
      const { address, query } = server;
      await query('DROP SCHEMA IF EXISTS seller_commerce_mcp CASCADE');
      const before = await connectTo(address, {
        tables: SHARED_TABLES.slice(0, SHARED_TABLES.indexOf(ITEM_TABLES)),
      });
      await before.close();
      await fill(async (text) => void (await query(text)));
      const store = await connectTo(address);
      onTestFinished(() => store.close());
      return openBatchTable(sharedBatches(store, LEASE_MS));
    },
  },
];

// Skipped for a newcomer without a server, never in CI (see mayUseStore).
describe.each(BEFORE.slice(0, mayUseStore ? 2 : 1))('a batch of the version before $name', ({ open }) => {
  const { head } = contentOf(ID);
  const sent = { t: 'sending', by: 'old', at: 1 };
  const LINES = [
    { t: 'list', ...head },
    { t: 'items', d: { v: [] } },
    { ...sent, i: 0 },
    { t: 'end', i: 0, by: 'old', at: 1, kind: 'accepted' },
    { ...sent, i: 1 },
  ];
  const fill =
    (lines: readonly object[], isInDoubt: 0 | 1) => async (run: (text: string) => Promise<void>) => {
      await run(`INSERT INTO batches (id, changed_at, in_doubt) VALUES ('${ID}', 1, ${isInDoubt})`);
      await run(`INSERT INTO batch_items VALUES ('${ID}', 0, 'ended', 'old'), ('${ID}', 1, 'old', 'old')`);
      for (const [n, line] of lines.entries())
        await run(`INSERT INTO batch_lines VALUES ('${ID}', ${n + 1}, '${JSON.stringify(line)}')`);
    };

  test('goes on where it was, once somebody looks at it', async () => {
    const table = await open(fill(LINES, 0));
    expect(await table.head(ID)).toEqual(head);
    expect(await valuesOf(table)).toEqual([{ v: [] }]);
    const { items, flags } = (await read(table)) ?? {};
    expect([items?.get(0)?.outcome?.kind, items?.get(1)?.owner, flags?.isInDoubt]).toEqual([
      'accepted',
      'old',
      false,
    ]);
    const mark = (await table.hold(ID))?.mark ?? '';
    expect(await table.change(ID, [sending(mark, 1), sending(mark, 2)])).toEqual([false, true]);
  });

  test('stays in doubt, and some of it taken back', async () => {
    const more = [
      { t: 'withdrawn', at: 1, items: [2, 99] },
      { t: 'doubt', at: 1, why: 'restored' },
    ];
    const table = await open(fill([...LINES, ...more], 1));
    const { items, flags } = (await read(table)) ?? {};
    expect(flags).toMatchObject({ isInDoubt: true, isStopped: true, whyHalted: 'restored' });
    expect([...(items?.keys() ?? [])]).toEqual([0, 1, 2]);
    expect(items?.get(2)?.outcome?.kind).toBe('not_sent');
    const mark = (await table.hold(ID))?.mark ?? '';
    expect(await table.change(ID, [sending(mark, 3)])).toEqual([false]);
  });
});

// Skipped for a newcomer without a server, never in CI (see mayUseStore).
describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  test('who takes a list up after the store was restored knows of it, as long as one process that saw more is there', async () => {
    const { table, other, stores, change, close } = await openShared();
    await begin(table);
    const { generation } = stores[1];
    const tables = ['store', 'batches', 'batch_values', 'batch_items'];
    for (const table of tables) await change(`CREATE TABLE old_${table} AS SELECT * FROM ${table}`);
    await table.change(ID, [{ t: 'halted', why: 'x' }]);
    // Both have seen more than the backup holds, so that it does not matter which of them comes back first.
    for (const store of stores) await store.look();
    for (const table of tables)
      await change(
        `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM old_${table}; DROP TABLE old_${table}`,
      );
    await other.hold(ID);
    expect(stores[1].generation).not.toBe(generation);
    expect((await read(other))?.flags.isInDoubt).toBe(true);
    await close();
  });

  test('a store that is away takes nothing, and takes it once it is back, without a doubt', async () => {
    const { table, close } = await openShared();
    await begin(table);
    const lease = await table.hold(ID);
    let next = 0;
    const claim = () => table.change(ID, [sending(lease?.mark ?? '', next)]);
    for (const [away, back] of [
      [() => server?.freeze(), () => server?.thaw()],
      [() => server?.stop(), () => server?.start()],
    ] as const) {
      await away();
      await expect(claim()).rejects.toThrow(BatchWaitsError);
      await expect(table.list()).rejects.toThrow('The store that replicas share is away (');
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
    next += 1;
    expect(await claim()).toEqual([true]);
    expect((await read(table))?.flags.isInDoubt).toBe(false);
    await close();
  });
});
