/**
 * Undoes the changes of a whole batch as a batch of its own: one approval request, an outcome for each item.
 */

import { type AppError, InputError } from '../../../base/errors.ts';
import { yieldEvery } from '../../../base/event-loop.ts';
import { isFailureOfOneCall } from '../../../base/failure-of-one.ts';
import { groupBy } from '../../../base/group-by.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import { isListing, undoOperationOf } from '../../model/find-adapter.ts';
import { nameOf } from '../../model/format/subject.ts';
import type { WriteStructured } from '../../model/outcome.ts';
import { inParallel } from '../../plan/in-parallel.ts';
import { type BatchWrite, type PreparedBatch, toBatchWrite } from '../../plan/prepared-batch.ts';
import { recordSeen } from '../../plan/recent-writes.ts';
import { mayBeApplied, type RecordedWrite } from '../../records/journal/entry.ts';
import { recentOf } from '../../records/undo/pending-writes.ts';
import { marketplaceIdsOf, withLater } from '../../records/undo/undo-conflicts.ts';
import { deriveUndoneEntries, undoBlockedReasonOfMany } from '../../records/undo/undo-eligibility.ts';
import { thingDigest } from '../../records/undo/write-values.ts';
import { indexWrites } from '../../records/undo/writes-by-thing.ts';
import { isOver } from '../../run/batches/summary.ts';
import type { ToolContext, WriteFlags } from '../../session.ts';
import { writeBatch } from '../../write-batch.ts';
import { startOrJoinListingsRead, toKnownState } from '../listing/background-read.ts';
import { splitLongListIntoFeeds } from '../listing/batch-as-feeds.ts';
import { buildListingsBatchHandlers } from '../listing/listings-batch-handlers.ts';
import { findListingsScope, type ListingsScope } from '../listing/listings-scope.ts';
import type { ReadListings } from '../listing/read-listings.ts';
import { mapThingDigests } from './find-entry.ts';
import { CannotUndoError, findOperation, type PreparedUndo, prepareUndo } from './prepare-undo.ts';
import {
  describeWithdrawal,
  findUnsentThings,
  withdrawFromBatches,
  withdrawUnsent,
} from './withdraw-from-batches.ts';

export interface BatchEntries {
  /** The entries of the account. */
  entries: readonly RecordedWrite[];
  /** The entries of the batch, narrowed to the requested part. */
  found: readonly RecordedWrite[];
}

export const UNDO_TOOL_NAME = 'undo_change';

export interface BatchUndo {
  account: string;
  /** The id of the batch. */
  id: string;
  /** The arguments of the call. */
  asked: unknown;
  /** True where the undo covers only some of the batch. */
  isPart: boolean;
  /** The SKUs, or ids of stores, of that part. */
  things: readonly string[] | undefined;
  /**
   * Reads the entries anew each time, because those of a long batch should not stay in memory while its undo
   * is approved and sent.
   */
  read(): Promise<BatchEntries>;
  force: boolean;
  how: WriteFlags;
}

/** @param found the entries of the batch, narrowed @throws InputError where none of them can be undone */
export async function undoBatch(
  asked: BatchUndo,
  found: readonly RecordedWrite[],
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { account, id, how } = asked;
  const undoes = found.map(({ operation }) => undoOperationOf(operation)).find((one) => one !== undefined);
  if (undoes === undefined) {
    throw new InputError(`Nothing of the list ${id} can be undone: ${found[0]?.cannot ?? ''}`);
  }
  const operation = findOperation(undoes, await ctx.session.program.registry());
  const areListings = undoes.startsWith('listings-items/');
  const scope = areListings ? await findScope(account, found, ctx) : undefined;
  return writeBatch(
    {
      tool: UNDO_TOOL_NAME,
      account,
      operation,
      asked: asked.asked,
      ...how,
      things: areListings ? { one: 'listing', many: 'listings' } : { one: 'store', many: 'stores' },
      prepare: () => prepareList(asked, { operation: undoes, scope }, ctx),
      approved: ({ writes }, shownAt) => withdrawAll(asked, { writes, shownAt }, ctx),
      ...(scope === undefined ? {} : buildListingsBatchHandlers(scope, ctx)),
    },
    ctx,
  );
}

/**
 * Withdraws the undone writes from their batches, together with later ones that are undone too. A whole batch
 * ends.
 */
async function withdrawAll(
  { id, isPart, things = [], read }: BatchUndo,
  { writes, shownAt }: { writes: Iterable<BatchWrite>; shownAt: number },
  { session }: ToolContext,
) {
  const { entries } = await read();
  const ids = new Set<string | undefined>();
  for (const { undoes } of writes) ids.add(undoes);
  const wanted = entries.filter((entry) => ids.has(entry.id));
  const all = await withLater(wanted, await indexWrites(entries, wanted));
  await withdrawFromBatches(all, isPart ? undefined : id, session);
  if (isPart) await withdrawUnsent(id, new Set(mapThingDigests(things).keys()), session);
  const { found } = await read();
  const isNew = (entry: RecordedWrite) =>
    mayBeApplied(entry) && !ids.has(entry.id) && Date.parse(entry.time) > shownAt;
  if (!found.some(isNew)) return;
  throw new InputError(
    'More of the list was sent after this undo was shown; nothing was taken back yet.',
    'Call again: all that was sent is shown then.',
  );
}

/**
 * Finds the marketplace where all entries are listings of one, because twenty of them are then read in a
 * call.
 */
async function findScope(account: string, found: readonly RecordedWrite[], { session }: ToolContext) {
  const marketplaceIds = new Set<string>();
  const sellers = new Set<unknown>();
  // One entry is opened at a time, because the values of a long batch need much memory.
  for (const entry of found) {
    const values = await entry.open();
    if (values === undefined) continue;
    for (const one of isListing(values) ? marketplaceIdsOf(values) : ['']) marketplaceIds.add(one);
    sellers.add(values.parameters.sellerId);
  }
  const [id] = marketplaceIds;
  if (marketplaceIds.size !== 1 || id === undefined || id === '') return undefined;
  const scope = await findListingsScope(account, id, session);
  const { sellerId } = scope.owner;
  return [...sellers].every((one) => one === sellerId) ? scope : undefined;
}

async function readStates(wanted: readonly RecordedWrite[], scope: ListingsScope, ctx: ToolContext) {
  const skus = new Set<string>();
  const attributes = new Set<string>();
  for (const entry of wanted) {
    const values = await entry.open();
    if (values === undefined) continue;
    skus.add(String(values.parameters.sku));
    for (const { segments } of values.members) attributes.add(String(segments[1]));
  }
  return startOrJoinListingsRead({ skus: [...skus], attributes }, scope, ctx);
}

/**
 * Returns one entry for each item. An item that was cut off or had to wait is recorded again when it is sent,
 * and that record counts.
 */
async function findLastAttempts(entries: readonly RecordedWrite[]): Promise<RecordedWrite[]> {
  const last = new Map<string, RecordedWrite>();
  for (const entry of entries) {
    const values = await entry.open();
    const item =
      values === undefined
        ? entry.id
        : JSON.stringify([thingDigest(values), marketplaceIdsOf(values).sort()]);
    const known = last.get(item);
    if (known === undefined || mayBeApplied(entry) || !mayBeApplied(known)) last.set(item, entry);
  }
  return [...last.values()];
}

async function knownOf(entry: RecordedWrite, states: ReadListings | undefined) {
  const listing = states?.get(String((await entry.open())?.parameters.sku));
  return listing === undefined || listing.inexact.size > 0 ? {} : { known: toKnownState(listing) };
}

/** The number of entries to process before other work gets a turn. */
const ENTRIES_PER_TURN = 25;

interface NotUndoneItem {
  name: string;
  why: string;
}

interface ItemUndo extends UndoTraits {
  write: BatchWrite;
  /** Present where someone else has changed it. */
  conflict: NotUndoneItem | undefined;
  /** True where someone else has changed all of it, so nothing is left to restore. */
  isRefused: boolean;
}

/**
 * Passes results on in the order of their items, because several are prepared at once, and then releases
 * them.
 */
function inOrderOf<Made>(take: (made: Made) => void) {
  const waiting = new Map<number, Made | undefined>();
  let next = 0;
  return (at: number, made: Made | undefined) => {
    waiting.set(at, made);
    for (; waiting.has(next); next += 1) {
      const first = waiting.get(next);
      waiting.delete(next);
      if (first !== undefined) take(first);
    }
  };
}

async function prepareList(
  { account, id, isPart, things = [], read, force }: BatchUndo,
  { operation, scope }: { operation: string; scope: ListingsScope | undefined },
  ctx: ToolContext,
): Promise<PreparedBatch> {
  const { entries, found } = await read();
  const left: NotUndoneItem[] = [];
  const undone = deriveUndoneEntries(entries);
  const wanted: RecordedWrite[] = [];
  for (const entry of await findLastAttempts(found)) {
    const why =
      undoBlockedReasonOfMany(entry, undone) ??
      (undoOperationOf(entry.operation) === operation ? undefined : 'it is undone in another way.');
    if (why === undefined) wanted.push(entry);
    else left.push({ name: await nameOfEntry(entry), why });
  }
  const writes = await indexWrites(entries, wanted);
  const states = scope === undefined ? undefined : await readStates(wanted, scope, ctx);
  const recent = recentOf(writes, ctx.session.program.now());
  const all: BatchWrite[] = [];
  const undos: UndoTraits[] = [];
  const changed: NotUndoneItem[] = [];
  const take = inOrderOf(({ write, conflict, isRefused, hidden, hasLater }: ItemUndo) => {
    if (conflict !== undefined) changed.push(conflict);
    if (isRefused) return;
    all.push(write);
    undos.push({ hidden, hasLater });
  });
  const unread: AppError[] = [];
  const leaveOut = async (entry: RecordedWrite, error: AppError) => {
    const name = await nameOfEntry(entry);
    if (!(error instanceof InputError)) unread.push(error);
    left.push({ name, why: error instanceof CannotUndoError ? error.why : error.message });
  };
  const prepare = async (entry: RecordedWrite): Promise<ItemUndo | undefined> => {
    try {
      const unreadNow = states?.unread.get(String((await entry.open())?.parameters.sku));
      if (unreadNow !== undefined) throw unreadNow;
      const undo = await prepareUndo(
        { account, entry, undone, writes, force, recent, ...(await knownOf(entry, states)) },
        ctx,
      );
      const { hidden, hasLater, isRefused } = undo;
      const conflict = undo.isChanged ? { name: nameOfUndo(undo), why: undo.notice } : undefined;
      return { write: toUndoItem(entry, undo), conflict, isRefused, hidden, hasLater };
    } catch (error) {
      if (ctx.call.signal.aborted || !isFailureOfOneCall(error)) throw error;
      await leaveOut(entry, error);
      return undefined;
    }
  };
  await inParallel(wanted, async (entry, at) => {
    await yieldEvery(ENTRIES_PER_TURN, at);
    take(at, await prepare(entry));
  });
  await recordSeen(recent, ctx.session);
  if (!force) left.push(...changed);
  const unique = withUniqueKeys(all);
  const { session } = ctx;
  const summary = await (await session.batches()).summary(id);
  const leaving = describeWithdrawal(summary, !isPart);
  const [problem] = unread;
  if (unique.length === 0 && problem !== undefined && unread.length === left.length) throw problem;
  if (unique.length === 0) throw nothingToUndo(left, changed.length > 0);
  const list: PreparedBatch = {
    writes: unique,
    remarks: [
      `Undo of the changes made ${localTimeWithZone(found[0]?.time ?? 0)}.`,
      ...(leaving === undefined ? [] : [leaving]),
      ...describeGroups(undos),
    ],
    leftOut: [...(await formatUnsent(id, isPart ? things : undefined, session)), ...formatLeft(left)],
    mustAsk: force && changed.length > 0,
  };
  const registry = await session.program.registry();
  return scope === undefined ? list : splitLongListIntoFeeds(list, registry.find(operation), scope, session);
}

function toUndoItem(entry: RecordedWrite, undo: PreparedUndo): BatchWrite {
  const { subject } = undo.prepared.change;
  const unusual = [
    ...(undo.changedWords === undefined ? [] : [undo.changedWords]),
    ...(undo.hidden === undefined ? [] : [HIDDEN[undo.hidden]]),
    ...(undo.hasLater ? ['changed from here again since'] : []),
  ];
  const key = subject.kind === 'listing' ? subject.sku : subject.kind === 'store' ? subject.id : entry.id;
  const write = toBatchWrite(key, undo.prepared);
  const odd = [...unusual, ...(write.unusual ?? [])];
  return {
    ...write,
    undoes: entry.id,
    ...(undo.isPart && { isPart: true }),
    ...(odd.length === 0 ? {} : { unusual: odd }),
  };
}

/** Makes keys unique, because one listing in several marketplaces is several items. */
function withUniqueKeys(writes: readonly BatchWrite[]): readonly BatchWrite[] {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const { key } of writes) (seen.has(key) ? several : seen).add(key);
  if (several.size === 0) return writes;
  return writes.map((write) =>
    several.has(write.key) ? { ...write, key: [write.key, ...write.change.places].join(' ') } : write,
  );
}

/**
 * Renders the number of items that the batch has not sent and never will.
 * @param things the SKUs or store ids, where only some items are meant
 */
async function formatUnsent(
  id: string,
  things: readonly string[] | undefined,
  session: ToolContext['session'],
): Promise<string[]> {
  const number = things === undefined ? await countUnsent(id, session) : await countOf(things, id, session);
  if (number === 0) return [];
  return [`${count(number)} of the list ${id} ${number === 1 ? 'was' : 'were'} not sent, and never will be.`];
}

async function countUnsent(id: string, session: ToolContext['session']): Promise<number> {
  const summary = await (await session.batches()).summary(id);
  if (summary === undefined || isOver(summary.state)) return 0;
  return summary.counts.pending - summary.inDoubt;
}

async function countOf(things: readonly string[], id: string, session: ToolContext['session']) {
  const unsent = await findUnsentThings(id, session);
  return [...mapThingDigests(things).keys()].filter((digest) => unsent.has(digest)).length;
}

type UndoTraits = Pick<PreparedUndo, 'hidden' | 'hasLater'>;

/** Returns one line for each fact that several undos have in common. */
function describeGroups(undos: readonly UndoTraits[]): string[] {
  const line = (matches: (undo: UndoTraits) => boolean, format: (were: string) => string) => {
    const number = undos.filter(matches).length;
    return number === 0 ? [] : [format(`${count(number)} ${number === 1 ? 'was' : 'were'}`)];
  };
  return [
    ...line(
      ({ hasLater }) => hasLater,
      (were) => `${were} changed from here again since; that is undone too.`,
    ),
    ...line(
      ({ hidden }) => hidden === 'not_visible',
      (were) =>
        `${were} accepted and not visible yet: the values from before are sent again, so that it does not come.`,
    ),
    ...line(
      ({ hidden }) => hidden === 'not_known',
      (were) =>
        `${were} sent without an answer, and not seen: the values from before are sent again, so that it does not come.`,
    ),
  ];
}

const HIDDEN = { not_visible: 'not visible yet', not_known: 'not known whether it was made' };

const MAX_REASONS = 10;
const MAX_NAMED = 3;
const MAX_REASON_CHARACTERS = 400;

/** Returns a line for each reason, with the items that it applies to. */
function formatLeft(left: readonly NotUndoneItem[]): string[] {
  const all = [...groupBy(left, ({ why }) => why)];
  const lines = all.slice(0, MAX_REASONS).map(([why, some]) => {
    const names = some.map(({ name }) => name);
    const rest = names.length - MAX_NAMED;
    const named = `${names.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
    const head = names.length === 1 ? 'Not undone' : `${count(names.length)} are not undone`;
    return `${head}: ${named}: ${shortenToCharacters(why.replaceAll('\n', ' '), MAX_REASON_CHARACTERS)}`;
  });
  const more = all.slice(MAX_REASONS).reduce((sum, [, names]) => sum + names.length, 0);
  return more > 0 ? [...lines, `and ${count(more)} more are not undone.`] : lines;
}

function nothingToUndo(left: readonly NotUndoneItem[], isChanged: boolean): AppError {
  return new InputError(
    `Nothing of the list can be undone. ${formatLeft(left).join(' ')}`,
    isChanged
      ? 'Tell the person all three values of each. Only if they want the old ones back all the same, call again with force: true.'
      : '',
  );
}

const nameOfUndo = ({ prepared }: PreparedUndo) => nameOf({ key: '', change: prepared.shown.change });
async function nameOfEntry({ id, what, open }: RecordedWrite): Promise<string> {
  const name = (await open())?.parameters.sku ?? what ?? id;
  return escapeText(shortenToCharacters(String(name), 80));
}
