/** undo_change: what was changed from here, listed, and taken back after a look at what is there now. */

import * as z from 'zod';
import { InputError } from '../src/errors.ts';
import { indexUndone, indexWrites, withLater } from '../src/history/standing.ts';
import {
  accountArgument,
  boundedText,
  confirmationCodeArgument,
  stopArgument,
} from '../src/mcp/arguments.ts';
import { readingAnswer, StillReading } from '../src/mcp/change-listings/still-reading.ts';
import { defineTool } from '../src/mcp/define-tool.ts';
import { findEntries, listEntries } from '../src/mcp/undo/find-entry.ts';
import { listUndo, listWords } from '../src/mcp/undo/list-undo.ts';
import { prepareUndo } from '../src/mcp/undo/prepare-undo.ts';
import { undoMany } from '../src/mcp/undo/undo-many.ts';
import { undoOne } from '../src/mcp/undo/undo-one.ts';
import { WRITE_OUTCOMES } from '../src/mcp/write-answer.ts';
import { VALUES_NOTE } from '../src/text/escape-text.ts';

/** Longer than any id of ours. */
const LONGEST_ID = 100;

export const undoChange = defineTool({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Lists the last 20 changes made from here; with id (of one, or of a list), takes back: asks with the difference. Refuses what others changed since.',
  effect: 'write',
  input: z.strictObject({
    id: boundedText(LONGEST_ID).optional(),
    force: z.boolean().optional().describe('If the person still wants it'),
    dryRun: z.boolean().optional(),
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum([...WRITE_OUTCOMES, 'listed', 'changed_since']) }),
  async run({ id, force = false, dryRun = false, confirmationCode, stop, account: named }, ctx) {
    const { session } = ctx;
    const account = session.accountOf(named);
    const entries = await listEntries(account, session);
    if (id === undefined) {
      const list = await listUndo(entries, account, session);
      const head = { note: VALUES_NOTE, outcome: 'listed' as const, account };
      return { text: [VALUES_NOTE, listWords(list)].join('\n'), structured: { ...head, ...list } };
    }
    const found = await findEntries(id, entries, session);
    const [entry] = found;
    if (entry === undefined || entry.batch === id) {
      const list = { account, id, found, entries, force, dryRun, confirmationCode, stop };
      try {
        return await undoMany(list, ctx);
      } catch (error) {
        if (error instanceof StillReading) return readingAnswer(error, account);
        throw error;
      }
    }
    if (stop === true)
      throw new InputError('"stop" ends the undo of a list; one change is taken back at once.');
    const writes = await indexWrites(entries, [entry]);
    const undo = await prepareUndo({ account, entry, undone: indexUndone(entries), writes }, ctx);
    const all = await withLater([entry], writes);
    return undoOne({ account, id: entry.id, all, undo, force, dryRun, confirmationCode }, ctx);
  },
});
