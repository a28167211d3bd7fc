/** Tests who owns a folder of collections: a later owner of the same name finds nothing of the earlier one. */

import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  accountDigest,
  findOldSnapshotsFolder,
  findTablesFolder,
  listStored,
  removeExpired,
  removeStored,
} from '../../../src/data/tables/account-folders.ts';
import { collectItems, makeTestFolder, openTestTables } from '../../helpers/tables-worker.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

it('each account and each owner of its name has a mark of its own, which tells the name alone', () => {
  const owners = [
    ['client-1', 'A1SELLER'],
    ['client-2', 'A1SELLER'],
    ['client-1', 'A2SELLER'],
    [],
    [undefined],
  ];
  const marks = ['shop', 'other'].flatMap((account) => owners.map((owner) => accountDigest(account, owner)));
  // No value and one that is missing are the same to JSON only where they stand in an object.
  expect(new Set(marks).size).toBe(marks.length);
  expect(accountDigest('shop', ['client-1', 'A1SELLER'])).toBe(marks[0]);
  for (const mark of marks) expect(mark).toMatch(/^(?:shop|other)-[0-9a-f]{8}$/);
  // Nor where their names are the same as names of folders.
  expect(accountDigest('my shop', ['client-1'])).not.toBe(accountDigest('my/shop', ['client-1']));
});

it('collections and reviews, of shops and of the sandbox, never share a folder', async () => {
  const dataDir = '/somewhere';
  const found = await Promise.all(
    [undefined, false, true].flatMap((sandbox) => [
      findTablesFolder({ dataDir, sandbox }),
      findOldSnapshotsFolder({ dataDir, sandbox }),
    ]),
  );
  expect(found.slice(0, 2)).toEqual(found.slice(2, 4));
  expect(new Set(found).size).toBe(4);
  for (const folder of found) expect(folder).toMatch(/^\/somewhere\/[a-z-]+$/);
});

it('what is kept of all accounts is listed by their folders, newest first, each until its own end; one alone is forgotten', async () => {
  const ages = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(ages, { minLength: 1, maxLength: 3 }), async (accounts) => {
      const base = await makeTestFolder();
      const expected: [string, string][] = [];
      for (const [at, hours] of accounts.entries()) {
        const folder = join(base, `shop-${at}`);
        let age = 0;
        const tables = await openTestTables({ folder, now: () => NOW - age * HOUR_MS, keepHours: 1_000 });
        for (const [number, each] of hours.entries()) {
          age = each;
          const source = { kind: 'operation', operation: `x/${number}`, parameters: {} } as const;
          await collectItems(tables, 'orders', [{ id: 1 }], source);
        }
        await tables.close();
        for (const each of [...hours].sort((a, b) => a - b)) {
          if (each < 24) expected.push([folder, new Date(NOW + (24 - each) * HOUR_MS).toISOString()]);
        }
      }
      const keeping = { now: () => NOW, keepHours: 24 };
      const kept = await listStored(base, keeping);
      expect(kept.map(({ folder, info }) => [folder, info.until])).toEqual(expected);
      const [first, ...others] = kept;
      if (first !== undefined) await removeStored(first);
      expect(await listStored(base, keeping)).toEqual(others);
    }),
    { numRuns: 5 },
  );
});

it('a folder with nothing in it is removed once nobody has touched it for more than a minute, with what processes left', async () => {
  const base = await makeTestFolder();
  const now = Date.now();
  const ages = { 'a-0': 0, 'b-50': 50, 'c-70': 70, 'd-9000': 9_000 };
  for (const [name, seconds] of Object.entries(ages)) {
    for (const inner of ['loading', 'readers', 'holders']) {
      await mkdir(join(base, name, inner), { recursive: true });
    }
    const at = new Date(now - seconds * 1_000);
    await utimes(join(base, name), at, at);
  }
  await mkdir(join(base, 'd-9000', 'somebody-else'));
  const at = new Date(now - 9_000_000);
  await utimes(join(base, 'd-9000'), at, at);
  await removeExpired(base, { now: () => now, keepHours: 24 });
  expect((await readdir(base)).sort()).toEqual(['a-0', 'b-50', 'd-9000']);
  await removeExpired(join(base, 'not-there'), { now: () => now, keepHours: 24 });
  expect(await listStored(join(base, 'not-there'), { now: () => now, keepHours: 24 })).toEqual([]);
});
