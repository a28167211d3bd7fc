/**
 * Prepares a write that undoes another. Like any write, it is compared with the current state before an
 * approval is requested.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { type Segments, withValueAt } from '../../../base/json-difference.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Registry } from '../../../service/registry/registry.ts';
import type { Change } from '../../model/change.ts';
import { pathWithin } from '../../model/changed-members.ts';
import {
  adapterOf,
  adapterOfRecorded,
  isListing,
  plannerOf,
  undoOperationOf,
} from '../../model/find-adapter.ts';
import { changeLines } from '../../model/format/change-lines.ts';
import { STOCK } from '../../model/listing/entries.ts';
import type { PlainValue } from '../../model/member-values.ts';
import { createStateReader, unreadableReason } from '../../model/read-state.ts';
import { toWritableSupplySource } from '../../model/store/body.ts';
import type { MemberSplitter } from '../../model/subject-adapter.ts';
import type { PreparedWrite } from '../../model/write-view.ts';
import { prepareWrite, type RequestedWrite } from '../../plan/prepare-write.ts';
import { findRecent } from '../../plan/recent-writes.ts';
import { formatAuthor } from '../../records/author.ts';
import type { RecordedWrite } from '../../records/journal/entry.ts';
import { findPending, type RecentWrites } from '../../records/undo/pending-writes.ts';
import { changeBetween, placeholdersOf, readStatesOf } from '../../records/undo/recorded-change.ts';
import {
  compareMembers,
  earlierWrites,
  laterWrites,
  type MemberComparison,
  marketplaceIdsOf,
  type OpenEntry,
} from '../../records/undo/undo-conflicts.ts';
import { type UndoneBy, undoBlockedReason } from '../../records/undo/undo-eligibility.ts';
import type { WriteValues } from '../../records/undo/write-values.ts';
import type { WritesByThing } from '../../records/undo/writes-by-thing.ts';
import type { ToolContext } from '../../session.ts';
import { refuseNumbersAsText } from '../store/numbers-as-text.ts';
import { storeOperation } from '../store/prepare-store.ts';

export type PreparedUndo = Awaited<ReturnType<typeof prepareUndo>>;

const STORE_UPDATE = 'supply-sources/updateSupplySource';

interface WantedUndo {
  account: string;
  entry: RecordedWrite;
  /** Covers all entries of the account. */
  undone: UndoneBy;
  writes: WritesByThing;
  /** True to overwrite changes by someone else too. */
  force: boolean;
  /** The state, where it was read together with that of others. */
  known?: RequestedWrite['known'];
  recent?: RequestedWrite['recent'];
}

/**
 * Restores the members that are still as the write left them. A member that someone else has changed since is
 * a conflict, and stays unless the undo is forced.
 * @throws InputError where it cannot be undone, with the reason; AppError for what would prevent the write
 * too
 */
export async function prepareUndo(wanted: WantedUndo, ctx: ToolContext) {
  const { account, entry, undone, writes, force } = wanted;
  const why = undoBlockedReason(entry, undone);
  if (why !== undefined) throw cannot(entry, why);
  const open = await openEntry(entry);
  const later = await laterWrites(open, writes);
  const read = await readNow(open, wanted, ctx);
  const splitter = adapterOfRecorded(open.values).createSplitter();
  const comparisons = compareMembers(open, later, read.now, await earlierWrites(open, writes), splitter);
  const untouched = comparisons.filter(({ is }) => is !== 'changed');
  // An undo with nothing but conflicts shows all of them, and is rejected unless it is forced.
  const restored = force || untouched.length === 0 ? comparisons : untouched;
  const recent = wanted.recent ?? (await findRecent(account, ctx.session));
  const call = await buildUndoRequest(open, { ...read, splitter, restored, recent });
  if (!('known' in read)) refuseNumbersAsText(call.body, read.state, read.numbersAsText);
  const operation = findOperation(call.operation, await ctx.session.program.registry());
  const asked = { parameters: call.parameters, body: call.body };
  const prepared = await prepareWrite(
    {
      // Our own checks do not reject values that the service once had, even where they are gone now.
      operation,
      account,
      asked,
      answeredBody: call.body,
      isKept: true,
      seen: readStatesOf(open.values),
      hidden: placeholdersOf(open.values),
      ...('known' in read && { known: read.known }),
      recent,
    },
    ctx,
  );
  const { planned } = prepared;
  if (planned.change.differences === undefined) {
    throw notKnown(entry, planned.change.noDifferences ?? 'it cannot be read');
  }
  const isMoved =
    !('known' in read) &&
    canonicalJson(toWritableSupplySource(read.state)) !== canonicalJson(planned.change.before);
  if (isMoved) throw new InputError('It was changed while it was read; nothing was sent.', 'Call again.');
  const isRefused = !force && untouched.length === 0;
  const isPart = !force && !isRefused && restored.length < comparisons.length;
  return { ...withNotice({ operation, prepared, entry, later, comparisons, isPart }), isRefused, isPart };
}

const notKnown = (entry: RecordedWrite, reason: string) =>
  cannot(entry, `what is there now is not known: ${reason}`);

/** @throws Error for an unknown id */
export function findOperation(id: string, registry: Registry): Operation {
  const store = storeOperation(registry);
  return id === store.id ? store : registry.find(id);
}

/** Carries the reason by itself, for messages about many entries. */
export class CannotUndoError extends InputError {
  readonly why: string;

  constructor(entry: RecordedWrite, why: string) {
    super(`The change ${entry.id} cannot be undone: ${why}`, 'Nothing was sent.');
    this.why = why;
  }
}

const cannot = (entry: RecordedWrite, why: string) => new CannotUndoError(entry, why);

async function openEntry(entry: RecordedWrite): Promise<OpenEntry> {
  const values = await entry.open();
  if (values === undefined) {
    throw cannot(
      entry,
      'its earlier values can no longer be read: they are damaged, or the key in the keychain is another one now.',
    );
  }
  if (values.members.length === 0) throw cannot(entry, 'it changed nothing.');
  return { entry, values };
}

/**
 * The current state. A store's configuration, which is written whole, is read once more for the write;
 * anything else is read once.
 */
type ReadNow = { now: unknown } & (
  | { known: NonNullable<RequestedWrite['known']> }
  | { state: JsonObject; numbersAsText: readonly Segments[] }
);

async function readNow(
  { entry, values }: OpenEntry,
  { account, known }: Pick<WantedUndo, 'account' | 'known'>,
  { session, call }: ToolContext,
): Promise<ReadNow> {
  const undoing = undoOperationOf(entry.operation);
  if (undoing === undefined) throw cannot(entry, 'nothing takes back what it did.');
  const nowOf = (answer: unknown) =>
    adapterOfRecorded(values).read(answer, marketplaceIdsOf(values), session.program.now());
  if (known !== undefined) return { known, now: nowOf(known.answer.body) };
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = findOperation(undoing, registry);
  const written = { operation, account, parameters: undoParameters(values) };
  const reader = createStateReader(
    written,
    { client, registry, now: session.program.now },
    plannerOf(undoing)?.more,
  );
  if (typeof reader === 'string') throw cannot(entry, reader);
  const read = await reader.read(call);
  const isWhole = operation.id === STORE_UPDATE;
  if (isWhole && 'absent' in read) throw cannot(entry, `it is no longer there: ${read.absent.message}`);
  if (isWhole && 'problem' in read) throw read.problem;
  const now = 'state' in read ? nowOf(read.state) : undefined;
  if (!('state' in read) || !isJsonObject(read.state) || now === undefined) {
    throw notKnown(entry, unreadableReason(read));
  }
  if (isWhole) return { now, state: read.state, numbersAsText: read.numbersAsText };
  const inexact = read.numbersAsText.find((path) =>
    values.members.some(({ segments }) => pathWithin(segments, path) !== undefined),
  );
  if (inexact !== undefined)
    throw cannot(entry, 'it holds a number with more digits than can be sent back unchanged.');
  return {
    now,
    known: { operation: reader.operation, answer: { body: read.state, bytes: 0 }, state: read },
  };
}

interface RestoreParts {
  now: unknown;
  splitter: MemberSplitter;
  restored: readonly MemberComparison[];
  recent: RecentWrites | undefined;
}

/** Builds the call from the state after our pending writes, so that changes outside this undo stay. */
async function buildUndoRequest(
  { entry, values }: OpenEntry,
  { now, splitter, restored, recent }: RestoreParts,
): Promise<UndoCall> {
  const adapter = adapterOfRecorded(values);
  const { parameters, members } = values;
  const attributes = isListing(values)
    ? new Set(members.map(({ segments }) => String(segments[1])))
    : undefined;
  const written = {
    operation: entry.operation,
    parameters,
    places: marketplaceIdsOf(values),
    adapter,
    state: now,
  };
  const pending = recent && (await findPending({ ...written, attributes }, recent));
  const there = splitter.splitState(pending?.state ?? now);
  const put = (made: unknown, { segments, target }: MemberComparison) => withValueAt(made, segments, target);
  const old = members.reduce<unknown>((made, one) => withValueAt(made, one.segments, one.before), {});
  const wanted = restored.map(({ segments }) => segments);
  const back = splitter.restore(wanted, restored.reduce<unknown>(put, there), there, old);
  const isWhole = entry.operation === STORE_UPDATE;
  const call = buildUndoCall(entry, { ...values, members: back }, isWhole ? toObject(there) : undefined);
  if (call === undefined) throw cannot(entry, 'nothing takes back what it did.');
  return call;
}

interface UndoNoticeParts {
  operation: Operation;
  prepared: PreparedWrite;
  entry: RecordedWrite;
  later: readonly OpenEntry[];
  comparisons: readonly MemberComparison[];
  isPart: boolean;
}

function withNotice({ operation, prepared, entry, later, comparisons, isPart }: UndoNoticeParts) {
  const changed = comparisons.filter(({ is }) => is === 'changed');
  const isChanged = changed.length > 0;
  // A quantity that is offered falls by itself, through sales.
  const isStock = changed.every(({ segments }) => segments[1] === STOCK);
  // The undo starts from the last accepted values where the service does not show them yet.
  const isHidden = !isChanged && prepared.change.pending !== undefined;
  const { view } = prepared;
  const between = (from: 'last' | 'previous', to: 'last' | 'now') =>
    changeBetween(prepared.change, changed, [from, to]);
  const formatChange = (change: Change) =>
    changeLines(change)
      .map(({ short }) => short)
      .join('; ');
  const describeConflict = (show: (change: Change) => Change) =>
    isChanged
      ? `${isStock ? 'THE STOCK CHANGED SINCE, BY SALES OR BY SOMEBODY ELSE' : 'SOMEBODY ELSE CHANGED IT SINCE'}. Set from here: ${formatChange(show(between('previous', 'last')))}. Changed since: ${formatChange(show(between('last', 'now')))}.${isPart ? ' That stays as it is; the rest is undone.' : ''}`
      : undefined;
  const cause = entry.outcome === 'unknown' ? ('not_known' as const) : ('not_visible' as const);
  const hidden = isHidden ? cause : undefined;
  const remarks = (show: (change: Change) => Change) => [
    ...(describeConflict(show) === undefined ? [] : [describeConflict(show)]),
    ...(hidden === undefined ? [] : [HIDDEN[hidden]]),
    ...(later.length === 0 ? [] : [describeLater(later)]),
  ];
  const renderNotice = (show: (change: Change) => Change) =>
    [
      `Undo of the change made ${localTimeWithZone(entry.time)}${formatAuthor(entry.by)}:`,
      ...remarks(show),
    ].join('\n');
  const { change } = prepared.shown;
  const request = hideRequest(prepared.shown.request, prepared);
  const { parameters, body } = request;
  const isMasked = canonicalJson(body ?? null) !== canonicalJson(prepared.request.body ?? null);
  return {
    operation,
    /** True where someone else has changed it since; such an undo needs an approval that shows this. */
    isChanged,
    /** The text before the preview: for the assistant, and for the user with the unmasked values. */
    notice: renderNotice(view.change),
    clearNotice: renderNotice((one) => one),
    /** All three values of a conflict, for an item of a batch. */
    changedWords: describeConflict(view.change),
    conflicts: conflictsOf(view.change(between('last', 'now'))),
    /** Set where the write may still become visible; the values from before are sent again. */
    hidden,
    /** True where it was changed from here again, which is undone too. */
    hasLater: later.length > 0,
    prepared: {
      ...prepared,
      change: { ...prepared.change, warnings: keepGeneral(prepared.change) },
      shown: {
        request,
        change: { ...change, warnings: keepGeneral(change) },
      },
      ...(isMasked ? { marked: { parameters, body } } : {}),
    },
  };
}

/** Returns the values of each member that someone else has changed since. */
function conflictsOf(change: Change) {
  return adapterOf(change.subject)
    .values(change)
    .map(({ member, old, new: now, currency }) => ({
      member: escapeText(member),
      set_from_here: escapePlain(old),
      now: escapePlain(now),
      ...(currency !== undefined && { currency: escapeText(currency) }),
    }));
}

const escapePlain = (value: PlainValue) => (typeof value === 'string' ? escapeText(value) : value);

/**
 * Returns the warnings about the whole listing or store: a pending change is worth one, the restored values
 * are not.
 */
const keepGeneral = ({ warnings }: Change) => warnings.filter(({ segments }) => segments.length === 0);

const HIDDEN = {
  not_visible:
    'It was accepted and is not visible yet: the service still shows the values from before. They are sent again, so that it does not come.',
  not_known:
    'Whether it was made is not known: the service still shows the values from before. They are sent again, so that it does not come.',
};

/**
 * Hides personal values by their placeholders in what is shown and recorded, because nobody gave them in this
 * session.
 */
function hideRequest(request: PreparedWrite['request'], { view }: PreparedWrite): PreparedWrite['request'] {
  return { ...request, ...(request.body === undefined ? {} : { body: view.value(request.body) }) };
}

const MAX_LATER = 3;

function describeLater(later: readonly OpenEntry[]): string {
  const named = later.slice(-MAX_LATER).map(({ entry }) => `${entry.id} (${localTimeWithZone(entry.time)})`);
  const more = later.length - named.length;
  return `Changed from here again since then, by ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}; what they changed of the same members is undone too.`;
}

// The functions below build the call that restores the values from before a write.

interface UndoCall {
  /** The operation id. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  body: JsonObject;
}

/** The parameters that identify a listing or a store; all others served that one call. */
const IDENTITY = ['sellerId', 'sku', 'marketplaceIds', 'supplySourceId'];

/**
 * Builds a call with whole attributes for a listing. A store's configuration is only written whole, so its
 * members are put over the current state.
 * @param state of the store, for its configuration
 */
export function buildUndoCall(
  { operation: written }: Pick<RecordedWrite, 'operation'>,
  values: WriteValues,
  state?: JsonObject,
): UndoCall | undefined {
  const operation = undoOperationOf(written);
  if (operation === undefined) return undefined;
  const parameters = undoParameters(values);
  const body = adapterOfRecorded(values).undoBody(values, state);
  return isJsonObject(body) ? { operation, parameters, body } : undefined;
}

/** Returns the parameters that identify the same thing. */
const undoParameters = ({ parameters }: Pick<WriteValues, 'parameters'>): UndoCall['parameters'] =>
  Object.fromEntries(
    IDENTITY.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  );
