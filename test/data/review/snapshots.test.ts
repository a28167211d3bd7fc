/** What reviews leave on the disk: enough to compare with, and never more than is said; of a torn or foreign file nothing is read. */

import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListingState } from '../../../src/data/review/compare-states.ts';
import {
  listKeptReviews,
  removeOldReviews,
  removeReviews,
  type Snapshot,
  Snapshots,
} from '../../../src/data/review/snapshots.ts';
import { freeLeases } from '../../helpers/leases.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = { id: 'A13V1IB3VIYZZH', name: 'France' };
const START = Date.parse('2026-11-01T00:30:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const STATE: ListingState = {
  suppressed: 'search',
  causes: ['8541 brand'],
  price: 12.5,
  currency: 'EUR',
  stock: 3,
  buyable: 1,
  featured: 1,
};

async function open(keepDays = 30) {
  const clock = { time: START };
  const folder = join(await makeTestFolder(), 'snapshots', 'default');
  const snapshots = new Snapshots({ folder, now: () => clock.time, keepDays });
  const iso = (time = clock.time) => new Date(time).toISOString();
  return {
    clock,
    folder,
    snapshots,
    iso,
    keep: (marketplace = DE, states = new Map([['A', STATE]])) =>
      snapshots.keep({ marketplace, at: iso(), states }),
  };
}

/** As the rule is told: the time of which one of its kind is kept. */
const slotOf = ({ at, isPart }: Snapshot, now: number) => {
  if (now - Date.parse(at) < 2 * DAY) return at.slice(0, 13);
  return isPart ? 'before' : at.slice(0, 10);
};
const keyOf = ({ at, isPart }: Snapshot) => `${at} ${isPart}`;

it('the newest two are kept however close, of the others one an hour, then one a day; no time is left without any', async () => {
  const step = fc.record({
    ms: fc.constantFrom(1_000, 10 * 60_000, HOUR, 5 * HOUR, DAY, 3 * DAY, 20 * DAY),
    isPart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const { clock, snapshots, iso, keep } = await open();
      await keep(FR);
      await keep();
      let before = await snapshots.list();
      for (const { ms, isPart } of steps) {
        clock.time += ms;
        if (isPart) await snapshots.keepPart(DE.id, iso(), new Map());
        else await keep();
        const now = await snapshots.list();
        const made = now.at(-1);
        // A part has something to add to only where there is a review.
        const all = made?.at === iso() ? [...before, made] : before;
        const young = all.filter(({ at }) => at >= iso(clock.time - 30 * DAY));
        for (const kind of [false, true]) {
          const [was, is] = [young, now].map((list) =>
            list.filter((one) => one.marketplaceId === DE.id && one.isPart === kind),
          );
          // The newest two.
          expect(is?.slice(-2).map(keyOf)).toEqual(was?.slice(-2).map(keyOf));
          const slots = is?.slice(0, -2).map((one) => slotOf(one, clock.time)) ?? [];
          expect(new Set(slots).size).toBe(slots.length);
          const gone = was?.filter((one) => !is?.some(({ file }) => file === one.file)) ?? [];
          for (const one of gone) {
            const later = is?.find((other) => other.at > one.at);
            expect(later && slotOf(later, clock.time), one.at).toBe(slotOf(one, clock.time));
          }
        }
        before = now;
      }
      const isYoung = clock.time - START <= 30 * DAY;
      expect(before.filter(({ marketplaceId }) => marketplaceId === FR.id)).toHaveLength(isYoung ? 1 : 0);
    }),
    { numRuns: 15 },
  );
});

it('what is kept is read as it was, oldest first, and what was not asked for is as it was seen before', async () => {
  const { clock, snapshots, keep, iso, folder } = await open();
  expect(await snapshots.list()).toEqual([]);
  const nothing = {
    suppressed: null,
    causes: [],
    price: null,
    currency: null,
    stock: null,
    buyable: null,
    featured: null,
  };
  await keep(
    DE,
    new Map([
      ['A', STATE],
      ['B', nothing],
    ]),
  );
  clock.time += HOUR;
  await keep(DE, new Map([['A', { ...STATE, featured: null }]]));
  clock.time += HOUR;
  await snapshots.keepPart(DE.id, iso(), new Map([['A', { stock: 9 }]]));
  // Seen before the last look, or of a marketplace without any: nothing to add to.
  await snapshots.keepPart(DE.id, iso(), new Map([['A', { stock: 1 }]]));
  await snapshots.keepPart(DE.id, iso(START), new Map([['A', { stock: 1 }]]));
  await snapshots.keepPart(FR.id, iso(), new Map([['A', { stock: 1 }]]));
  const listed = await snapshots.list();
  expect(listed.map(({ at, isPart, marketplaceId }) => [at, isPart, marketplaceId])).toEqual([
    ['2026-11-01T00:30:00.000Z', false, DE.id],
    ['2026-11-01T01:30:00.000Z', false, DE.id],
    ['2026-11-01T02:30:00.000Z', true, DE.id],
  ]);
  const read = await Promise.all(listed.map((one) => snapshots.read(one)));
  expect(read.map((one) => one && [one.marketplace, one.at, Object.fromEntries(one.states)])).toEqual([
    [DE, '2026-11-01T00:30:00.000Z', { A: STATE, B: nothing }],
    [DE, '2026-11-01T01:30:00.000Z', { A: STATE }],
    [DE, '2026-11-01T02:30:00.000Z', { A: { ...STATE, stock: 9 } }],
  ]);
  expect((await readdir(folder)).sort()).toEqual([
    'A1PA6795UKMFR9.20261101T003000000Z.gz',
    'A1PA6795UKMFR9.20261101T013000000Z.gz',
    'A1PA6795UKMFR9.20261101T023000000Z.part.gz',
  ]);
});

it('what is damaged, of a later version, of another name or gone is nothing, and the one before it counts', async () => {
  const { clock, snapshots, keep, iso, folder } = await open();
  await keep();
  const marketplace = DE;
  const write = (time: number, content: Buffer) =>
    writeFile(join(folder, `${DE.id}.${iso(time).replace(/[-:.]/g, '')}.gz`), content);
  const later = { version: 2, marketplace, at: iso(START + 2), listings: [] };
  await write(START + 1, Buffer.from('torn'));
  await write(START + 2, gzipSync(JSON.stringify(later)));
  await write(START + 3, gzipSync('{'));
  for (const name of ['x.gz', `x${'y'.repeat(40)}.20261101T003000000Z.gz`, 'A.20261101T003000000Z.gz.new'])
    await writeFile(join(folder, name), '');
  const listed = await snapshots.list();
  expect(listed).toHaveLength(4);
  const read = await Promise.all(listed.map((one) => snapshots.read(one)));
  expect(read.map((one) => one?.at)).toEqual([iso(START), undefined, undefined, undefined]);
  expect(
    await snapshots.read({ file: join(folder, 'none'), marketplaceId: DE.id, at: iso(), isPart: false }),
  ).toBeUndefined();
  clock.time += HOUR;
  await snapshots.keepPart(DE.id, iso(), new Map([['A', { price: 7 }]]));
  const last = (await snapshots.list()).at(-1);
  expect(last && (await snapshots.read(last))?.states.get('A')).toEqual({ ...STATE, price: 7 });
});

it('the days that the person set are kept, then all of it goes with the folder, and what a killed process left', async () => {
  const { clock, snapshots, keep, folder } = await open(10);
  await keep();
  await snapshots.tellOnce(freeLeases, async () => ({ [DE.id]: '2026-11-01T00:30:00.000Z' }));
  const old = join(folder, 'old.new');
  const young = join(folder, 'young.new');
  await writeFile(old, '');
  await writeFile(young, '');
  const seconds = (ms: number) => (clock.time - ms) / 1_000;
  await utimes(old, seconds(HOUR + 1_000), seconds(HOUR + 1_000));
  await utimes(young, seconds(HOUR), seconds(HOUR));
  await snapshots.removeOld();
  const names = async () => (await readdir(folder)).sort();
  expect(await names()).toEqual(['A1PA6795UKMFR9.20261101T003000000Z.gz', 'told.json', 'young.new']);
  clock.time += 10 * DAY;
  await utimes(young, seconds(0), seconds(0));
  await snapshots.removeOld();
  expect(await snapshots.list()).toHaveLength(1);
  clock.time += 1;
  expect(await snapshots.list()).toEqual([]);
  await snapshots.removeOld();
  // Somebody may be writing that one.
  expect(await names()).toEqual(['young.new']);
  clock.time += HOUR + 1_000;
  await snapshots.removeOld();
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
  await snapshots.removeOld();
});

it('what was told is known to whoever tells next; where telling fails it is not, and damage is as nothing', async () => {
  const { snapshots, folder } = await open();
  const seen: unknown[] = [];
  const tell = (told: Readonly<Record<string, string>>) => {
    seen.push(told);
    return Promise.resolve({ ...told, [`at ${seen.length}`]: '2026-11-01T00:00:00.000Z' });
  };
  await snapshots.tellOnce(freeLeases, tell);
  await snapshots.tellOnce(freeLeases, tell);
  await expect(snapshots.tellOnce(freeLeases, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await snapshots.tellOnce(freeLeases, tell);
  await writeFile(join(folder, 'told.json'), '{"at":5}');
  await snapshots.tellOnce(freeLeases, tell);
  await writeFile(join(folder, 'told.json'), '{');
  await snapshots.tellOnce(freeLeases, tell);
  const at = '2026-11-01T00:00:00.000Z';
  expect(seen).toEqual([{}, { 'at 1': at }, { 'at 1': at, 'at 2': at }, {}, {}]);
});

it('of every account it is told how many there are, of which marketplaces, since when and how large', async () => {
  const { clock, keep, folder } = await open(10);
  const parent = join(folder, '..');
  const keeping = { now: () => clock.time, keepDays: 10 };
  expect(await listKeptReviews(parent, keeping)).toEqual([]);
  await keep(FR);
  clock.time += DAY;
  await keep();
  clock.time += DAY;
  await keep(FR);
  await mkdir(join(parent, 'another'));
  const [one, ...others] = await listKeptReviews(parent, keeping);
  expect(others).toEqual([]);
  expect(one).toEqual({
    id: 'snapshots-default',
    folder,
    reviews: 3,
    marketplaces: [FR.id, DE.id],
    first: '2026-11-01T00:30:00.000Z',
    last: '2026-11-03T00:30:00.000Z',
    bytes: expect.any(Number),
  });
  // Three files, packed.
  expect(one?.bytes).toBeGreaterThan(300);
  expect(one?.bytes).toBeLessThan(3_000);
  clock.time += 9 * DAY + 1;
  await removeOldReviews(parent, keeping);
  expect((await listKeptReviews(parent, keeping)).map(({ reviews }) => reviews)).toEqual([1]);
  await removeReviews(folder);
  expect(await readdir(parent)).toEqual([]);
});
