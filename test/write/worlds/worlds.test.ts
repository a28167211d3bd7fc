/**
 * Checks random worlds: nothing is sent unseen or twice, and what is reported is true, whatever the user
 * approves, others change, and processes and the service do.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { mood, story } from './any-world.ts';
import { type Computer, startComputer } from './computer.ts';
import { loadAll } from './program.ts';
import { World } from './world.ts';

const RUNS = RUNS_ALL ? 200 : 20;
/** Guards only against a hang, because other work may take the processors. */
const LIMIT_MS = 7_200_000;

let computer: Computer;
beforeAll(async () => {
  computer = await loadAll().then(startComputer);
}, LIMIT_MS);
afterAll(() => computer.end());

it(
  'holds in every world',
  async () => {
    await fc.assert(
      fc.asyncProperty(mood, story, async (how, steps) => {
        const world = new World(computer, how);
        try {
          for (const [at, one] of steps.entries()) {
            await world.take(one);
            expect(world.knowledge.wrong, `after step ${at}: ${JSON.stringify(one)}`).toEqual([]);
          }
          await world.end();
          expect(world.knowledge.wrong, 'in the end').toEqual([]);
        } finally {
          world.close();
        }
      }),
      // A failure names its seed and path, which fast-check takes beside `numRuns`; to shrink it takes hours.
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  LIMIT_MS,
);
