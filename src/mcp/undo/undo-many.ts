/** Takes back the changes of a whole list, as a list: one question, an outcome each. */

import { nameOf } from '../../changes/many/rows.ts';
import { type AppError, InputError } from '../../errors.ts';
import { LARGE_BYTES, letOthersRun } from '../../event-loop.ts';
import type { HistoryEntry } from '../../history/history.ts';
import {
  indexUndone,
  indexWrites,
  isListing,
  laterWrites,
  placesOf,
  type WritesByThing,
} from '../../history/standing.ts';
import { undoneWith } from '../../history/undoable.ts';
import type { ReadListings } from '../../listings/readings.ts';
import { escapeText } from '../../text/escape-text.ts';
import { localTimeWithZone } from '../../text/local-time.ts';
import { shortenToCharacters } from '../../text/shorten.ts';
import { checkListings, readListingsBack } from '../change-listings/check-list.ts';
import { asFeeds, createFeedListSender, expandFeedList } from '../change-listings/feed-list.ts';
import { findListingsPlace, type ListingsPlace } from '../change-listings/find-place.ts';
import { knownState, readTogether } from '../change-listings/prepare-list.ts';
import type { ToolAnswer } from '../define-tool.ts';
import { inParallel } from '../many-writes/in-parallel.ts';
import { type ListedWrite, listedWrite } from '../many-writes/listed-write.ts';
import { type PreparedList, runMany } from '../many-writes/run-many.ts';
import type { ToolContext } from '../session.ts';
import type { WriteStructured } from '../write-answer.ts';
import { whyNotNow } from './find-entry.ts';
import { findOperation, type PreparedUndo, prepareUndo } from './prepare-undo.ts';

export interface UndoMany {
  account: string;
  /** Of the list. */
  id: string;
  found: readonly HistoryEntry[];
  entries: readonly HistoryEntry[];
  force: boolean;
  dryRun: boolean;
  confirmationCode?: string | undefined;
  /** Ends what is under way. */
  stop?: boolean | undefined;
}

/** @throws InputError where nothing of it can be taken back */
export async function undoMany(asked: UndoMany, ctx: ToolContext): Promise<ToolAnswer<WriteStructured>> {
  const { account, id, found, force, dryRun, confirmationCode, stop } = asked;
  const undoes = found.map(({ operation }) => undoneWith(operation)).find((one) => one !== undefined);
  if (undoes === undefined) {
    throw new InputError(`Nothing of the list ${id} can be undone: ${found[0]?.cannot ?? ''}`);
  }
  const operation = findOperation(undoes, await ctx.session.program.registry());
  const areListings = undoes.startsWith('listings-items/');
  const place = areListings ? await findPlace(asked, ctx) : undefined;
  return runMany(
    {
      ...{ tool: 'undo_change', account, operation, asked: { id, force }, dryRun, confirmationCode, stop },
      things: areListings ? { one: 'listing', many: 'listings' } : { one: 'store', many: 'stores' },
      prepare: () => prepareList(asked, { operation: undoes, place }, ctx),
      ...(place === undefined
        ? {}
        : {
            checkMany: (writes, signal) => checkListings(writes, signal, place, ctx.session),
            readManyBack: (writes, signal) => readListingsBack(writes, signal, place, ctx.session),
            sender: (writes, batch) => createFeedListSender({ place, batch, writes }, ctx),
            expand: expandFeedList(place),
          }),
    },
    ctx,
  );
}

/** Where all are listings of one marketplace, they are read twenty a call. */
async function findPlace({ account, found }: UndoMany, { session }: ToolContext) {
  const opened = await Promise.all(found.map((entry) => entry.open()));
  const all = opened.flatMap((values) => (values === undefined ? [] : [values]));
  const places = new Set(all.flatMap((values) => (isListing(values) ? placesOf(values) : [''])));
  const [id] = places;
  return places.size === 1 && id !== undefined && id !== ''
    ? findListingsPlace(account, id, session)
    : undefined;
}

async function readStates(wanted: readonly HistoryEntry[], place: ListingsPlace, ctx: ToolContext) {
  const opened = await Promise.all(wanted.map((entry) => entry.open()));
  const all = opened.flatMap((values) => (values === undefined ? [] : [values]));
  const skus = [...new Set(all.map(({ parameters }) => String(parameters.sku)))];
  const attributes = new Set(
    all.flatMap(({ members }) => members.map(({ segments }) => String(segments[1]))),
  );
  return readTogether({ skus, attributes }, place, ctx);
}

/** An item of a list whose process was killed before it left was kept, and kept again as it was sent: that one counts. */
async function withoutCutOff(
  entries: readonly HistoryEntry[],
  writes: WritesByThing,
): Promise<HistoryEntry[]> {
  const kept: HistoryEntry[] = [];
  // One at a time: the values of a long list are many.
  for (const entry of entries) {
    const values = await entry.open();
    const later = values === undefined ? [] : laterWrites({ entry, values }, writes);
    if (!later.some((one) => one.entry.batch === entry.batch)) kept.push(entry);
  }
  return kept;
}

async function knownOf(entry: HistoryEntry, states: ReadListings | undefined) {
  const listing = states?.get(String((await entry.open())?.parameters.sku));
  return listing === undefined || listing.inexact.size > 0 ? {} : { known: knownState(listing) };
}

/** Between two turns of other work. */
const AT_A_TIME = 25;

interface Left {
  name: string;
  why: string;
}

async function prepareList(
  { account, found, entries, force }: UndoMany,
  { operation, place }: { operation: string; place: ListingsPlace | undefined },
  ctx: ToolContext,
): Promise<PreparedList> {
  const left: Left[] = [];
  const undone = indexUndone(entries);
  const candidates: HistoryEntry[] = [];
  for (const entry of found) {
    const why =
      whyNotNow(entry, undone) ??
      (undoneWith(entry.operation) === operation ? undefined : 'it is undone in another way.');
    if (why === undefined) candidates.push(entry);
    else left.push({ name: await nameOfEntry(entry), why });
  }
  const writes = await indexWrites(entries, candidates);
  const wanted = await withoutCutOff(candidates, writes);
  const states = place === undefined ? undefined : await readStates(wanted, place, ctx);
  const prepared = await inParallel(wanted, async (entry, at) => {
    if (at % AT_A_TIME === AT_A_TIME - 1) await letOthersRun(LARGE_BYTES);
    try {
      const undo = await prepareUndo(
        { account, entry, undone, writes, ...(await knownOf(entry, states)) },
        ctx,
      );
      // Of many, no more is held than is needed later.
      if (!undo.isChanged) return { write: toListed(entry, undo) };
      const told = { name: nameOfUndo(undo), why: undo.notice };
      return force ? { write: toListed(entry, undo), told } : { told };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      left.push({ name: await nameOfEntry(entry), why: error.message });
      return undefined;
    }
  });
  const all = prepared.flatMap((one) => one ?? []);
  const changed = all.flatMap(({ told }) => told ?? []);
  if (!force) left.push(...changed);
  const kept = all.flatMap(({ write }) => write ?? []);
  if (kept.length === 0) throw nothingLeft(left, changed.length > 0);
  const list: PreparedList = {
    writes: kept,
    remarks: [`Undo of the changes made ${localTimeWithZone(found[0]?.time ?? 0)}.`, ...leftWords(left)],
    mustAsk: force && changed.length > 0,
  };
  const { session } = ctx;
  const registry = await session.program.registry();
  return place === undefined ? list : asFeeds(list, registry.find(operation), place, session);
}

function toListed(entry: HistoryEntry, undo: PreparedUndo): ListedWrite {
  const { subject } = undo.prepared.change;
  const key = subject.kind === 'listing' ? subject.sku : subject.kind === 'store' ? subject.id : entry.id;
  return {
    ...listedWrite(key, undo.prepared),
    undoes: entry.id,
    ...(undo.remarks.length === 0 ? {} : { unusual: undo.remarks }),
  };
}

const MOST_TOLD = 10;
const MOST_WHY = 400;

function leftWords(left: readonly Left[]): string[] {
  const told = left
    .slice(0, MOST_TOLD)
    .map(
      ({ name, why }) => `Not undone: ${name}: ${shortenToCharacters(why.replaceAll('\n', ' '), MOST_WHY)}`,
    );
  const more = left.length - told.length;
  return more > 0 ? [...told, `and ${more} more are not undone.`] : told;
}

function nothingLeft(left: readonly Left[], isChanged: boolean): AppError {
  return new InputError(
    `Nothing of the list can be undone. ${leftWords(left).join(' ')}`,
    isChanged
      ? 'Tell the person all three values of each. Only if they want the old ones back all the same, call again with force: true.'
      : '',
  );
}

const nameOfUndo = ({ prepared }: PreparedUndo) => nameOf({ key: '', change: prepared.shown.change });
/** Of a list that went out as a whole, only the first says what it was. */
async function nameOfEntry({ id, what, open }: HistoryEntry): Promise<string> {
  const name = what ?? (await open())?.parameters.sku ?? id;
  return escapeText(shortenToCharacters(String(name), 80));
}
