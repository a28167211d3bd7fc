/** Any list, any kill point, any answers: nothing is sent that was not confirmed, nothing twice, and everything gets an outcome. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BatchItem, BatchWaitsError } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { createRandom } from '../../../helpers/random.ts';
import {
  anyKey,
  createProcess,
  listOf,
  type Mood,
  noKey,
  passTime,
  passTimeUntil,
  type Service,
  simulatedBatches,
  simulatedService,
} from './simulated.ts';
import { simulatedStore } from './simulated-store.ts';

const LIMIT_MS = 120_000;
const NEVER = Number.POSITIVE_INFINITY;

const moods = fc.array(
  fc.constantFrom<Mood>('accepts', 'refuses', 'waits', 'no_token', 'silent_applied', 'silent', 'unclear'),
  { minLength: 1, maxLength: 3 },
);

const story = fc.record({
  seed: fc.integer(),
  items: fc.uniqueArray(
    fc.record({
      key: fc.string({ minLength: 1, maxLength: 4 }),
      value: fc.jsonValue({ maxDepth: 2 }),
      moods,
    }),
    { minLength: 1, maxLength: 30, selector: ({ key }) => key },
  ),
  changed: fc.array(fc.nat(29), { maxLength: 3 }),
  unreadable: fc.array(fc.nat(29), { maxLength: 3 }),
  failures: fc.nat(3),
  atOnce: fc.integer({ min: 1, max: 4 }),
  isSealed: fc.boolean(),
  /** The number of commands to the store, of a hundred, that get no answer. */
  away: fc.constantFrom(0, 0, 3, 10),
  /** After how many steps each process is killed. */
  kills: fc.array(fc.nat(60), { maxLength: 6 }),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** Repeats the work, like a user who reads that the store is away. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BatchWaitsError)) throw error;
    }
  }
}

const isLater = (mood: Mood | undefined) => mood === 'waits' || mood === 'no_token';

function play({ seed, items, changed, unreadable, failures, atOnce, away }: Story, isRemote: boolean) {
  const random = createRandom(seed);
  const keys = (places: readonly number[]) => new Set(places.flatMap((place) => items[place]?.key ?? []));
  const service = simulatedService({
    // A write that is never applied would never end, so the last mood accepts.
    moods: new Map(
      items.map((item) => [item.key, isLater(item.moods.at(-1)) ? [...item.moods, 'accepts'] : item.moods]),
    ),
    changed: keys(changed),
    unreadable: keys(unreadable),
    failures,
    atOnce,
    random,
  });
  const list = listOf(items.map(({ key, value }) => ({ key, value })));
  const clock = fakeClock();
  const shared = simulatedStore(clock, isRemote);
  if (isRemote) shared.isAway = () => random() * 100 < away;
  return { random, service, list, clock, shared };
}

/** Checks the rules that hold whatever happened. */
function checkSent(service: Service, confirmed: readonly BatchItem[]) {
  const values = new Map(confirmed.map(({ key, value }) => [key, JSON.stringify(value)]));
  const ended = new Set<string>();
  for (const { key, value, mood } of service.sent) {
    expect(JSON.stringify(value)).toBe(values.get(key));
    expect(ended.has(key), `${key} was sent again`).toBe(false);
    if (!isLater(mood)) ended.add(key);
  }
  for (const count of service.applied.values()) expect(count).toBe(1);
}

function checkReported(info: BatchInfo, service: Service, confirmed: readonly BatchItem[]) {
  expect(info.items.map(({ key }) => key)).toEqual(confirmed.map(({ key }) => key));
  expect(info.counts.pending).toBe(0);
  const reported = Object.entries(info.counts).reduce((sum, [, count]) => sum + count, 0);
  expect(reported).toBe(confirmed.length);
  for (const { key, outcome } of info.items) {
    const isApplied = service.applied.has(key);
    if (outcome?.kind === 'accepted') expect(isApplied, `${key} is told as accepted`).toBe(true);
    else if (outcome?.kind !== 'unknown') expect(isApplied, `${key} is told as ${outcome?.kind}`).toBe(false);
  }
}

describe.each([
  { place: 'in the store of this computer', isRemote: false },
  { place: 'in the store of replicas', isRemote: true },
])('a batch that is cut off, $place', ({ isRemote }) => {
  test(
    'at any points, whatever the service answers: each item at most once, and an outcome for each',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async (one) => {
          const { random, service, list, clock, shared } = play(one, isRemote);
          const sealer = one.isSealed ? anyKey : noKey;
          let info: BatchInfo | undefined;
          let hasBegun = false;
          // A call without a token ends its run: the same call goes on.
          const lives = [...one.kills, ...Array.from({ length: 100 }, () => NEVER)];
          for (const steps of lives) {
            const process = createProcess(clock, random, steps);
            const batches = simulatedBatches({ shared, process, random, clock, sealer });
            const live = async () => {
              const { id } = await again(
                async () => (await batches.find('shop', 'mark', 'asked')) ?? (await batches.begin(list)),
              );
              hasBegun = true;
              const run = await again(() => batches.run(id, service.sender(process)));
              const wait = { until: NEVER, signal: new AbortController().signal, onProgress: () => {} };
              return again(() => run.wait(wait));
            };
            info = (await passTimeUntil(live(), clock, process.isDead))?.value;
            process.kill();
            checkSent(service, list.items);
            if (info?.state === 'ended') break;
          }
          expect(hasBegun).toBe(true);
          if (info === undefined) throw new Error('It was never told.');
          expect(info.state).toBe('ended');
          checkReported(info, service, list.items);
        }),
        { numRuns: RUNS_ALL ? 400 : 40 },
      );
    },
    LIMIT_MS,
  );

  test(
    'two processes that both believe to hold it: each item at most once all the same',
    async () => {
      await fc.assert(
        fc.asyncProperty(story, async (one) => {
          const { random, service, list, clock, shared } = play({ ...one, failures: 0 }, isRemote);
          const processes = [NEVER, NEVER, ...one.kills].map((steps) => createProcess(clock, random, steps));
          const [first = processes[0]] = processes;
          if (first === undefined) return;
          const open = (process: typeof first) =>
            simulatedBatches({ shared, process, random, clock, isLawless: true });
          const begun = await passTime(
            again(() => open(first).begin(list)),
            clock,
          );
          const wait = { until: NEVER, signal: new AbortController().signal, onProgress: () => {} };
          const work = async (process: typeof first) => {
            const batches = open(process);
            for (let call = 0; call < 100; call++) {
              const run = await again(() => batches.run(begun.id, service.sender(process)));
              const info = await again(() => run.wait(wait));
              if (info?.state === 'ended') return;
            }
          };
          const death = async (process: typeof first) => {
            while (!process.isDead()) await clock.sleep(200);
          };
          const all = processes.map((process) => Promise.race([work(process), death(process)]));
          await passTime(Promise.all(all), clock);
          checkSent(service, list.items);
          const info = await passTime(
            again(() => open(first).info(begun.id)),
            clock,
          );
          expect(info?.state).toBe('ended');
        }),
        { numRuns: RUNS_ALL ? 250 : 25 },
      );
    },
    LIMIT_MS,
  );
});
