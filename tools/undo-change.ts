/** undo_change: what was changed from here, listed, and taken back after a look at what is there now. */

import * as z from 'zod';
import { MAX_SQL_CHARACTERS } from '../src/data/tables/tables.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  boundedText,
  confirmationCodeArgument,
  stopArgument,
} from '../src/tell/arguments/arguments.ts';
import { MOST_UNDONE, undo } from '../src/write/kinds/undo/undo.ts';
import { OUTCOMES } from '../src/write/model/outcome.ts';

/** Longer than any id of ours. */
const LONGEST_ID = 100;

export const undoChange = defineTool({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Lists the last 20 changes made from here; with id (of one, or of a list), takes back: asks with the difference; some of a list by skus, or query: SELECT sku FROM changes WHERE list = id AND new < old. Refuses what others changed since.',
  effect: 'write',
  input: z.strictObject({
    id: boundedText(LONGEST_ID).optional(),
    skus: z
      .array(z.string())
      .refine((skus) => skus.length <= MOST_UNDONE, `takes at most ${MOST_UNDONE}`)
      .optional(),
    query: boundedText(MAX_SQL_CHARACTERS).optional(),
    force: z.boolean().optional().describe('If the person still wants it'),
    dryRun: z.boolean().optional(),
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum([...OUTCOMES, 'listed', 'changed_since']) }),
  run: ({ force = false, dryRun = false, account, ...asked }, ctx) =>
    undo({ ...asked, account: ctx.session.accountOf(account), force, dryRun }, ctx),
});
