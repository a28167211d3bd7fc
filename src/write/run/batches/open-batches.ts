/** The batches of a state folder, with the machine's own clock and disk. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { Batches } from './batches.ts';
import { createBatches } from './batches.ts';
import { openDisk } from './disk.ts';

/** @param stateFolder where the journal is too; nothing is created yet */
export function openBatches({
  stateFolder,
  sealer,
  userId,
}: {
  stateFolder: string;
  sealer: Sealer;
  userId: number | undefined;
}): Batches {
  const folder = join(stateFolder, 'batches');
  return createBatches({
    folder,
    sealer,
    disk: openDisk(folder, userId),
    clock: systemClock,
    randomId: () => randomBytes(4).toString('hex'),
  });
}
