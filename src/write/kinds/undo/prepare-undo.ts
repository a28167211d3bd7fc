/** A write that takes back another, prepared like any of the assistant's: held against what is there now before anybody is asked. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Registry } from '../../../service/registry/registry.ts';
import { byWords } from '../../keep/author.ts';
import { changeBetween } from '../../keep/history/differences.ts';
import type { HistoryEntry } from '../../keep/history/history-file.ts';
import { hiddenOf, statesOf } from '../../keep/history/kept-change.ts';
import {
  earlierWrites,
  laterWrites,
  type OpenEntry,
  type Standing,
  standingOf,
  type UndoneBy,
  type WritesByThing,
  whyNotNow,
} from '../../keep/history/standing.ts';
import { buildUndoCall, needsState, type UndoCall } from '../../keep/history/undo-call.ts';
import type { Change } from '../../model/change.ts';
import { STOCK } from '../../model/listing/entries.ts';
import { createStateReader } from '../../model/read-state.ts';
import { toWritableSupplySource } from '../../model/store/body.ts';
import { changeLines } from '../../model/words/change-lines.ts';
import type { PreparedWrite } from '../../model/write-view.ts';
import { type AskedWrite, prepareWrite } from '../../plan/prepare-write.ts';
import type { ToolContext } from '../../session.ts';
import { refuseNumbersAsText } from '../store/numbers-as-text.ts';
import { storeOperation } from '../store/prepare-store.ts';

export type PreparedUndo = Awaited<ReturnType<typeof prepareUndo>>;

interface WantedUndo {
  account: string;
  entry: HistoryEntry;
  /** Of all entries of the account. */
  undone: UndoneBy;
  writes: WritesByThing;
  /** The state, where it was read with that of others. */
  known?: AskedWrite['known'];
  recent?: AskedWrite['recent'];
}

/**
 * @throws InputError where it cannot be taken back, saying why; AppError for what would hinder the write too
 */
export async function prepareUndo(
  { account, entry, undone, writes, known, recent }: WantedUndo,
  ctx: ToolContext,
) {
  const why = whyNotNow(entry, undone);
  if (why !== undefined) throw cannot(entry, why);
  const open = await openEntry(entry);
  const later = await laterWrites(open, writes);
  const { call, state } = await buildCall(open, account, ctx);
  const operation = findOperation(call.operation, await ctx.session.program.registry());
  const asked = { parameters: call.parameters, body: call.body };
  const prepared = await prepareWrite(
    {
      // What stood there once is not refused by our own checks, where it is gone now either.
      operation,
      account,
      asked,
      basis: call.body,
      isKept: true,
      seen: statesOf(open.values),
      hidden: hiddenOf(open.values),
      ...(known && { known }),
      recent,
    },
    ctx,
  );
  const { planned } = prepared;
  if (planned.change.differences === undefined) {
    const reason = planned.change.noDifferences ?? 'it cannot be read';
    throw cannot(entry, `what is there now is not known: ${reason}`);
  }
  const isMoved = state !== undefined && canonicalJson(state) !== canonicalJson(planned.change.before);
  if (isMoved) throw new InputError('It was changed while it was read; nothing was sent.', 'Call again.');
  const now =
    prepared.change.subject.kind === 'listing'
      ? { attributes: planned.change.before }
      : planned.change.before;
  const standings = standingOf(open, later, now, await earlierWrites(open, writes));
  return withNotice({ operation, prepared, entry, later, standings });
}

/** @throws Error for an id that is none */
export function findOperation(id: string, registry: Registry): Operation {
  const store = storeOperation(registry);
  return id === store.id ? store : registry.find(id);
}

/** With the reason alone, for those who tell it of many. */
export class CannotUndoError extends InputError {
  readonly why: string;

  constructor(entry: HistoryEntry, why: string) {
    super(`The change ${entry.id} cannot be undone: ${why}`, 'Nothing was sent.');
    this.why = why;
  }
}

const cannot = (entry: HistoryEntry, why: string) => new CannotUndoError(entry, why);

async function openEntry(entry: HistoryEntry): Promise<OpenEntry> {
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

/** What a store's configuration is written whole over. */
async function buildCall(
  { entry, values }: OpenEntry,
  account: string,
  { session, call: options }: ToolContext,
): Promise<{ call: UndoCall; state?: JsonObject }> {
  const made = (state?: JsonObject): UndoCall => {
    const call = buildUndoCall(entry, values, state);
    if (call === undefined) throw cannot(entry, 'nothing takes back what it did.');
    return call;
  };
  if (!needsState(entry)) return { call: made() };
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = findOperation(entry.operation, registry);
  const { parameters } = made({});
  const reader = createStateReader(
    { operation, account, parameters },
    { client, registry, now: session.program.now },
  );
  if (typeof reader === 'string') throw cannot(entry, reader);
  const read = await reader.read(options);
  if ('absent' in read) throw cannot(entry, `it is no longer there: ${read.absent.message}`);
  if ('problem' in read) throw read.problem;
  if (!isJsonObject(read.state)) throw cannot(entry, 'what is there now is not known.');
  const call = made(read.state);
  refuseNumbersAsText(call.body, read.state, read.numbersAsText);
  return { call, state: toWritableSupplySource(read.state) };
}

interface Told {
  operation: Operation;
  prepared: PreparedWrite;
  entry: HistoryEntry;
  later: readonly OpenEntry[];
  standings: readonly Standing[];
}

function withNotice({ operation, prepared, entry, later, standings }: Told) {
  const changed = standings.filter(({ is }) => is === 'changed');
  const isChanged = changed.length > 0;
  // A quantity that is offered falls by itself.
  const isStock = changed.every(({ segments }) => segments[1] === STOCK);
  // What it goes back from is what was accepted last, where that is not what was read.
  const isHidden = !isChanged && prepared.change.before !== prepared.planned.change.before;
  const { view } = prepared;
  const between = (from: 'last' | 'previous', to: 'last' | 'now') =>
    changeBetween(prepared.change, standings, [from, to]);
  const words = (change: Change) =>
    changeLines(change)
      .map(({ short }) => short)
      .join('; ');
  const changedWords = (show: (change: Change) => Change) =>
    isChanged
      ? `${isStock ? 'THE STOCK CHANGED SINCE, BY SALES OR BY SOMEBODY ELSE' : 'SOMEBODY ELSE CHANGED IT SINCE'}. Set from here: ${words(show(between('previous', 'last')))}. Changed since: ${words(show(between('last', 'now')))}.`
      : undefined;
  const cause = entry.outcome === 'unknown' ? ('not_known' as const) : ('not_visible' as const);
  const hidden = isHidden ? cause : undefined;
  const remarks = (show: (change: Change) => Change) => [
    ...(changedWords(show) === undefined ? [] : [changedWords(show)]),
    ...(hidden === undefined ? [] : [HIDDEN[hidden]]),
    ...(later.length === 0 ? [] : [laterWords(later)]),
  ];
  const tell = (show: (change: Change) => Change) =>
    [`Undo of the change made ${localTimeWithZone(entry.time)}${byWords(entry.by)}:`, ...remarks(show)].join(
      '\n',
    );
  const { change } = prepared.shown;
  const request = hideRequest(prepared.shown.request, prepared);
  const { parameters, body } = request;
  const isMasked = canonicalJson(body ?? null) !== canonicalJson(prepared.request.body ?? null);
  return {
    operation,
    /** Somebody else changed it since: only a yes to that sentence takes it back. */
    isChanged,
    /** What stands before the preview: for the assistant, and with the values themselves for the person. */
    notice: tell(view.change),
    clearNotice: tell((one) => one),
    /** All three values, where somebody else changed it: for an item of a list. */
    changedWords: changedWords(view.change),
    /** It may come, and is not seen: the values from before are sent again. */
    hidden,
    /** It was changed from here again, and that is undone too. */
    hasLater: later.length > 0,
    prepared: {
      ...prepared,
      change: { ...prepared.change, warnings: aboutAll(prepared.change) },
      shown: {
        request,
        change: { ...change, warnings: aboutAll(change) },
      },
      ...(isMasked ? { marked: { parameters, body } } : {}),
    },
  };
}

/** What was there before is not worth a warning; that something else may still come is. */
const aboutAll = ({ warnings }: Change) => warnings.filter(({ segments }) => segments.length === 0);

const HIDDEN = {
  not_visible:
    'It was accepted and is not visible yet: the service still shows the values from before. They are sent again, so that it does not come.',
  not_known:
    'Whether it was made is not known: the service still shows the values from before. They are sent again, so that it does not come.',
};

/** Nobody gave these values in this session: what is personal among them is seen, and recorded, by its marks. */
function hideRequest(request: PreparedWrite['request'], { view }: PreparedWrite): PreparedWrite['request'] {
  return { ...request, ...(request.body === undefined ? {} : { body: view.value(request.body) }) };
}

const MOST_LATER = 3;

function laterWords(later: readonly OpenEntry[]): string {
  const named = later.slice(-MOST_LATER).map(({ entry }) => `${entry.id} (${localTimeWithZone(entry.time)})`);
  const more = later.length - named.length;
  return `Changed from here again since then, by ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}; what they changed of the same members is undone too.`;
}
