/** undo_change: what was changed from here, listed, and taken back after a look at what is there now. */

import * as z from 'zod';
import { InputError } from '../src/base/errors.ts';
import { VALUES_NOTE } from '../src/base/text/escape-text.ts';
import { MAX_SQL_CHARACTERS } from '../src/data/tables/statement.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  boundedText,
  confirmationCodeArgument,
  stopArgument,
} from '../src/tell/arguments/arguments.ts';
import { indexUndone, indexWrites, withLater } from '../src/write/keep/history/standing.ts';
import { MOST_LISTINGS } from '../src/write/kinds/listing/asked-items.ts';
import { readingAnswer, StillReading } from '../src/write/kinds/listing/still-reading.ts';
import { findEntries, listEntries, pickEntries } from '../src/write/kinds/undo/find-entry.ts';
import { listUndo, listWords } from '../src/write/kinds/undo/list-undo.ts';
import { prepareUndo } from '../src/write/kinds/undo/prepare-undo.ts';
import { readPart } from '../src/write/kinds/undo/read-part.ts';
import { undoMany } from '../src/write/kinds/undo/undo-many.ts';
import { undoOne } from '../src/write/kinds/undo/undo-one.ts';
import { OUTCOMES } from '../src/write/outcome.ts';

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
      .refine((skus) => skus.length <= MOST_LISTINGS, `takes at most ${MOST_LISTINGS}`)
      .optional(),
    query: boundedText(MAX_SQL_CHARACTERS).optional(),
    force: z.boolean().optional().describe('If the person still wants it'),
    dryRun: z.boolean().optional(),
    confirmationCode: confirmationCodeArgument,
    stop: stopArgument,
    account: accountArgument,
  }),
  output: z.looseObject({ outcome: z.enum([...OUTCOMES, 'listed', 'changed_since']) }),
  async run({ id, skus, query, force = false, dryRun = false, confirmationCode, stop, account: named }, ctx) {
    const { session } = ctx;
    const account = session.accountOf(named);
    const entries = await listEntries(account, session);
    const isPart = skus !== undefined || query !== undefined;
    if (id === undefined) {
      if (isPart) throw new InputError('skus and query mean some of a list: give its id too.');
      const list = await listUndo(entries, account, session);
      const head = { note: VALUES_NOTE, outcome: 'listed' as const, account };
      return { text: [VALUES_NOTE, listWords(list)].join('\n'), structured: { ...head, ...list } };
    }
    const found = await findEntries(id, entries, session);
    const [entry] = found;
    const isList = entry === undefined || entry.batch === id;
    if (isPart && !isList) throw new InputError('skus and query mean some of a list; this is one change.');
    if (isList) {
      const things = await readPart({ skus, query }, account, ctx);
      const part =
        things === undefined ? {} : { part: { skus, query }, found: await pickEntries(found, things) };
      const list = { account, id, found, entries, force, dryRun, confirmationCode, stop, ...part };
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
