/** The folder of an account's collections: what is whole is found, what has ended goes, and what somebody is at stays. */

import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { listStored, removeExpired } from '../../../src/data/tables/account-folders.ts';
import type { CollectionSource } from '../../../src/data/tables/table-types.ts';
import { processNamespace } from '../../../src/store/process-namespace.ts';
import { freeLeases } from '../../helpers/leases.ts';
import { ASK, collectItems, makeTestFolder, ORDERS, openTestTables } from '../../helpers/tables-worker.ts';

const files = async (folder: string) => (await readdir(folder, { recursive: true })).sort();
const PERSONAL = [{ BuyerEmail: 'anna@example.de' }];
const LISTINGS: CollectionSource = { kind: 'operation', operation: 'listings/all', parameters: {} };

test('what a process of the same number left before is removed too', async () => {
  const folder = join(await makeTestFolder(), 'default');
  await mkdir(join(folder, 'readers', `${processNamespace()}-${process.pid}-abc123-00000000`), {
    recursive: true,
  });
  await (await openTestTables({ folder })).list();
  expect(await readdir(join(folder, 'readers'))).toEqual([]);
});

test('a process of another container, whose number means nothing here, is judged by whether it touches what is its own', async () => {
  const folder = join(await makeTestFolder(), 'default');
  // Its process 1 is none of ours, or another.
  const names = [
    '0a1b2c3d-1-abc123-00000000',
    `0a1b2c3d-${process.pid}-abc123-00000001`,
    '0a1b2c3d-4000000-x-00000002',
  ];
  const paths = names.flatMap((name) => ['readers', 'loading'].map((kind) => join(folder, kind, name)));
  for (const path of paths) await mkdir(path, { recursive: true });
  const [left = '', ...live] = paths;
  const touched = (path: string, agoMs: number) => {
    const at = new Date(Date.now() - agoMs);
    return utimes(path, at, at);
  };
  for (const path of live) await touched(path, 8 * 60_000);
  await touched(left, 11 * 60_000);
  await (await openTestTables({ folder })).list();
  const found = (await files(folder)).filter((name) => name.includes('0a1b2c3d'));
  expect(found).toEqual(live.map((path) => path.slice(folder.length + 1)).sort());
});

test('a load that goes on says that it is there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const tables = await openTestTables();
    const loader = await tables.openLoader(ORDERS);
    const old = new Date(Date.now() - 3_600_000);
    await utimes(loader.folder, old, old);
    vi.advanceTimersByTime(60_000);
    await expect.poll(async () => Date.now() - (await stat(loader.folder)).mtimeMs).toBeLessThan(600_000);
    await loader.abandon();
    vi.advanceTimersByTime(60_000);
    await tables.close();
  } finally {
    vi.useRealTimers();
  }
});

test('files are for their owner alone', async () => {
  const tables = await openTestTables();
  const { id } = await collectItems(tables, 'orders', [{ id: 1 }]);
  const mode = async (name: string) => (await stat(join(tables.folder, name))).mode & 0o777;
  expect([await mode('.'), await mode('loading'), await mode(`${id}.db`), await mode(`${id}.json`)]).toEqual([
    0o700, 0o700, 0o600, 0o600,
  ]);
  await tables.close();
});

test('what is older than is kept is removed at the next use', async () => {
  let now = Date.now();
  const tables = await openTestTables({ now: () => now, keepHours: 2 });
  await collectItems(tables, 'orders', [{ id: 1 }]);
  now += 2 * 3_600_000 - 1_000;
  expect(await tables.list()).toHaveLength(1);
  now += 2_000;
  await expect(tables.query('SELECT * FROM orders', ASK)).rejects.toThrow('nothing has been collected');
  expect((await files(tables.folder)).filter((name) => /\.(db|json)$/.test(name))).toEqual([]);
  await tables.close();
});

test('expired data of accounts that never come back are removed with their folders, and what is in use stays', async () => {
  const base = await makeTestFolder();
  const folderOf = (name: string) => join(base, name);
  const gone = await openTestTables({ folder: folderOf('gone-0a1b2c3d'), leases: freeLeases });
  await collectItems(gone, 'orders', [{ id: 1 }]);
  await gone.query('SELECT * FROM orders', ASK);
  await gone.close();
  const used = await openTestTables({ folder: folderOf('used-0a1b2c3d'), leases: freeLeases });
  await collectItems(used, 'orders', [{ id: 1 }]);
  const building = await openTestTables({ folder: folderOf('building-0a1b2c3d'), leases: freeLeases });
  const loader = await building.openLoader(ORDERS);
  await loader.addItems('orders', [{ id: 1 }]);
  const later = (hours: number) => ({ now: () => Date.now() + hours * 3_600_000, keepHours: 24 });
  await removeExpired(base, later(23));
  expect((await readdir(base)).length).toBe(3);
  const own = { ...later(25), keepHours: 48 };
  await removeExpired(base, own);
  expect(await used.list()).toHaveLength(1);
  await removeExpired(base, later(25));
  expect(await readdir(base)).toEqual(['building-0a1b2c3d']);
  await loader.finish({ source: ORDERS, complete: true, notes: [] });
  expect(await building.list()).toHaveLength(1);
  // Its folder is made again when it is used again.
  await collectItems(used, 'orders', [{ id: 1 }]);
  expect(await used.list()).toHaveLength(1);
  await Promise.all([used.close(), building.close()]);
});

test('tables with personal data end with their process, others and those that the person keeps do not', async () => {
  const folder = join(await makeTestFolder(), 'default');
  const own = await openTestTables({ folder, keepHours: undefined });
  const personal = await collectItems(own, 'orders', PERSONAL);
  const other = await collectItems(own, 'listings', [{ sku: 'A' }], LISTINGS);
  expect([personal.until, other.until]).toEqual(['process', expect.stringMatching(/^\d{4}-/)]);
  expect((await own.query('SELECT name, kept_until FROM tables ORDER BY 1', ASK)).rows).toEqual([
    ['listings', other.until],
    ['orders', "the last program that uses it ends, since it holds buyers' data"],
  ]);
  await own.close();
  expect((await files(folder)).filter((name) => /\.(db|json)$/.test(name))).toEqual([
    `${other.id}.db`,
    `${other.id}.json`,
  ]);
  expect(await readdir(join(folder, 'holders'))).toEqual([]);
  const keeping = await openTestTables({ folder, keepHours: 48 });
  const kept = await collectItems(keeping, 'orders', PERSONAL);
  await keeping.close();
  const next = await openTestTables({ folder, keepHours: undefined });
  const [found] = await next.list();
  expect(found).toMatchObject({ id: kept.id, ends: { hours: 48 } });
  expect(Date.parse(found?.until ?? '') - Date.parse(kept.collectedAt)).toBe(48 * 3_600_000);
  await next.close();
});

test('tables with personal data end after 30 days, however long others are kept', async () => {
  const day = 24 * 3_600_000;
  const folder = join(await makeTestFolder(), 'default');
  const own = await openTestTables({ folder, keepHours: 8_760 });
  const personal = await collectItems(own, 'orders', PERSONAL);
  const other = await collectItems(own, 'listings', [{ sku: 'A' }], LISTINGS);
  await own.close();
  const lasts = ({ until = '', collectedAt }: typeof personal) =>
    (Date.parse(until) - Date.parse(collectedAt)) / day;
  expect([lasts(personal), lasts(other)]).toEqual([30, 365]);
  const later = await openTestTables({ folder, keepHours: 8_760, now: () => Date.now() + 31 * day });
  expect((await later.list()).map(({ id }) => id)).toEqual([other.id]);
  await later.close();
});

test('what ends with another process lasts a day at most, whatever this one keeps others for', async () => {
  const HOUR_MS = 3_600_000;
  for (const keepHours of [2, 48]) {
    const folder = join(await makeTestFolder(), 'default');
    const own = await openTestTables({ folder, keepHours: undefined });
    const { id } = await collectItems(own, 'orders', PERSONAL);
    await collectItems(own, 'listings', [{ sku: 'A' }], LISTINGS);
    const at = async (hours: number) => {
      const now = () => Date.now() + hours * HOUR_MS;
      return (await openTestTables({ folder, keepHours, now })).list();
    };
    expect((await at(1)).map(({ until }) => until === 'process')).toEqual([false, true]);
    expect((await at(23)).map((one) => one.id).includes(id)).toBe(true);
    expect(await at(23)).toHaveLength(keepHours === 2 ? 1 : 2);
    expect((await at(25)).map((one) => one.id).includes(id)).toBe(false);
    await own.close();
  }
});

test('damaged and foreign files are left out, a description without its database is removed in time', async () => {
  const tables = await openTestTables();
  const { id } = await collectItems(tables, 'orders', [{ id: 1 }]);
  await writeFile(join(tables.folder, 'torn.json'), '{"v":1,"id":"to');
  await writeFile(join(tables.folder, 'stray.json'), await readFile(join(tables.folder, `${id}.json`)));
  const old = new Date(Date.now() - 600_000);
  await utimes(join(tables.folder, 'stray.json'), old, old);
  const again = await openTestTables({ folder: tables.folder });
  expect((await again.list()).map((info) => info.id)).toEqual([id]);
  expect(await readdir(tables.folder)).not.toContain('stray.json');
  await again.close();
  const database = join(tables.folder, `${id}.db`);
  await writeFile(database, 'no database'.padEnd((await stat(database)).size));
  await expect(tables.query('SELECT * FROM orders', ASK)).rejects.toThrow('is damaged');
  expect((await tables.query('SELECT 1', ASK)).rows).toEqual([[1]]);
  await tables.close();
});

test('a file that was cut short is no collection, and what belongs to none is removed in time', async () => {
  const tables = await openTestTables();
  const { id } = await collectItems(tables, 'orders', [{ id: 1 }]);
  const other: CollectionSource = { kind: 'operation', operation: 'other', parameters: {} };
  const whole = await collectItems(tables, 'others', [{ id: 1 }], other);
  const database = join(tables.folder, `${id}.db`);
  await truncate(database, (await stat(database)).size - 512);
  expect((await tables.list()).map((info) => info.id)).toEqual([whole.id]);
  await expect(tables.query('SELECT * FROM orders', ASK)).rejects.toThrow('There is no table orders');
  const strays = ['alone.db', 'torn.json', '00ff.run', '00ff.run.abcd'];
  for (const name of [...strays, 'mine.txt']) await writeFile(join(tables.folder, name), '{');
  await writeFile(join(tables.folder, 'later.json'), '{"v":3}');
  const sweep = async () => (await openTestTables({ folder: tables.folder })).list();
  await sweep();
  expect(await readdir(tables.folder)).toEqual(expect.arrayContaining([...strays, `${id}.db`, `${id}.json`]));
  const old = new Date(Date.now() - 600_000);
  for (const name of await readdir(tables.folder)) await utimes(join(tables.folder, name), old, old);
  expect(await sweep()).toHaveLength(1);
  const left = (await readdir(tables.folder)).filter((name) => name.includes('.')).sort();
  expect(left).toEqual([`${whole.id}.db`, `${whole.id}.json`, 'later.json', 'mine.txt'].sort());
  await tables.close();
});

test('the same source is found again whatever the order of its arguments, and lists of all accounts are told', async () => {
  const base = await makeTestFolder();
  const tables = await openTestTables({ folder: join(base, 'default-1') });
  const source: CollectionSource = {
    kind: 'operation',
    operation: 'a',
    parameters: { x: 1, y: { b: 1, a: 2 } },
  };
  const { id } = await collectItems(tables, 'orders', [{ id: 1 }], source);
  const same: CollectionSource = {
    kind: 'operation',
    operation: 'a',
    parameters: { y: { a: 2, b: 1 }, x: 1 },
  };
  expect((await tables.find(same))?.id).toBe(id);
  expect(await tables.find({ ...same, parameters: {} })).toBeUndefined();
  const kept = await listStored(base, { now: Date.now, keepHours: 24 });
  expect(kept.map(({ info }) => info.id)).toEqual([id]);
  await tables.remove(id);
  expect(await tables.list()).toEqual([]);
  await tables.close();
});

test('who has found a personal table keeps it when the one that collected it ends, until they end themselves', async () => {
  const folder = join(await makeTestFolder(), 'default');
  const open = () => openTestTables({ folder, keepHours: undefined });
  const [own, finding, guest] = [await open(), await open(), await open()];
  const { id } = await collectItems(own, 'orders', PERSONAL);
  const { id: other } = await collectItems(own, 'listings', [{ sku: 'A' }], LISTINGS);
  expect(await finding.list()).toHaveLength(2);
  const held = (await files(join(folder, 'holders'))).filter((name) => name.includes('/'));
  // Only collections that end with their process have a holder.
  expect(held.map((name) => name.split('/')[1])).toEqual([id]);
  await own.close();
  expect((await finding.list()).map((one) => one.id).sort()).toEqual([id, other].sort());
  expect((await guest.list()).map((one) => one.id).sort()).toEqual([id, other].sort());
  await finding.close();
  expect(await guest.list()).toHaveLength(2);
  await guest.close();
  const late = await open();
  expect((await late.list()).map((one) => one.id)).toEqual([other]);
  await late.close();
});

test('the newest is listed first, and a description of another collection is none', async () => {
  let now = Date.parse('2026-11-20T10:00:00.000Z');
  const tables = await openTestTables({ now: () => now });
  const of = (operation: string): CollectionSource => ({ kind: 'operation', operation, parameters: {} });
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    ids.unshift((await collectItems(tables, name, [{ id: 1 }], of(name))).id);
    now += 1_000;
  }
  expect((await tables.list()).map(({ id }) => id)).toEqual(ids);
  const [first = '', second = ''] = ids;
  const description = await readFile(join(tables.folder, `${first}.json`));
  await writeFile(join(tables.folder, `${second}.json`), description);
  expect((await tables.list()).map(({ id }) => id)).toEqual([first, ids[2]]);
  await tables.close();
});

test('the counts for a comparison are not written beside the tables', async () => {
  const tables = await openTestTables();
  const info = await collectItems(tables, 'orders', [{ AmazonOrderId: '1', Total: 5, at: '2026-11-02' }]);
  const written: unknown = JSON.parse(await readFile(join(tables.folder, `${info.id}.json`), 'utf8'));
  expect(written).toHaveProperty(['tables', 0, 'rows'], 1);
  expect(written).not.toHaveProperty(['tables', 0, 'profile']);
  expect(info).not.toHaveProperty(['tables', 0, 'profile']);
  await tables.close();
});
