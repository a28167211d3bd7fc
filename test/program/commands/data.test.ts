/** The command as a person and as a script see it. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import { data } from '../../../src/program/commands/data.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { freeLeases } from '../../helpers/leases.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

async function setUp() {
  const dataDir = await makeTestFolder();
  const stateDir = join(dataDir, 'state');
  const comparisons = openStateStore(stateDir);
  const account = 'default-0a1b2c3d';
  const openOf = (of: string) => {
    const history = { comparisons, account: of, limits: { below: 0.5, fromRows: 20 } };
    return openTestTables({ folder: join(dataDir, 'tables', of), history });
  };
  const snapshotsOf = (of: string) =>
    new Snapshots({ comparisons, account: of, now: Date.now, keepDays: 90 });
  const [tables, snapshots] = [await openOf(account), snapshotsOf(account)];
  const run = async (positionals: string[], values = {}) => {
    const io = createTestOutside({ flags: { 'data-dir': dataDir, 'state-dir': stateDir } });
    await data.run({ positionals, values }, io);
    return io.out();
  };
  return { dataDir, tables, snapshots, openOf, snapshotsOf, run };
}

test('lists what is kept, with its size and age, and removes it', async () => {
  const { dataDir, tables, run } = await setUp();
  expect(await run([])).toBe(`No collected data are kept in ${join(dataDir, 'tables')}.\n`);
  const { id } = await collectItems(tables, 'orders', [{ id: 1 }, { id: 2 }]);
  expect(await run(['list'])).toMatch(
    new RegExp(
      `^${id}: orders \\(2 rows\\); account default, \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d, \\d+ KB, kept until \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d\n`,
    ),
  );
  expect(JSON.parse(await run(['list'], { json: true }))).toMatchObject({
    collections: [{ id, complete: true }],
  });
  await expect(run(['remove', 'other'])).rejects.toThrow('No collected data are called "other".');
  expect(await run(['remove', id])).toBe(`Removed ${id}.\n`);
  expect(await tables.list()).toEqual([]);
  await tables.close();
});

test('removes everything at once, and says what it does not understand', async () => {
  const { tables, run } = await setUp();
  expect(await run(['remove', 'all'])).toBe('Nothing is kept.\n');
  await collectItems(tables, 'orders', [{ id: 1 }]);
  expect(await run(['remove', 'all'])).toMatch(/^Removed orders-/);
  await expect(run(['remove'])).rejects.toThrow('not understood');
  await expect(run(['show'])).rejects.toThrow('not understood');
  await tables.close();
});

test('lists and removes what reviews left to compare with', async () => {
  const { snapshots, run } = await setUp();
  const keep = (ago: number) => {
    const at = new Date(Date.now() - ago).toISOString();
    return snapshots.keep({ marketplace: { id: 'A1PA6795UKMFR9', name: 'Germany' }, at, states: new Map() });
  };
  await keep(86_400_000);
  await keep(0);
  const id = 'snapshots-default-0a1b2c3d';
  expect(await run([])).toMatch(
    /^snapshots-default-0a1b2c3d: what 2 reviews left to compare with; \S+ to \S+, 1 KB\nNo collected data are kept in /,
  );
  expect(JSON.parse(await run(['list'], { json: true }))).toMatchObject({ reviews: [{ id, reviews: 2 }] });
  expect(await run(['remove', id])).toBe(`Removed ${id}.\n`);
  expect(await snapshots.list()).toEqual([]);
  await keep(0);
  expect(await run(['remove', 'all'])).toBe(`Removed ${id}.\n`);
});

test('removes reviews and the counts of collections each for itself, and both with all', async () => {
  const { tables, snapshots, run } = await setUp();
  const keep = async () => {
    const at = new Date().toISOString();
    await snapshots.keep({ marketplace: { id: 'A1PA6795UKMFR9', name: 'Germany' }, at, states: new Map() });
    await snapshots.tellOnce(freeLeases, async () => ({ 'A1PA6795UKMFR9 all': at }));
    return collectItems(tables, 'orders', [{ id: 1 }]);
  };
  const kinds = async () => {
    const { reviews, counts } = JSON.parse(await run(['list'], { json: true }));
    return [...reviews, ...counts].map(({ id }) => id);
  };
  const readReported = async () => {
    let reported = {};
    await snapshots.tellOnce(freeLeases, async (before) => {
      reported = before;
      return before;
    });
    return Object.keys(reported);
  };
  const { id } = await keep();
  const all = ['snapshots-default-0a1b2c3d', 'counts-default-0a1b2c3d'];
  expect(await kinds()).toEqual(all);
  // A collection that is removed was compared already, and is what the next one is compared with.
  await run(['remove', id]);
  expect(await kinds()).toEqual(all);
  await run(['remove', 'counts-default-0a1b2c3d']);
  expect(await kinds()).toEqual(['snapshots-default-0a1b2c3d']);
  expect(await readReported()).toEqual(['A1PA6795UKMFR9 all']);
  await keep();
  await run(['remove', 'snapshots-default-0a1b2c3d']);
  expect(await kinds()).toEqual(['counts-default-0a1b2c3d']);
  expect(await readReported()).toEqual([]);
  await keep();
  expect(await run(['remove', 'all'])).toContain('counts-default-0a1b2c3d');
  expect(await kinds()).toEqual([]);
  await tables.close();
});

test('removes what one account left to compare with, and leaves that of the others', async () => {
  const { openOf, snapshotsOf, run } = await setUp();
  const accounts = ['default-0a1b2c3d', 'lamps-4e5f6a7b'];
  for (const account of accounts) {
    const tables = await openOf(account);
    await collectItems(tables, 'orders', [{ id: 1 }]);
    await tables.close();
    const marketplace = { id: 'A1PA6795UKMFR9', name: 'Germany' };
    await snapshotsOf(account).keep({ marketplace, at: new Date().toISOString(), states: new Map() });
  }
  const kept = async () => {
    const { reviews, counts } = JSON.parse(await run(['list'], { json: true }));
    return [...reviews, ...counts].map(({ id }) => id).sort();
  };
  const left = accounts.flatMap((account) => [`counts-${account}`, `snapshots-${account}`]).sort();
  expect(await kept()).toEqual(left);
  for (const id of ['counts-default-0a1b2c3d', 'snapshots-lamps-4e5f6a7b']) {
    await run(['remove', id]);
    left.splice(left.indexOf(id), 1);
    expect(await kept()).toEqual(left);
  }
});
