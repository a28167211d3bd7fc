/**
 * Another process that has a sandbox's world open counts up one of its things: `rounds` times in the world of `folder`,
 * or, where `worlds` is given, in that many new worlds below it, each opened at the same moment as by the others.
 */

import { join } from 'node:path';
import * as z from 'zod';
import { openKeptWorld } from '../../sandbox/world/kept-world.ts';

const [folder = '', rounds = '0', worlds, start] = process.argv.slice(2);

function countUp(world: string): void {
  const things = openKeptWorld(world).shelf('listing', z.object({ value: z.number() }));
  for (let round = 0; round < Number(rounds); round++) {
    things.alone('A', () => things.set('A', { value: (things.get('A')?.value ?? 0) + 1 }));
  }
}

/** Two openings are so many milliseconds apart. */
const APART_MS = 20;

if (worlds === undefined) countUp(folder);
for (let world = 0; world < Number(worlds ?? 0); world++) {
  const wait = Math.max(0, Number(start) + world * APART_MS - Date.now());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  countUp(join(folder, String(world)));
}
