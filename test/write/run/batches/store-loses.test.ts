/** A store that loses what it was given, at any moment: nothing more of a list is sent, nothing twice, and what is in doubt is read and told. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sender } from '../../../../src/write/run/batches/batch.ts';
import type { BatchInfo } from '../../../../src/write/run/batches/summary.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { RUNS_ALL } from '../../../helpers/launch.ts';
import { createRandom } from '../../../helpers/random.ts';
import {
  anyKey,
  createProcess,
  listOf,
  type Mood,
  passTimeUntil,
  simulatedBatches,
  simulatedService,
} from './simulated.ts';
import { type SimulatedStore, simulatedStore } from './simulated-store.ts';

const LIMIT_MS = 120_000;
const NEVER = Number.POSITIVE_INFINITY;
/** A claim that was taken before is sent within that. */
const ON_ITS_WAY_MS = 100;

const LOSSES = ['failover', 'restored', 'key', 'everything', 'changes'] as const;

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
  /** The command at which it happens, and the number of commands before it that are lost. */
  at: fc.integer({ min: 12, max: 150 }),
  lost: fc.integer({ min: 1, max: 60 }),
  /** After how many steps each process is killed. */
  kills: fc.array(fc.nat(60), { maxLength: 3 }),
});

const TABLES = ['batches', 'batch_values', 'batch_items', 'leases'];

/** Puts back what the store held some steps ago. */
function loses(
  store: SimulatedStore,
  { loss, at, lost }: Pick<typeof story extends fc.Arbitrary<infer T> ? T : never, 'loss' | 'at' | 'lost'>,
  happens: () => void,
) {
  const changesNow = () => Number(store.all('SELECT total(last) AS n FROM batches')[0]?.n);
  const clear = () => TABLES.forEach((table) => void store.all(`DELETE FROM ${table}`));
  store.meanwhile = (command) => {
    if (command === Math.max(1, at - lost)) {
      for (const table of TABLES) {
        store.all(`CREATE TEMP TABLE old_${table} AS SELECT * FROM ${table}`);
      }
    }
    if (command !== at) return;
    const had = changesNow();
    clear();
    if (loss !== 'everything' && loss !== 'key')
      for (const table of TABLES) store.all(`INSERT INTO ${table} SELECT * FROM old_${table}`);
    if (loss === 'failover') store.server = 'second';
    if (loss === 'restored' || loss === 'everything') store.generation = 'two';
    // One that is not begun yet has nothing to lose, and a lease is no change.
    if (had > 0 && (loss !== 'changes' || changesNow() < had)) happens();
  };
}

test(
  'whatever it loses, and whoever is killed: each item at most once, none after it, and an outcome for each that is known',
  async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, async ({ seed, moods, atOnce, kills, ...how }) => {
        const random = createRandom(seed);
        const clock = fakeClock();
        const items = moods.map((_, i) => ({ key: `SKU-${i}`, value: { price: i } }));
        const ofItems = moods.map((of, i): [string, Mood[]] => [
          `SKU-${i}`,
          of.at(-1) === 'waits' ? [...of, 'accepts'] : of,
        ]);
        const service = simulatedService({ moods: new Map(ofItems), atOnce, random });
        const list = listOf(items);
        const store = simulatedStore(clock, true);
        let lostAt = NEVER;
        loses(store, how, () => {
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
        let info: BatchInfo | undefined;
        let hasBegun = false;
        let isGone = false;
        // Only who has seen them knows of changes that no restart and no restoring has taken.
        const deaths = how.loss === 'changes' ? [] : kills;
        for (const steps of [...deaths, NEVER]) {
          const process = createProcess(clock, random, steps);
          const batches = simulatedBatches({ shared: store, process, random, clock, sealer: anyKey });
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
