/** Runs in the background: found by what they collect, surviving the call, told once, few at once, one on a computer. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { ApiError, CancelledError, ConfigError } from '../../../src/base/errors.ts';
import {
  ABANDONED_RUN_MS,
  CollectionJobs,
  MAX_RUNNING_COLLECTIONS,
  MAX_WAITING_COLLECTIONS,
} from '../../../src/data/collections/collection-jobs.ts';
import type { CollectionWork } from '../../../src/data/collections/collection-plan.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../../../src/data/tables/table-types.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { leasesBeside } from '../../helpers/leases.ts';
import { memoryLoaders, noSnapshots } from '../../helpers/memory-loader.ts';
import { onStore } from '../../helpers/state-rows.ts';

let folder: string;
let runs: CollectionJobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-runs-'));
  runs = new CollectionJobs(systemClock);
});
afterEach(async () => {
  await runs.close();
  await rm(folder, { recursive: true, force: true });
});

const notUsed = () => {
  throw new Error('not used');
};

function tablesOf(
  found: () => CollectionInfo | undefined = () => undefined,
  loaders = memoryLoaders(),
): Tables {
  const { open: openLoader } = loaders;
  return {
    folder,
    openLoader,
    list: async () => [],
    lastOfKind: async () => undefined,
    find: async () => found(),
    query: notUsed,
    export: notUsed,
    remove: async () => undefined,
    close: async () => undefined,
    makeScratch: notUsed,
    ...noSnapshots,
    leases: leasesBeside(folder),
  };
}

const source = (name: string): CollectionSource => ({ kind: 'document', id: name, of: 'report' });
const job = (name: string, work: CollectionWork, tables = tablesOf()) => ({
  tables,
  source: source(name),
  work,
});

const finish: CollectionWork = async ({ openLoader }) =>
  (await openLoader()).finish({ source: source('a'), complete: true, notes: [] });

/** A work that ends when it is told to. */
function held() {
  const { promise: gone, resolve: go } = Promise.withResolvers<void>();
  let started = 0;
  const work: CollectionWork = async (parts) => {
    started += 1;
    parts.tell({ message: '20 of about 40 items', done: 20, total: 40, leftMs: 5_000 });
    const stopped = new Promise<never>((_resolve, reject) => {
      const stop = () => reject(parts.signal.reason);
      if (parts.signal.aborted) stop();
      parts.signal.addEventListener('abort', stop);
    });
    await Promise.race([gone, stopped]);
    return finish(parts);
  };
  return { work, go: () => go(), started: () => started };
}

const waiting = (ms: number, more = {}) => ({
  until: performance.now() + ms,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...more,
});
const FOREVER = 20_000;

it('goes on when the time of the call is over, and is found again', async () => {
  const { work, go, started } = held();
  const first = runs.startOrJoin(job('a', work));
  expect(first.isNew).toBe(true);
  await expect.poll(started).toBe(1);
  expect(await first.wait(waiting(0))).toBeUndefined();
  expect(first.progress().message).toBe('20 of about 40 items');
  const second = runs.startOrJoin(job('a', work));
  expect(second.isNew).toBe(false);
  go();
  expect(await second.wait(waiting(FOREVER))).toMatchObject({ info: { complete: true } });
  expect(started()).toBe(1);
});

it('a client that cancels ends the waiting, not the run', async () => {
  const { work, go } = held();
  const call = new AbortController();
  const wait = runs.startOrJoin(job('a', work)).wait(waiting(FOREVER, { signal: call.signal }));
  call.abort();
  expect(await wait).toBeUndefined();
  go();
  expect(await runs.startOrJoin(job('a', work)).wait(waiting(FOREVER))).toBeDefined();
});

it('what takes too long is not waited for', async () => {
  const { work } = held();
  const run = runs.startOrJoin(job('a', work));
  const isTooLong = ({ leftMs = 0 }) => leftMs > 1_000;
  expect(await run.wait(waiting(FOREVER, { isTooLong }))).toBeUndefined();
});

it('an error is kept for the next who asks, told once, with what was lost', async () => {
  let attempts = 0;
  const work: CollectionWork = async ({ tell, openLoader }) => {
    attempts += 1;
    await openLoader();
    tell({ message: '', done: 1_234 });
    throw new ApiError({ status: 500 }, 'broken', 'Try later.');
  };
  const loaders = memoryLoaders();
  const tables = tablesOf(undefined, loaders);
  const call = new AbortController();
  call.abort();
  const joined = runs.startOrJoin(job('a', work, tables));
  expect(await joined.wait(waiting(0, { signal: call.signal }))).toBeUndefined();
  await expect.poll(() => loaders.abandoned()).toBe(1);
  const again = runs.startOrJoin(job('a', work, tables));
  await expect(again.wait(waiting(FOREVER))).rejects.toMatchObject({
    message: 'broken',
    hint: 'Try later. Nothing of it is kept (1,234 had been read); the same call starts over.',
  });
  expect(attempts).toBe(1);
  await expect(runs.startOrJoin(job('a', work, tables)).wait(waiting(FOREVER))).rejects.toThrow('broken');
  expect(attempts).toBe(2);
});

it(`${MAX_RUNNING_COLLECTIONS} go on at once, ${MAX_WAITING_COLLECTIONS} more wait, the next one is refused`, async () => {
  const all = Array.from({ length: MAX_RUNNING_COLLECTIONS + MAX_WAITING_COLLECTIONS }, held);
  const opened = all.map(({ work }, at) => runs.startOrJoin(job(`${at}`, work)));
  await expect.poll(() => all.filter(({ started }) => started() > 0).length).toBe(MAX_RUNNING_COLLECTIONS);
  expect(opened.at(-1)?.progress().message).toContain('Waits until one');
  expect(() => runs.startOrJoin(job('one more', finish))).toThrow(/23 collections are under way or wait/);
  for (const { go } of all) go();
  for (const run of opened) expect(await run.wait(waiting(FOREVER))).toBeDefined();
});

it('the end of the session ends all of them, and nothing is left', async () => {
  const loaders = memoryLoaders();
  const { work, started } = held();
  const opening: CollectionWork = async (parts) => {
    await parts.openLoader();
    return work(parts);
  };
  const wait = runs.startOrJoin(job('a', opening, tablesOf(undefined, loaders))).wait(waiting(FOREVER));
  const ended = expect(wait).rejects.toBeInstanceOf(CancelledError);
  await expect.poll(started).toBe(1);
  await runs.close();
  await ended;
  expect(loaders.abandoned()).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

it('two sessions collect the same once, and the other tells how far it is', async () => {
  const { work, go } = held();
  let made: CollectionInfo | undefined;
  // It is made in the very moment in which the other one asks.
  const at = Date.now();
  const tables = tablesOf(() => made);
  const first = runs.startOrJoin(
    job(
      'a',
      async (parts) => {
        made = { ...(await work(parts)), collectedAt: new Date(at).toISOString() };
        return made;
      },
      tables,
    ),
  );
  await expect.poll(() => first.progress().done).toBe(20);
  const others = new CollectionJobs({ ...systemClock, wallClock: () => at });
  const never = held();
  const second = others.startOrJoin(job('a', never.work, tables));
  await expect.poll(() => second.progress().message).toBe('20 of about 40 items');
  go();
  await first.wait(waiting(FOREVER));
  expect(await second.wait(waiting(FOREVER))).toEqual({ info: made });
  expect(never.started()).toBe(0);
  await others.close();
});

it('one that waited for another does the work itself where that made nothing: an older collection is not taken for it', async () => {
  const { work, go } = held();
  const older: CollectionInfo = {
    id: 'older',
    account: 'default',
    source: source('a'),
    collectedAt: new Date(Date.now() - 60_000).toISOString(),
    complete: true,
    tables: [],
    notes: [],
    bytes: 0,
  };
  const tables = tablesOf(() => older);
  const fails: CollectionWork = async (parts) => {
    await work(parts);
    throw new ApiError({ status: 500 }, 'away');
  };
  const first = runs.startOrJoin(job('a', fails, tables));
  await expect.poll(() => first.progress().done).toBe(20);
  const others = new CollectionJobs(systemClock);
  const second = others.startOrJoin(job('a', finish, tables));
  await expect.poll(() => second.progress().message).toBe('20 of about 40 items');
  go();
  await expect(first.wait(waiting(FOREVER))).rejects.toThrow('away');
  expect(await second.wait(waiting(FOREVER))).toMatchObject({ info: { id: 'id' } });
  await others.close();
});

it.each([
  ['of a process that is gone', { pid: 2 ** 22 + 1 }, 0],
  ['that was silent for long', { pid: process.pid }, 60_000],
])('a lease %s keeps nobody waiting', async (_what, { pid }, silentMs) => {
  const { work, go } = held();
  const probe = runs.startOrJoin(job('a', work));
  const set = (text: string) => onStore(`${folder}-state`, text);
  await expect.poll(() => set('SELECT name FROM leases')).toHaveLength(1);
  set('CREATE TABLE kept AS SELECT * FROM leases');
  go();
  await probe.wait(waiting(FOREVER));
  set(`INSERT INTO leases SELECT name, mark, place, ${pid}, NULL, ${Date.now() - silentMs}, NULL FROM kept`);
  expect(await runs.startOrJoin(job('a', finish)).wait(waiting(FOREVER))).toBeDefined();
});

it('a folder that cannot be written is told with what to do', async () => {
  await writeFile(`${folder}-state`, 'a file in its place');
  await expect(runs.startOrJoin(job('a', finish)).wait(waiting(FOREVER))).rejects.toBeInstanceOf(ConfigError);
});

it('one that only waits gives its place to others, and has one again afterwards', async () => {
  const inQueue = Array.from({ length: MAX_RUNNING_COLLECTIONS }, held);
  const waits = inQueue.map(({ work }, at) =>
    runs.startOrJoin(job(`queue ${at}`, (parts) => parts.idle(() => work(parts)))),
  );
  await expect
    .poll(() => inQueue.filter(({ started }) => started() > 0).length)
    .toBe(MAX_RUNNING_COLLECTIONS);
  expect(await runs.startOrJoin(job('other', finish)).wait(waiting(FOREVER))).toBeDefined();
  for (const { go } of inQueue) go();
  for (const run of waits) expect(await run.wait(waiting(FOREVER))).toBeDefined();
  expect(await runs.startOrJoin(job('again', finish)).wait(waiting(FOREVER))).toBeDefined();
});

const pages = (operation: string, at: number): CollectionSource => ({
  kind: 'operation',
  operation,
  parameters: { at },
});

it('a forgotten run makes room for another one of its operation, and for no other', async () => {
  const clock = fakeClock();
  await clock.advance(2 * ABANDONED_RUN_MS);
  const own = new CollectionJobs(clock);
  const all = Array.from({ length: MAX_RUNNING_COLLECTIONS }, held);
  const loaders = memoryLoaders();
  for (const [at, { work }] of all.entries()) {
    const opening: CollectionWork = async (parts) => {
      await parts.openLoader();
      return work(parts);
    };
    own.startOrJoin({ tables: tablesOf(undefined, loaders), source: pages('orders', at), work: opening });
  }
  await expect.poll(() => all.filter(({ started }) => started() > 0).length).toBe(MAX_RUNNING_COLLECTIONS);
  const narrow = held();
  const asked = { tables: tablesOf(), source: pages('orders', 9), work: narrow.work };
  const other = held();
  own.startOrJoin({ tables: tablesOf(), source: pages('listings', 9), work: other.work });
  own.startOrJoin(asked);
  await clock.advance(ABANDONED_RUN_MS + 1);
  expect(narrow.started() + loaders.abandoned()).toBe(0);
  own.startOrJoin(asked);
  await expect.poll(() => loaders.abandoned()).toBe(1);
  await expect.poll(() => other.started() + narrow.started()).toBe(1);
  await own.close();
});

it('an outcome that nobody was told counts while it is recent, and for fresh only where that began it', async () => {
  const ended = async (name: string, fresh: boolean) => {
    runs.startOrJoin({ ...job(name, finish), fresh });
    // A run that is under way is found whatever its age.
    await expect.poll(() => runs.has({ ...job(name, finish), recentMs: -1 })).toBe(false);
  };
  await ended('old', false);
  expect(runs.has({ ...job('old', finish), recentMs: 60_000 })).toBe(true);
  expect(runs.has({ ...job('old', finish), recentMs: -1 })).toBe(false);
  expect(runs.has({ ...job('old', finish), accepts: () => false })).toBe(false);
  expect(runs.has({ ...job('old', finish), fresh: true })).toBe(false);
  await ended('fresh', true);
  expect(runs.has({ ...job('fresh', finish), fresh: true })).toBe(true);
});

it('fresh takes what a call of its own began for ten minutes, however long else such a collection counts', async () => {
  const clock = fakeClock();
  const own = new CollectionJobs(clock);
  const tables = tablesOf(undefined, memoryLoaders(clock.wallClock));
  const hours = 4 * 3_600_000;
  const has = (fresh: boolean) => own.has({ ...job('a', finish, tables), fresh, recentMs: hours });
  own.startOrJoin({ ...job('a', finish, tables), fresh: true });
  await expect.poll(() => own.isAtWork).toBe(false);
  await clock.advance(600_000);
  expect([has(true), has(false)]).toEqual([true, true]);
  await clock.advance(1);
  expect([has(true), has(false)]).toEqual([false, true]);
  await own.close();
});

it('whoever waited for a run has not forgotten it: that counts from when they left', async () => {
  const clock = fakeClock();
  const own = new CollectionJobs(clock);
  const all = Array.from({ length: MAX_RUNNING_COLLECTIONS }, held);
  const loaders = memoryLoaders();
  const call = new AbortController();
  const waits = all.map(({ work }, at) => {
    const opening: CollectionWork = async (parts) => {
      await parts.openLoader();
      return work(parts);
    };
    const run = own.startOrJoin({
      tables: tablesOf(undefined, loaders),
      source: pages('orders', at),
      work: opening,
    });
    return run.wait({ until: Number.POSITIVE_INFINITY, signal: call.signal, onProgress: () => undefined });
  });
  await expect.poll(() => all.filter(({ started }) => started() > 0).length).toBe(MAX_RUNNING_COLLECTIONS);
  await clock.advance(2 * ABANDONED_RUN_MS);
  call.abort();
  await Promise.all(waits);
  const narrow = held();
  const asked = { tables: tablesOf(), source: pages('orders', 9), work: narrow.work };
  own.startOrJoin(asked);
  await clock.advance(ABANDONED_RUN_MS);
  own.startOrJoin(asked);
  await clock.advance(1);
  expect(narrow.started() + loaders.abandoned()).toBe(0);
  own.startOrJoin(asked);
  await expect.poll(narrow.started).toBe(1);
  await own.close();
});

it('two sessions that save the same both do the work: each has a file of its own', async () => {
  const { work, go } = held();
  let made: CollectionInfo | undefined;
  const saving: CollectionWork = async (parts) => {
    made = await work(parts);
    return made;
  };
  const tables = tablesOf(() => made);
  const first = runs.startOrJoin({ ...job('a', saving, tables), saveAs: 'raw.tsv' });
  await expect.poll(() => first.progress().done).toBe(20);
  const others = new CollectionJobs(systemClock);
  const own = held();
  own.go();
  const second = others.startOrJoin({ ...job('a', own.work, tables), saveAs: 'raw.tsv' });
  await expect.poll(() => second.progress().message).toBe('20 of about 40 items');
  go();
  await first.wait(waiting(FOREVER));
  await second.wait(waiting(FOREVER));
  expect(own.started()).toBe(1);
  await others.close();
});

it.each([
  ['another name', 'before', 'before'],
  ['the same name', 'after', undefined],
])('what was there before under %s is told as replaced: %3$s', async (_what, name, replaced) => {
  const info = async (table: string) => {
    const { open } = memoryLoaders();
    const loader = await open();
    await loader.addItems(table, []);
    return loader.finish({ source: source('a'), complete: true, notes: [] });
  };
  const before = await info(name);
  const after = () => info('after');
  const run = runs.startOrJoin(
    job(
      'a',
      after,
      tablesOf(() => before),
    ),
  );
  expect((await run.wait(waiting(FOREVER)))?.replaced).toBe(replaced);
});

it('what is kept is taken where it is new enough, is called so and nothing else was asked for; else it is collected', async () => {
  const world = fc.record({
    age: fc.constantFrom(0, 1_000, 60_000),
    recentMs: fc.constantFrom(0, 30_000),
    fresh: fc.boolean(),
    saveAs: fc.constantFrom(undefined, 'raw'),
    as: fc.constantFrom(undefined, 'kept', 'other'),
  });
  const { open } = memoryLoaders();
  const loader = await open();
  await loader.addItems('kept', []);
  const made = await loader.finish({ source: source('a'), complete: true, notes: [] });
  await fc.assert(
    fc.asyncProperty(world, async ({ age, recentMs, fresh, saveAs, as }) => {
      const own = new CollectionJobs(systemClock);
      const kept = { ...made, id: 'kept', collectedAt: new Date(Date.now() - age).toISOString() };
      const tables = tablesOf(() => kept);
      const plan = { source: source('a'), recentMs: recentMs + 500, saveAs, work: finish };
      const collected = await own.collect(plan, { ...waiting(FOREVER), tables, fresh, as });
      const isTaken = age <= recentMs && !fresh && saveAs === undefined && as !== 'other';
      expect(collected).toMatchObject({ state: 'done', info: { id: isTaken ? 'kept' : 'id' } });
      await own.close();
    }),
    { numRuns: 30 },
  );
});
