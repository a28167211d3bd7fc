/** What was changed from here: listed, and taken back, one change, a list of them or a part of one. */

import { InputError } from '../../../base/errors.ts';
import { VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { queryRows } from '../../../tell/rows/ask-tables.ts';
import type { ToolAnswer } from '../../../tell/tool-answer.ts';
import type { HistoryEntry } from '../../keep/history/history-file.ts';
import { indexUndone, indexWrites, withLater } from '../../keep/history/standing.ts';
import type { Outcome } from '../../outcome.ts';
import type { HowToWrite, Session, ToolContext } from '../../tool-context.ts';
import { MOST_LISTINGS, tooMany } from '../listing/asked-items.ts';
import { orStillReading } from '../listing/still-reading.ts';
import { findEntries, listEntries, pickEntries } from './find-entry.ts';
import { listUndoable, undoableWords } from './list-undoable.ts';
import { prepareUndo } from './prepare-undo.ts';
import { type ListEntries, undoMany } from './undo-many.ts';
import { undoOne } from './undo-one.ts';

/** Of a list, in `skus`. */
export const MOST_UNDONE = MOST_LISTINGS;

interface AskedUndo extends HowToWrite {
  account: string;
  /** Of one change or of a list; absent where the changes are to be listed. */
  id?: string | undefined;
  /** Which of a list are meant: SKUs or ids of stores, or the rows of a query. */
  skus?: readonly string[] | undefined;
  query?: string | undefined;
  /** The person wants it although somebody else changed it since. */
  force: boolean;
}

/** `listed`: nothing was asked for; `changed_since`: somebody else changed it, and nothing was sent. */
interface UndoAnswer extends Record<string, unknown> {
  outcome: Outcome | 'listed' | 'changed_since';
}

/** @throws AppError; AskPerson while the person is asked */
export async function undo(asked: AskedUndo, ctx: ToolContext): Promise<ToolAnswer<UndoAnswer>> {
  const { session } = ctx;
  const { account, id, skus, query, force, ...how } = asked;
  const entries = await listEntries(account, session);
  const isPart = skus !== undefined || query !== undefined;
  if (id === undefined) {
    if (isPart) throw new InputError('skus and query mean some of a list: give its id too.');
    const list = await listUndoable(entries, account, session);
    const head = { note: VALUES_NOTE, outcome: 'listed' as const, account };
    return { text: [VALUES_NOTE, undoableWords(list)].join('\n'), structured: { ...head, ...list } };
  }
  const found = await findEntries(id, entries, session);
  const [entry] = found;
  const isList = entry === undefined || entry.batch === id;
  if (isPart && !isList) throw new InputError('skus and query mean some of a list; this is one change.');
  if (isList) {
    const things = await readPart(asked, account, ctx);
    const narrow = (all: readonly HistoryEntry[]) => (things === undefined ? all : pickEntries(all, things));
    const part = things === undefined ? {} : { part: { skus, query } };
    const read = () => readList(id, narrow, account, session);
    const list = { account, id, read, force, how, ...part };
    return orStillReading(account, undoMany(list, await narrow(found), ctx));
  }
  if (how.stop === true)
    throw new InputError('"stop" ends the undo of a list; one change is taken back at once.');
  const writes = await indexWrites(entries, [entry]);
  const prepared = await prepareUndo({ account, entry, undone: indexUndone(entries), writes }, ctx);
  const all = await withLater([entry], writes);
  return undoOne({ account, id: entry.id, all, undo: prepared, force, ...how }, ctx);
}

async function readList(
  id: string,
  narrow: (all: readonly HistoryEntry[]) => readonly HistoryEntry[] | Promise<readonly HistoryEntry[]>,
  account: string,
  session: Session,
): Promise<ListEntries> {
  const entries = await listEntries(account, session);
  return { entries, found: await narrow(await findEntries(id, entries, session)) };
}

/** SKUs, or ids of stores, each once; undefined where the whole list is meant. @throws InputError */
async function readPart(
  { skus, query }: Pick<AskedUndo, 'skus' | 'query'>,
  account: string,
  ctx: ToolContext,
): Promise<string[] | undefined> {
  if (skus === undefined && query === undefined) return undefined;
  if (skus !== undefined && query !== undefined) {
    throw new InputError('Give skus or query, not both; nothing was sent.');
  }
  const things = [...new Set(skus ?? (await readQuery(query ?? '', account, ctx)))];
  if (things.length === 0) throw new InputError('None of the list is named; nothing was sent.', HOW);
  return things;
}

const HOW = "Such as query: SELECT sku FROM changes WHERE list = '...' AND member = 'price' AND new < 10.";

async function readQuery(query: string, account: string, ctx: ToolContext): Promise<string[]> {
  // A row for each member that was changed.
  const { columns, rows, total } = await queryRows(query, { account, maxRows: MOST_ROWS }, ctx);
  const names = columns.map((name) => name.trim().toLowerCase());
  const places = ['sku', 'store'].map((name) => names.indexOf(name)).filter((at) => at >= 0);
  if (places.length === 0)
    throw new InputError('The query has no column sku or store; nothing was sent.', HOW);
  if (total > MOST_ROWS) throw tooMany(total);
  return rows.map((row, at) => {
    const thing = places.map((place) => row[place]).find((value) => value !== null && value !== undefined);
    if (typeof thing === 'string' && thing !== '') return thing;
    throw new InputError(`Row ${at + 1} of the query has no SKU or store; nothing was sent.`, HOW);
  });
}

const MOST_ROWS = 4 * MOST_LISTINGS;
