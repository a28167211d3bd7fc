/** Another process that has a sandbox's world open: counts up one of its things many times. */

import * as z from 'zod';
import { openKeptWorld } from '../../sandbox/world/kept-world.ts';

const [folder = '', rounds = '0'] = process.argv.slice(2);
const things = openKeptWorld(folder).shelf('listing', z.object({ value: z.number() }));
for (let round = 0; round < Number(rounds); round++) {
  things.alone('A', () => things.set('A', { value: (things.get('A')?.value ?? 0) + 1 }));
}
