/**
 * Tests that a watch reports each change once to each caller and loses none, whatever fails and whatever the
 * clock does.
 */

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CancelledError } from '../../../src/base/errors.ts';
import type { Client } from '../../../src/call/client-types.ts';
import type { CollectionJobs } from '../../../src/data/collections/collection-jobs.ts';
import type { ReviewedListingState } from '../../../src/data/review/compare-states.ts';
import { Snapshots } from '../../../src/data/review/snapshots.ts';
import { type Topic, type WatchReport, watchListings } from '../../../src/data/review/watch-listings.ts';
import type { CollectionInfo, Tables } from '../../../src/data/tables/table-types.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { comparisonsBeside, freeLeases } from '../../helpers/leases.ts';
import { makeTestFolder } from '../../helpers/tables-worker.ts';

const { find } = await loadRegistry();
const DE = { id: 'A1PA6795UKMFR9', name: 'Germany' };
const FR = { id: 'A13V1IB3VIYZZH', name: 'France' };
const OWNER = { name: 'default', baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };
const HOUR = 3_600_000;
const notUsed = () => {
  throw new Error('not used');
};

type World = Record<string, { stock: number; price: number }>;

const stateOf = (one: World[string]): ReviewedListingState => ({
  suppressed: null,
  causes: [],
  currency: 'EUR',
  buyable: 1,
  featured: null,
  ...one,
});

/** Watches over a service that is as the test says. */
async function open(places = [DE]) {
  const clock = fakeClock();
  const folder = join(await makeTestFolder(), 'snapshots');
  const snapshots = new Snapshots({
    comparisons: comparisonsBeside(folder),
    account: 'default',
    now: clock.wallClock,
    keepDays: 90,
  });
  const here: { world: World; isKept: boolean; complete: boolean; isEnded: boolean } = {
    world: {},
    isKept: true,
    complete: true,
    isEnded: false,
  };
  const ending = new AbortController();
  const client: Client = {
    call: notUsed,
    async prepare({ operation, parameters }) {
      const given = [parameters.marketplaceIds ?? places.map(({ id }) => id)].flat().map(String);
      const marketplaces = given.map((id) => ({ segments: ['marketplaceIds'], given: id, id }));
      const request = { url: 'https://service.example/x', headers: {}, parameters, filledIn: {} };
      return { ...request, marketplaces, owner: OWNER, method: operation.method };
    },
    exchangeToken: notUsed,
    rememberRestrictedToken: notUsed,
    close: async () => undefined,
  };
  const asked: Parameters<CollectionJobs['collect']>[1][] = [];
  const collections: Pick<CollectionJobs, 'collect'> = {
    async collect({ source }, options) {
      asked.push(options);
      if (here.isEnded) return { state: 'under way', progress: { message: '' } };
      const collectedAt = new Date(clock.wallClock()).toISOString();
      const states = new Map(Object.entries(here.world).map(([sku, one]) => [sku, stateOf(one)]));
      for (const marketplace of here.isKept ? places : [])
        await snapshots.keep({ marketplace, at: collectedAt, states });
      const info: CollectionInfo = {
        id: 'id',
        account: 'default',
        source,
        collectedAt,
        complete: here.complete,
        tables: [],
        notes: [],
        bytes: 0,
      };
      return { state: 'done', info };
    },
  };
  const tables: Tables = {
    folder,
    openLoader: notUsed,
    list: async () => [],
    lastOfKind: async () => undefined,
    find: async () => undefined,
    query: notUsed,
    export: notUsed,
    remove: async () => undefined,
    close: async () => undefined,
    makeScratch: notUsed,
    leases: freeLeases,
    snapshots,
    changes: async () => ({ rows: [], leftOut: 0 }),
  };
  return {
    clock,
    here,
    ending,
    asked,
    at: () => new Date(clock.wallClock()).toISOString(),
    async watch(only?: readonly Topic[], fails = false) {
      const reports: { watched: WatchReport; lines: readonly string[] }[] = [];
      const watched = await watchListings(
        { only },
        {
          tables,
          collections,
          sources: { client, downloads: notUsed, find, account: 'default', clock },
          redact: (text) => text.replaceAll('secret', '***'),
          signal: ending.signal,
          onProgress: () => {},
        },
        async (one, lines) => {
          if (fails) throw new Error('The disk is full.');
          reports.push({ watched: one, lines });
        },
      );
      expect(reports).toEqual([{ watched, lines: reports[0]?.lines }]);
      return { ...watched, lines: reports[0]?.lines ?? [] };
    },
  };
}

const KEYS = [undefined, ['stock'], ['prices'], ['stock', 'prices'], ['prices', 'stock', 'stock']] as const;
const keyOf = (only: readonly Topic[] | undefined) => JSON.stringify([...new Set(only)].sort());

/** Returns whether a topic reports a change between two states of the service. */
function isNews(
  before: World,
  after: World,
  only: readonly Topic[] = ['stock', 'prices', 'listings'],
): boolean {
  return Object.entries(after).some(([sku, now]) => {
    const old = before[sku];
    if (old === undefined) return only.includes('listings');
    const isStock = (old.stock === 0) !== (now.stock === 0);
    return (isStock && only.includes('stock')) || (old.price !== now.price && only.includes('prices'));
  });
}

const shelf = fc.record({ stock: fc.constantFrom(0, 3), price: fc.constantFrom(10, 12) });
const step = fc.record({
  world: fc.record({ A: shelf, B: shelf }),
  only: fc.constantFrom(...KEYS),
  fails: fc.nat({ max: 4 }).map((n) => n === 0),
  isKept: fc.nat({ max: 4 }).map((n) => n > 0),
});

it('whoever asks is told what is new since they were told, once, whoever else was told and whatever went wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const { here, clock, watch, at } = await open();
      const kept: { at: string; world: World }[] = [];
      const reported = new Map<string, string>();
      for (const { world, only, fails, isKept } of steps) {
        await clock.advance(HOUR);
        Object.assign(here, { world, isKept });
        const since = reported.get(keyOf(only));
        const before = kept.findLast((one) => since === undefined || one.at <= since);
        if (isKept) kept.push({ at: at(), world });
        if (fails) {
          await expect(watch(only, true)).rejects.toThrow('The disk is full.');
          continue;
        }
        const { is_new: isNew, lines } = await watch(only);
        if (isKept) reported.set(keyOf(only), at());
        const isKnown = isKept && before !== undefined;
        expect(isNew).toBe(isKnown && isNews(before.world, world, only));
        if (isKnown) expect(lines[0]).toContain(`since ${before.at.slice(0, 16)}Z`);
        else expect(lines[0]).toContain(isKept ? 'the first review' : 'could not be kept');
      }
    }),
  );
});

it('one that was told the same review by another process says so, and that is no news', async () => {
  const { here, clock, watch } = await open();
  here.world = { A: { stock: 1, price: 1 } };
  await watch();
  await clock.advance(HOUR);
  here.world = { A: { stock: 0, price: 1 } };
  expect((await watch()).is_new).toBe(true);
  expect(await watch()).toMatchObject({
    is_new: false,
    since: [],
    lines: ['Another watch has just told what is new.'],
  });
});

it('what was told before the clock went back is told again, from the review before', async () => {
  const { here, clock, watch } = await open();
  here.world = { A: { stock: 1, price: 1 } };
  await watch();
  await clock.advance(48 * HOUR);
  here.world = { A: { stock: 0, price: 1 } };
  await watch();
  clock.jump(-24 * HOUR);
  expect(await watch()).toMatchObject({ is_new: true, since: [{ marketplace: 'Germany', sold_out: {} }] });
});

it('each marketplace has its news, what the service said is made plain, and a review that is cut off is told as that', async () => {
  const { here, clock, watch, at } = await open([DE, FR]);
  here.world = { 'A\nsecret': { stock: 1, price: 1 } };
  await watch();
  await clock.advance(HOUR);
  here.complete = false;
  here.world = { 'A\nsecret': { stock: 0, price: 1 }, ...Object.fromEntries(many(12)) };
  const { account, complete, collected_at: collectedAt, lines } = await watch(['listings']);
  expect({ account, complete }).toEqual({ account: 'default', complete: false });
  expect(collectedAt).toBe(`${at().slice(0, 16)}Z`);
  expect(lines.map((line) => line.split(',')[0])).toEqual(['France', 'Germany']);
  expect(lines[0]).toContain('12 are new');
  expect(lines[0]).toContain('and 2 more');
  const { lines: stock } = await watch(['stock']);
  expect(stock.join()).toContain('***');
  expect(stock.join()).not.toMatch(/secret|\n/);
});

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => [`N-${at}`, { stock: 1, price: 1 }] as const);

it('the review is a new one, waited for to its end; a signal that ends it ends the watch', async () => {
  const { here, asked, ending, watch } = await open();
  await watch();
  expect(asked).toMatchObject([{ fresh: true, signal: ending.signal }]);
  expect(asked[0]?.until).toBeGreaterThan(7 * 24 * HOUR);
  here.isEnded = true;
  ending.abort(new CancelledError('The terminal is closed.'));
  await expect(watch()).rejects.toThrow('The terminal is closed.');
});
