/** Lists the changes made from here, and undoes one of them, a whole batch or a part of it. */

import { InputError } from '../../../base/errors.ts';
import { groupBy } from '../../../base/group-by.ts';
import { escapeText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { localTime, timeZoneName } from '../../../base/text/local-time.ts';
import { quoteUserName } from '../../../base/text/quote-name.ts';
import { shortenToCharacters, shortenToTokens } from '../../../base/text/shorten.ts';
import { queryRows } from '../../../render/rows/answer-query.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { WriteCallOutcome, WriteStructured } from '../../model/outcome.ts';
import { ownerOf } from '../../plan/batch-owner.ts';
import type { RecordedWrite } from '../../records/journal/entry.ts';
import { withLater } from '../../records/undo/undo-conflicts.ts';
import {
  deriveUndoneEntries,
  supersededAttempts,
  type UndoneBy,
  undoBlockedReason,
} from '../../records/undo/undo-eligibility.ts';
import { indexWrites } from '../../records/undo/writes-by-thing.ts';
import { unchangedAnswer } from '../../render/no-change.ts';
import type { BatchSummary } from '../../run/batches/summary.ts';
import { isOver } from '../../run/batches/summary.ts';
import type { Session, ToolContext, WriteFlags } from '../../session.ts';
import { requestDigest } from '../../write-batch.ts';
import { writeOne } from '../../write-one.ts';
import { answerIfStillReading } from '../listing/background-read.ts';
import { MAX_LISTINGS, tooManyListings } from '../listing/requested-items.ts';
import { findEntries, listEntries, pickEntries } from './find-entry.ts';
import { whilePaused } from './pause-batch.ts';
import type { PreparedUndo } from './prepare-undo.ts';
import { prepareUndo } from './prepare-undo.ts';
import { type BatchEntries, type BatchUndo, UNDO_TOOL_NAME, undoBatch } from './undo-batch.ts';
import { describeWithdrawal, findUnsentThings, withdrawFromBatches } from './withdraw-from-batches.ts';

/** The maximum number of `skus` of a batch. */
export const MAX_UNDONE_LISTINGS = MAX_LISTINGS;

interface RequestedUndo extends WriteFlags {
  account: string;
  /** The id of a change or of a batch; absent to list the changes. */
  id?: string | undefined;
  /** The part of a batch: SKUs or ids of stores, or the rows of a query. */
  skus?: readonly string[] | undefined;
  query?: string | undefined;
  /** True where the user wants the undo although someone else has changed it since. */
  force: boolean;
}

/** `listed`: no undo was requested; `changed_since`: someone else has changed it, and nothing was sent. */
interface UndoAnswer extends Record<string, unknown> {
  outcome: WriteCallOutcome | 'listed' | 'changed_since';
}

/** @throws AppError; AskPerson while the user's approval is requested */
export async function undo(asked: RequestedUndo, ctx: ToolContext): Promise<ToolAnswer<UndoAnswer>> {
  const { session } = ctx;
  const { account, id, skus, query, force, ...how } = asked;
  const entries = await listEntries(account, session);
  const isPart = skus !== undefined || query !== undefined;
  if (id === undefined) {
    if (isPart) throw new InputError('skus and query mean some of a list: give its id too.');
    const list = await listUndoable(entries, account, session);
    const head = { note: VALUES_NOTE, outcome: 'listed' as const, account };
    return { text: [VALUES_NOTE, renderUndoable(list)].join('\n'), structured: { ...head, ...list } };
  }
  const found = await findEntries(id, entries, session);
  const [entry] = found;
  const isList = entry === undefined || entry.batch === id;
  if (isPart && !isList) throw new InputError('skus and query mean some of a list; this is one change.');
  if (isList) {
    const list = {
      account,
      id,
      force,
      how,
      isPart,
      asked: { id, ...(isPart ? { skus, query } : {}), force },
    };
    return undoListOrPart(list, asked, ctx);
  }
  if (how.stop === true)
    throw new InputError('"stop" ends the undo of a list; one change is taken back at once.');
  const writes = await indexWrites(entries, [entry]);
  const prepared = await prepareUndo(
    { account, entry, undone: deriveUndoneEntries(entries), writes, force },
    ctx,
  );
  const all = await withLater([entry], writes);
  return undoOne({ account, id: entry.id, all, undo: prepared, force, ...how }, ctx);
}

/** Undoes a batch or a part of it. The batch sends nothing more while its undo is read and approved. */
async function undoListOrPart(
  list: Omit<BatchUndo, 'read' | 'things'>,
  asked: RequestedUndo,
  ctx: ToolContext,
): Promise<ToolAnswer<UndoAnswer>> {
  const { session } = ctx;
  const { account, id } = list;
  const [batches, { ownerDigest }] = await Promise.all([session.batches(), ownerOf(account, session)]);
  const digest = requestDigest({ tool: UNDO_TOOL_NAME, account, asked: list.asked });
  const work = async () => {
    const things = await readPart(asked, account, ctx);
    const narrow = async (all: readonly RecordedWrite[]) =>
      things === undefined ? all : pickEntries(all, things, await findUnsentThings(id, session));
    const read = () => readList(id, narrow, account, session);
    const { found } = await read();
    return undoBatch({ ...list, read, things }, found, ctx);
  };
  const known = await batches.find(account, ownerDigest, digest);
  // An approved undo runs beside the rest of the batch, so it does not pause the batch.
  const isBegun = known !== undefined && !isOver(known.state);
  const { dryRun, stop } = asked;
  const pausing = { account, id, pausedBy: digest, dryRun, stop };
  return answerIfStillReading(account, isBegun ? work() : whilePaused(pausing, work, session));
}

async function readList(
  id: string,
  narrow: (all: readonly RecordedWrite[]) => readonly RecordedWrite[] | Promise<readonly RecordedWrite[]>,
  account: string,
  session: Session,
): Promise<BatchEntries> {
  const entries = await listEntries(account, session);
  return { entries, found: await narrow(await findEntries(id, entries, session)) };
}

/** Returns SKUs or ids of stores, each once; undefined for the whole batch. @throws InputError */
async function readPart(
  { skus, query }: Pick<RequestedUndo, 'skus' | 'query'>,
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
  // The changes table has a row for each changed member, so the limit is above that of listings.
  const { columns, rows, total } = await queryRows(query, { account, maxRows: MAX_ROWS }, ctx);
  const names = columns.map((name) => name.trim().toLowerCase());
  const indexes = ['sku', 'store'].map((name) => names.indexOf(name)).filter((at) => at >= 0);
  if (indexes.length === 0)
    throw new InputError('The query has no column sku or store; nothing was sent.', HOW);
  if (total > MAX_ROWS) throw tooManyListings(total);
  return rows.map((row, at) => {
    const thing = indexes.map((i) => row[i]).find((value) => value !== null && value !== undefined);
    if (typeof thing === 'string' && thing !== '') return thing;
    throw new InputError(`Row ${at + 1} of the query has no SKU or store; nothing was sent.`, HOW);
  });
}

const MAX_ROWS = 4 * MAX_LISTINGS;

// The functions below undo one change like any other write, once they know whether someone else has changed
// it since.

interface SingleUndo extends WriteFlags {
  account: string;
  /** The id of the change to undo. */
  id: string;
  /** The entries of that change and of later ones that are undone too. */
  all: readonly RecordedWrite[];
  undo: PreparedUndo;
  force: boolean;
}

/**
 * The notice names the old, the current and the restored values; the approval request has room for it beside
 * the preview.
 */
const MAX_NOTICE_TOKENS = 500;

interface UndoFacts extends Record<string, unknown> {
  note: string;
  outcome: WriteStructured['outcome'] | 'changed_since';
  account: string;
}

async function undoOne(asked: SingleUndo, ctx: ToolContext): Promise<ToolAnswer<UndoFacts>> {
  const { id, all, force, dryRun, confirmationCode } = asked;
  const { session } = ctx;
  const { prepared, isChanged, isRefused, isPart, conflicts } = asked.undo;
  const same = unchangedAnswer(prepared, session);
  const isOnlyConflicts = isPart ? same !== undefined : isRefused && same === undefined;
  if (isOnlyConflicts) return refuseChanged(asked);
  if (same !== undefined) return { ...same, structured: { ...same.structured, undoes: { id } } };
  const leaving = await describeLeftBatches(all, session);
  const notice = shortenNotice([asked.undo.notice, ...leaving].join('\n'));
  const clearNotice = shortenNotice([asked.undo.clearNotice, ...leaving].join('\n'));
  const { answer } = await writeOne(
    {
      prepared,
      dryRun,
      confirmationCode,
      mustAsk: isChanged && force,
      onRecorded: () => withdrawFromBatches(all, undefined, session),
      before: { shown: notice, clear: clearNotice },
      undoes: id,
      isPart,
    },
    ctx,
  );
  const undoes = { id, ...(isChanged ? { changed_since: true, conflicts } : {}), in_words: notice };
  // A preview already includes the notice. Any other text gets it, so that a reader of the text alone learns
  // of the conflicts.
  const text = isChanged && !answer.text.includes(notice) ? `${answer.text}\n${notice}` : answer.text;
  return { ...answer, text, structured: { ...answer.structured, undoes } };
}

/** Returns a line for each unfinished batch that the changes leave. */
async function describeLeftBatches(all: readonly RecordedWrite[], session: Session): Promise<string[]> {
  const batches = await session.batches();
  const lists = [...new Set(all.flatMap(({ batch }) => batch ?? []))];
  const found = await Promise.all(lists.map((list) => batches.summary(list)));
  return found.flatMap((list) => describeWithdrawal(list, false) ?? []);
}

const shortenNotice = (notice: string) => shortenToTokens(notice, MAX_NOTICE_TOKENS);

const HOW_TO_FORCE =
  'Nothing was sent. Tell the person all three values. Only if they want the old one back all the same, call again with force: true; they are asked with this sentence.';

/** Rejects an undo that would overwrite a change by someone else. */
function refuseChanged({ account, id, undo }: SingleUndo): ToolAnswer<UndoFacts> {
  const notice = shortenNotice(undo.notice);
  return {
    isError: true,
    text: [VALUES_NOTE, notice, HOW_TO_FORCE].join('\n'),
    structured: {
      note: VALUES_NOTE,
      outcome: 'changed_since',
      account: escapeText(account),
      undoes: { id, changed_since: true, conflicts: undo.conflicts, in_words: notice },
      next_step: HOW_TO_FORCE,
    },
  };
}

// The functions below list recent changes made from here, with those that can be undone, for a user to choose
// from.

const MAX_LISTED = 20;
/**
 * The maximum number of batch items to list, the newest batch first; a batch that does not fit is not
 * itemized.
 */
const MAX_ITEMS = 25;
/** Maximum characters of a change. */
const MAX_WHAT = 200;

interface ListedChange {
  id: string;
  /** The time in the time zone of this computer. */
  local_time: string;
  what: string;
  outcome: string;
  /** The user who made it, where several use the account. */
  by?: string;
  can_undo: boolean;
  why_not?: string;
  /** The number of writes in a batch. */
  items?: number;
  /** The items of a small batch, each of which can be undone by itself. */
  single?: ListedItem[];
  /** The way to find the items of a large batch. */
  find_items?: string;
}

interface ListedItem {
  id: string;
  what: string;
  outcome: string;
}

/**
 * Lists the newest changes first. The items of a batch count as one change, and are sorted by what they
 * changed.
 */
async function listUndoable(
  entries: readonly RecordedWrite[],
  account: string,
  session: Session,
): Promise<{ changes: ListedChange[]; time_zone: string; left_out: number }> {
  const { maskText } = await session.personal();
  const show = (text: string) => shortenToCharacters(maskText(session.redactor.redact(text)), MAX_WHAT);
  const superseded = supersededAttempts(entries);
  const items = entries.filter(({ id }) => !superseded.has(id));
  const groups = groupBy(items, ({ batch, id }) => batch ?? id);
  const undone = deriveUndoneEntries(entries);
  const open = await findOpenBatches(account, entries, session);
  const all = [...groups].reverse();
  let room = MAX_ITEMS;
  const changes = all.slice(0, MAX_LISTED).map(([id, group]) => {
    const listed = toListed(id, group, undone, show, open.get(id));
    if (listed.items === undefined || group.length === 1) return listed;
    if (group.length > room) return { ...listed, find_items: findItems(id, group[0]) };
    room -= group.length;
    const single = group.map((entry) => toItem(entry, show));
    return { ...listed, single: single.toSorted((one, other) => one.what.localeCompare(other.what)) };
  });
  return { time_zone: timeZoneName(), left_out: Math.max(0, all.length - MAX_LISTED), changes };
}

function toItem(entry: RecordedWrite, show: (text: string) => string): ListedItem {
  return { id: entry.id, what: whatOf(entry, show), outcome: showOutcome(entry.outcome) };
}

const whatOf = ({ what, operation }: RecordedWrite, show: (text: string) => string) =>
  what === undefined ? escapeText(operation) : show(what);

const findItems = (batch: string, { operation }: RecordedWrite) =>
  operation.startsWith('listings-items/')
    ? `One listing of it: undo_change with id ${batch}/ and the SKU behind it.`
    : `query_data has each of them: SELECT id, what, outcome FROM changes WHERE list = '${batch}'`;

function toListed(
  id: string,
  group: readonly [RecordedWrite, ...RecordedWrite[]],
  undone: UndoneBy,
  show: (text: string) => string,
  list: BatchSummary | undefined,
): ListedChange {
  // An entry that can be undone comes first, because that is what a user looks for here.
  const first = group.find((entry) => undoBlockedReason(entry, undone) === undefined) ?? group[0];
  const why = undoBlockedReason(first, undone);
  const changeText = whatOf(first, show);
  const outcomes = outcomesOf(group);
  return {
    id,
    local_time: localTime(first.time),
    what: group.length === 1 ? changeText : `${count(group.length)} changes, one of them: ${changeText}`,
    outcome: [...formatProgress(list), outcomes].join('; '),
    by: first.by?.name,
    can_undo: why === undefined,
    ...(why === undefined ? {} : { why_not: escapeText(why) }),
    ...(first.batch === undefined ? {} : { items: group.length }),
  };
}

/** Maps the ids of batches that are not over to their summaries. */
async function findOpenBatches(account: string, entries: readonly RecordedWrite[], session: Session) {
  const [newest] = entries.slice(-1);
  const owner = newest?.owner;
  const lists = owner === undefined ? [] : await (await session.batches()).unfinished(account, owner);
  return new Map(lists.filter(({ state }) => !isOver(state)).map((list) => [list.id, list]));
}

/** Returns the progress, for example `64 of 260, unfinished`. */
function formatProgress(list: BatchSummary | undefined): string[] {
  if (list === undefined) return [];
  const { state, total, counts } = list;
  const done = `${count(total - counts.pending)} of ${count(total)}`;
  return [`${done}, ${state === 'unfinished' ? state : 'under way'}`];
}

/** Returns `done`, or for several `9 done, 1 not accepted`, the most frequent first. */
function outcomesOf(group: readonly RecordedWrite[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of group) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, number]) => (counts.size === 1 ? '' : `${count(number)} `) + showOutcome(outcome))
    .join(', ');
}

const showOutcome = (outcome: string) => (outcome === 'refused' ? 'not sent' : outcome.replaceAll('_', ' '));

function renderUndoable({
  changes,
  time_zone: zone,
  left_out: leftOut,
}: Awaited<ReturnType<typeof listUndoable>>): string {
  if (changes.length === 0) return 'Nothing that was changed from here is kept for this account.';
  const lines = changes.map((change) => {
    const { id, local_time: time, by, outcome, can_undo: canUndo, why_not: why, single = [] } = change;
    const what = single.length > 1 ? `a list of ${single.length} changes` : change.what;
    const each =
      single.length > 1 ? single.map((item) => `    ${item.id}  ${item.what} [${item.outcome}]`) : [];
    const head = `${time}  ${id}${by === undefined ? '' : `  ${quoteUserName(by)}`}\n  ${what} [${outcome}${canUndo ? '' : `; ${why ?? 'cannot be undone'}`}]`;
    const find = change.find_items === undefined ? [] : [`  ${change.find_items}`];
    return [head, ...each, ...find].join('\n');
  });
  const more = leftOut === 0 ? [] : [`${leftOut} older ones are not listed.`];
  return [`Changes made from here, the newest first (times: ${zone}):`, ...lines, ...more, NEXT].join('\n');
}

const NEXT = 'Call undo_change with the id of the one to undo; the id of a list undoes all of it.';
