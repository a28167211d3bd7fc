/** undo_change: what was changed from here, listed, and taken back after a look at what is there now. */

import * as z from 'zod';
import { MAX_SQL_CHARACTERS } from '../src/data/tables/table-types.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  boundedText,
  confirmationCodeArgument,
  dryRunArgument,
  stopArgument,
} from '../src/render/arguments/arguments.ts';
import { MAX_UNDONE_LISTINGS, undo } from '../src/write/handlers/undo/undo.ts';
import { OUTCOMES } from '../src/write/model/outcome.ts';

/** Longer than any id of ours. */
const MAX_ID = 100;

export const undoChange = defineTool({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Undoes changes of listings, prices, inventory, store hours that were made from here. Without id it lists the last 20. With the id of a change or of a list it shows the difference and asks the person first; skus or query choose some of a list. What somebody else has changed since is not undone, unless force is true.',
  effect: 'write',
  longAnswers: true,
  input: z.strictObject({
    id: boundedText(MAX_ID).optional().describe('Of the change or the list to undo'),
    skus: z
      .array(z.string())
      .refine((skus) => skus.length <= MAX_UNDONE_LISTINGS, `takes at most ${MAX_UNDONE_LISTINGS}`)
      .optional()
      .describe('Only these listings of the list'),
    query: boundedText(MAX_SQL_CHARACTERS)
      .optional()
      .describe("Or a SELECT of their SKUs: SELECT sku FROM changes WHERE list = 'ID' AND new < old"),
    force: z
      .boolean()
      .optional()
      .describe('true: undo also what somebody else changed since, once the person wants that'),
    dryRun: dryRunArgument.describe('true: only show the difference'),
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum([...OUTCOMES, 'listed', 'changed_since']) }),
  run: ({ force = false, dryRun = false, account, ...asked }, ctx) =>
    undo({ ...asked, account: ctx.session.accountOf(account), force, dryRun }, ctx),
});
