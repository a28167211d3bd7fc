/** The first start takes the files of earlier versions into the store, once, and passes over damaged and foreign ones. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { listStoredCounts } from '../../../src/data/review/comparisons.ts';
import { openComparisons } from '../../../src/data/review/old-snapshots.ts';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import { openStateStore } from '../../../src/write/state-store.ts';
import { freeLeases } from '../../helpers/leases.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const DE = 'A1PA6795UKMFR9';
const NOW = Date.parse('2026-11-01T05:00:00.000Z');
const atHour = (hour: number) => `2026-11-01T0${hour}:30:00.000Z`;
const nameAt = (hour: number, end = '.gz') => `${DE}.20261101T0${hour}3000000Z${end}`;

const fileOf = (hour: number, more: object = {}) =>
  gzipSync(
    JSON.stringify({
      version: 1,
      marketplace: { id: DE, name: 'Germany' },
      at: atHour(hour),
      listings: [['A', 'search', ['8541 brand'], 12.5, 'EUR', hour, 1, null]],
      ...more,
    }),
  );

const counts = (at: string) => ({ at, tables: [] });

it('takes over reviews, when they were told and counts of collections, and removes the files', async () => {
  const base = await makeTestFolder();
  const folder = join(base, 'snapshots');
  const own = join(folder, 'default-0a1b2c3d');
  await mkdir(own, { recursive: true });
  const files = {
    [nameAt(0)]: fileOf(0),
    [nameAt(1, '.part.gz')]: fileOf(1),
    [nameAt(2)]: fileOf(2).subarray(0, 40),
    [nameAt(3)]: fileOf(3, { version: 2 }),
    [nameAt(4)]: gzipSync('{'),
    [`${DE}.20261101T003000000Z.gz.1a2b3c4d.new`]: fileOf(0),
    'notes.txt': 'mine',
    'told.json': JSON.stringify({ [`${DE} stock`]: atHour(0) }),
    '0123456789ab.collections.json': JSON.stringify({
      version: 1,
      collections: [counts(atHour(0)), counts(atHour(1))],
    }),
    'ba9876543210.collections.json': '{',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(own, name), content);
  const store = openStateStore(join(base, 'state'));
  // Two processes may start at once.
  const [comparisons] = await Promise.all([openComparisons(store, folder), openComparisons(store, folder)]);
  const snapshots = new Snapshots({
    comparisons,
    account: 'default-0a1b2c3d',
    now: () => NOW,
    keepDays: 90,
  });
  const listed = await snapshots.list();
  expect(listed).toEqual([
    { marketplaceId: DE, at: atHour(0), isPart: false },
    { marketplaceId: DE, at: atHour(1), isPart: true },
  ]);
  const read = await Promise.all(listed.map((one) => snapshots.read(one)));
  expect(read).toEqual(
    [0, 1].map((hour) => ({
      marketplace: { id: DE, name: 'Germany' },
      at: atHour(hour),
      states: new Map([
        [
          'A',
          {
            suppressed: 'search',
            causes: ['8541 brand'],
            price: 12.5,
            currency: 'EUR',
            stock: hour,
            buyable: 1,
            featured: null,
          },
        ],
      ]),
    })),
  );
  await snapshots.tellOnce(freeLeases, async (told) => {
    expect(told).toEqual({ [`${DE} stock`]: atHour(0) });
    return told;
  });
  expect(await listStoredCounts(comparisons)).toMatchObject([{ id: 'counts-default-0a1b2c3d', kinds: 1 }]);
  expect(await readdir(own)).toEqual(['notes.txt']);
  await store.close();
});

it('makes no store where there is nothing to take over', async () => {
  const base = await makeTestFolder();
  const store = openStateStore(join(base, 'state'));
  const comparisons = await openComparisons(store, join(base, 'snapshots'));
  expect(await listStoredCounts(comparisons)).toEqual([]);
  expect(await readdir(base)).toEqual([]);
});
