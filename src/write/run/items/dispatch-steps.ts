/** Records how far a write of a batch is on its way: its entry in the journal, and from when on it may have arrived. */

import * as z from 'zod';
import type { SendParts } from '../batches/batch.ts';

const stepsSchema = z.object({
  /** False where it certainly has not arrived: it was not let go yet, or was refused for its limit. */
  sent: z.boolean(),
  journal: z.string().optional(),
});

/** Undefined where nothing was noted: it had not come to the journal. */
export function parseDispatchSteps(steps: unknown) {
  return stepsSchema.safeParse(steps).data;
}

/** Each on the disk before the next step: a process that is killed leaves no more in doubt than what was on its way. */
export function noteDispatch({ note }: Pick<SendParts, 'note'>) {
  let journal: string | undefined;
  let left = 0;
  let refused = 0;
  const write = () => note({ sent: left > refused, journal });
  return {
    dispatchHooks: {
      async beforeDispatch() {
        left += 1;
        await write();
      },
      async onNotApplied() {
        refused += 1;
        await write();
      },
    },
    /** It stands in the journal. @throws as `SendParts.note` */
    onRecorded(id: string | undefined): Promise<void> {
      journal = id;
      return write();
    },
    journal: () => journal,
  };
}
