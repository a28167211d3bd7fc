/** A store that loses what it was given, at any moment: nothing more of a list is sent, nothing twice, and what is in doubt is read and told. */

import * as fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { keyOf } from '../../../../src/replicas/shared-store.ts';
import type { Sender } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { createRandom } from '../../../helpers/random.ts';
import { mayUseStore, STORE_NAME } from '../../../helpers/redis.ts';
import {
  anyKey,
  createProcess,
  listOf,
  type Mood,
  passTimeUntil,
  sharedDisk,
  simulatedBatches,
  simulatedClock,
  simulatedService,
} from './simulated.ts';
import { type SimulatedStore, simulatedStore, startServer, stopServers } from './simulated-store.ts';

const LIMIT_MS = 120_000;
const NEVER = Number.POSITIVE_INFINITY;
const LIST = keyOf('lists', 'list:00000001');
/** A claim that was taken before is sent within that. */
const ON_ITS_WAY_MS = 100;

const LOSSES = ['failover', 'restored', 'key', 'everything', 'lines'] as const;

const story = fc.record({
  seed: fc.integer(),
  moods: fc.array(
    fc.array(
      fc.constantFrom<Mood>('accepts', 'accepts', 'refuses', 'waits', 'silent_applied', 'silent', 'unclear'),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
    { minLength: 5, maxLength: 30 },
  ),
  atOnce: fc.integer({ min: 1, max: 4 }),
  loss: fc.constantFrom(...LOSSES),
  /** With which command it happens, and how many before it are lost. */
  at: fc.integer({ min: 12, max: 150 }),
  lost: fc.integer({ min: 1, max: 60 }),
  /** After how many steps each process is killed. */
  kills: fc.array(fc.nat(60), { maxLength: 3 }),
});

afterAll(stopServers);

/** What it held some commands ago is what it holds. */
function loses(
  store: SimulatedStore,
  client: Redis,
  { loss, at, lost }: Pick<typeof story extends fc.Arbitrary<infer T> ? T : never, 'loss' | 'at' | 'lost'>,
  happens: () => void,
) {
  let before: Promise<Buffer | null> = Promise.resolve(null);
  store.meanwhile = (command) => {
    if (command === Math.max(1, at - lost)) before = client.dumpBuffer(LIST);
    if (command !== at) return undefined;
    const goBack = async () => {
      const held = await before;
      const linesNow = async () => Number((await client.hget(LIST, 'lines')) ?? 0);
      const had = await linesNow();
      if (loss === 'everything') await client.flushall();
      else if (held === null || loss === 'key') await client.del(LIST);
      else await client.restore(LIST, 0, held, 'REPLACE');
      if (loss === 'failover') store.server = 'second';
      if (loss === 'restored' || loss === 'everything') store.generation = 'two';
      // One that is not begun yet has nothing to lose, and a lease is no line.
      if (had > 0 && (loss !== 'lines' || (await linesNow()) < had)) happens();
    };
    return goBack();
  };
}

describe.skipIf(!mayUseStore)(STORE_NAME, () => {
  test(
    'whatever it loses, and whoever is killed: each item at most once, none after it, and an outcome for each that is known',
    async () => {
      const client = await startServer();
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(story, async ({ seed, moods, atOnce, kills, ...how }) => {
          const random = createRandom(seed);
          const clock = simulatedClock();
          const items = moods.map((_, i) => ({ key: `SKU-${i}`, value: { price: i } }));
          const ofItems = moods.map((of, i): [string, Mood[]] => [
            `SKU-${i}`,
            of.at(-1) === 'waits' ? [...of, 'accepts'] : of,
          ]);
          const service = simulatedService({ moods: new Map(ofItems), atOnce, random });
          const list = listOf(items);
          const store = await simulatedStore(client, clock);
          let lostAt = NEVER;
          loses(store, client, how, () => {
            lostAt = clock.now();
          });
          const late: string[] = [];
          const watched = (sender: Sender): Sender => ({
            ...sender,
            send: (item, parts) => {
              if (clock.now() > lostAt + ON_ITS_WAY_MS) late.push(item.key);
              return sender.send(item, parts);
            },
          });
          const shared = sharedDisk(store);
          let info: BatchInfo | undefined;
          let hasBegun = false;
          let isGone = false;
          // Only who has seen them knows of lines that no restart and no restoring has taken.
          const deaths = how.loss === 'lines' ? [] : kills;
          for (const steps of [...deaths, NEVER]) {
            const process = createProcess(clock, random, steps);
            const batches = simulatedBatches({ shared, process, random, clock, sealer: anyKey });
            const live = async () => {
              const found = await batches.find('shop', 'mark', 'asked');
              // The person is asked anew: whatever the store knew of it is gone.
              isGone = found === undefined && hasBegun && lostAt !== NEVER;
              if (isGone) return undefined;
              const { id } = found ?? (await batches.begin(list));
              hasBegun = true;
              const run = await batches.run(id, watched(service.sender(process)));
              return run.wait({ until: NEVER, signal: new AbortController().signal, onProgress: () => {} });
            };
            info = (await passTimeUntil(live(), clock, process.isDead))?.value;
            process.kill();
          }
          const isOver = info !== undefined && info.counts.pending === 0;
          expect(isGone || isOver, JSON.stringify(info)).toBe(true);
          expect(late).toEqual([]);
          for (const count of service.applied.values()) expect(count).toBe(1);
          const sent = service.sent.filter(({ mood }) => mood !== 'waits').map(({ key }) => key);
          expect(new Set(sent).size).toBe(sent.length);
          for (const { key, outcome } of info?.items ?? []) {
            if (outcome?.kind === 'accepted') expect(service.applied.has(key), key).toBe(true);
            else if (outcome?.kind !== 'unknown') expect(service.applied.has(key), key).toBe(false);
          }
          if (lostAt !== NEVER) seen.add(`${how.loss} ${isGone ? 'gone' : info?.why === undefined}`);
        }),
        { numRuns: RUNS_ALL ? 300 : 30 },
      );
      if (process.env.SHOW !== undefined) process.stderr.write(`${[...seen].sort().join('\n')}\n`);
    },
    LIMIT_MS,
  );
});
