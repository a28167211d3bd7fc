/** Records the progress of a batch's write: its journal entry, and whether it may have arrived. */

import * as z from 'zod';
import type { SendParts } from '../batches/batch.ts';

const stepsSchema = z.object({
  /** False if it certainly has not arrived: it was not sent yet, or was refused by the rate limit. */
  sent: z.boolean(),
  journal: z.string().optional(),
});

/**
 * Parses the steps.
 * @returns undefined if none was recorded, because the write had not reached the journal
 */
export function parseDispatchSteps(steps: unknown) {
  return stepsSchema.safeParse(steps).data;
}

/** Records each step on the disk before the next begins. After a crash, only items in flight are in doubt. */
export function noteDispatch({ note }: Pick<SendParts, 'note'>) {
  let journal: string | undefined;
  let dispatched = 0;
  let refused = 0;
  const write = () => note({ sent: dispatched > refused, journal });
  return {
    dispatchHooks: {
      async beforeDispatch() {
        dispatched += 1;
        await write();
      },
      async onNotApplied() {
        refused += 1;
        await write();
      },
    },
    /** Records the journal entry. @throws as `SendParts.note` */
    onRecorded(id: string | undefined): Promise<void> {
      journal = id;
      return write();
    },
    journal: () => journal,
  };
}
