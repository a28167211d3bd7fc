/** Reviews leave enough in the store to compare with, and never more than is said. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReviewedListingState } from '../../../src/data/review/compare-states.ts';
import {
  listStoredReviews,
  REVIEW_TABLES,
  removeComparisons,
  removeOldComparisons,
} from '../../../src/data/review/comparisons.ts';
import { type Snapshot, Snapshots } from '../../../src/data/review/snapshots.ts';
import { comparisonsBeside, freeLeases } from '../../helpers/leases.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = { id: 'A13V1IB3VIYZZH', name: 'France' };
const START = Date.parse('2026-11-01T00:30:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const STATE: ReviewedListingState = {
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
  const comparisons = comparisonsBeside(await makeTestFolder());
  const days = { now: () => clock.time, keepDays };
  const snapshots = new Snapshots({ comparisons, account: 'default', ...days });
  const iso = (time = clock.time) => new Date(time).toISOString();
  return {
    clock,
    comparisons,
    days,
    snapshots,
    iso,
    keep: (marketplace = DE, states = new Map([['A', STATE]])) =>
      snapshots.keep({ marketplace, at: iso(), states }),
  };
}

/** Returns the period of which one snapshot is stored, as the documented rule defines it. */
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
          const gone = was?.filter((one) => !is?.some((other) => keyOf(other) === keyOf(one))) ?? [];
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
  const { clock, snapshots, keep, iso } = await open();
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
  expect(await snapshots.read({ marketplaceId: DE.id, at: iso(), isPart: false })).toBeUndefined();
});

it('the days that the person set are kept, then all of it goes', async () => {
  const { clock, comparisons, days, snapshots, keep } = await open(10);
  const lastReported = { [DE.id]: '2026-11-01T00:30:00.000Z' };
  await removeOldComparisons(comparisons, days);
  await keep();
  await snapshots.tellOnce(freeLeases, async () => lastReported);
  clock.time += 10 * DAY;
  await removeOldComparisons(comparisons, days);
  expect(await snapshots.list()).toHaveLength(1);
  await snapshots.tellOnce(freeLeases, async (before) => {
    expect(before).toEqual(lastReported);
    return before;
  });
  clock.time += 1;
  expect(await snapshots.list()).toEqual([]);
  await removeOldComparisons(comparisons, days);
  clock.time -= 1;
  expect(await snapshots.list()).toEqual([]);
  await snapshots.tellOnce(freeLeases, async (before) => {
    expect(before).toEqual({});
    return before;
  });
});

it('what was told is known to whoever tells next; where telling fails it is not', async () => {
  const { snapshots } = await open();
  const seen: unknown[] = [];
  const report = (lastReported: Readonly<Record<string, string>>) => {
    seen.push(lastReported);
    return Promise.resolve({ ...lastReported, [`at ${seen.length}`]: '2026-11-01T00:00:00.000Z' });
  };
  await snapshots.tellOnce(freeLeases, report);
  await snapshots.tellOnce(freeLeases, report);
  await expect(snapshots.tellOnce(freeLeases, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await snapshots.tellOnce(freeLeases, report);
  const at = '2026-11-01T00:00:00.000Z';
  expect(seen).toEqual([{}, { 'at 1': at }, { 'at 1': at, 'at 2': at }]);
});

it('of every account it is told how many there are, of which marketplaces, since when and how large', async () => {
  const { clock, comparisons, days, keep } = await open(10);
  const another = new Snapshots({ comparisons, account: 'another', ...days });
  expect(await listStoredReviews(comparisons, days)).toEqual([]);
  await keep(FR);
  clock.time += DAY;
  await keep();
  clock.time += DAY;
  await keep(FR);
  await another.keep({ marketplace: DE, at: new Date(clock.time).toISOString(), states: new Map() });
  const [other, one, ...others] = await listStoredReviews(comparisons, days);
  expect(others).toEqual([]);
  expect(other).toMatchObject({ id: 'snapshots-another', reviews: 1 });
  expect(one).toEqual({
    id: 'snapshots-default',
    account: 'default',
    reviews: 3,
    marketplaces: [FR.id, DE.id],
    first: '2026-11-01T00:30:00.000Z',
    last: '2026-11-03T00:30:00.000Z',
    bytes: expect.any(Number),
  });
  // Three reviews, packed.
  expect(one?.bytes).toBeGreaterThan(200);
  expect(one?.bytes).toBeLessThan(3_000);
  clock.time += 9 * DAY + 1;
  await removeOldComparisons(comparisons, days);
  expect((await listStoredReviews(comparisons, days)).map(({ reviews }) => reviews)).toEqual([1, 1]);
  await removeComparisons(comparisons, REVIEW_TABLES, 'default');
  expect(await listStoredReviews(comparisons, days)).toMatchObject([{ account: 'another' }]);
});
