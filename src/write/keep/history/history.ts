/** The values before each write, kept for a while beside the journal, so that a write can be taken back. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { inChunks } from '../../../base/at-once.ts';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { byteLength, parseJson } from '../../../base/json.ts';
import { type Segments, valueAt } from '../../../base/json-difference.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { membersOf } from '../../model/changed-members.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { Author } from '../author.ts';
import { maskAndShorten } from '../journal/mask.ts';
import type { BegunWrite } from './changed-since-shown.ts';
import {
  type HistoryEntry,
  type HistoryFilesOptions,
  type HistoryLine,
  type KeptValues,
  keptSchema,
  openHistoryFiles,
} from './history-file.ts';
import {
  createPartReader,
  endList,
  entriesOf,
  entryIdOf,
  type ItemToKeep,
  keepList,
  type ListToKeep,
  MAX_LIST_BYTES,
  thingDigest,
} from './kept-lists.ts';
import { type Undoable, whyNotUndoable } from './undoable.ts';
import { isPersonal, type Keep, valuesOf, valuesSchema, type WriteToKeep } from './values.ts';

/** Is told what the read-back found, of what `change` is about. */
type HeldWrite = Keep & { note(found: unknown): void };

const foundSchema = z.array(z.object({ found: z.unknown().optional() }));

export type History = ReturnType<typeof createHistory>;

interface HistoryOptions extends HistoryFilesOptions {
  sealer: () => Promise<Sealer>;
  /** Takes every known secret out of a text. */
  redact: (text: string) => string;
  /** Whose writes these are, where several people use the same account. */
  by?: Author | undefined;
  /** What others wrote is on the disk then. */
  catchUp?: () => Promise<void>;
}

export function createHistory(options: HistoryOptions) {
  const { sealer, redact, now, keepDays, folder } = options;
  const files = openHistoryFiles(options);
  const stamp = () => ({ v: 1 as const, time: new Date(now()).toISOString() });

  /** Sealed wherever that is possible. */
  const keep = async (value: unknown): Promise<KeptValues> => {
    const seal = await sealer();
    return (await seal.canSeal()) ? { sealed: await seal.seal(JSON.stringify(value)) } : { clear: value };
  };
  const open = async (kept: KeptValues | undefined): Promise<unknown> => {
    if (kept === undefined) return undefined;
    if ('clear' in kept) return kept.clear;
    const text = await (await sealer()).open(kept.sealed);
    return text === undefined ? undefined : parseJson(text);
  };

  /** A credential of ours that an argument or the service repeats lies on the disk sealed, or not at all. */
  const holdsSecret = (value: unknown): boolean => {
    const text = JSON.stringify(value) ?? '';
    return redact(text) !== text;
  };
  const toWhat = (what: string) => maskAndShorten(redact(what), MAX_WHAT);

  const readPart = createPartReader(files, async (kept) => {
    const { data } = keptSchema.safeParse(kept);
    return open(data);
  });
  const parts = { files, stamp, keep, keychainGone };

  let tried: { bytes: number; at: number } | undefined;
  /** Many writes are prepared in one go. */
  const tryRoom = async (bytes: number): Promise<void> => {
    if (tried !== undefined && bytes <= tried.bytes && Math.abs(now() - tried.at) < TRY_AGAIN_MS) return;
    await files.tryRoom(bytes);
    tried = { bytes, at: now() };
  };

  const whyNoRoom = async (bytes: number): Promise<string | undefined> => {
    try {
      await tryRoom(bytes);
      return undefined;
    } catch (error) {
      return `its earlier values cannot be kept in ${folder}: ${reasonOf(error)}.`;
    }
  };
  const added = async (adding: Promise<void>): Promise<void> => {
    try {
      await adding;
    } catch (error) {
      throw describeFailure(error, folder);
    }
  };

  const begun = createBegun();
  /** What holds a secret is kept as what is personal. */
  const withSecrets = function* (items: Iterable<ItemToKeep>) {
    for (const item of items) yield holdsSecret(item.values.members) ? { ...item, isPersonal: true } : item;
  };

  const hold = (write: WriteToKeep, cannot: string | undefined): HeldWrite => {
    const { account, owner, operation, what, batch, undoes, isPart, parameters } = write;
    const isOfThing = parameters.sku !== undefined || parameters.supplySourceId !== undefined;
    const named = { what: what && toWhat(what), batch, undoes };
    const values = cannot === undefined ? valuesOf(write) : undefined;
    const mayNotBeClear = (kept: unknown) => isPersonal(write) || holdsSecret(kept);
    let found: readonly { found?: unknown }[] | undefined;
    const add = (line: HistoryLine) => added(files.add(line));
    return {
      ...named,
      async begin(id) {
        const known = {
          ...stamp(),
          kind: 'kept' as const,
          id,
          account,
          owner,
          by: options.by,
          operation: operation.id,
          ...named,
          isPart,
          thing: isOfThing ? thingDigest({ parameters: { ...parameters } }) : undefined,
        };
        // That it cannot be undone was told before the yes.
        if (cannot !== undefined) {
          if (isOfThing) begun.add(id, { ...known, cannot, outcome: 'unknown' }, valuesOf(write));
          return add({ ...known, cannot }).catch(() => undefined);
        }
        begun.add(id, { ...known, outcome: 'unknown' }, valuesOf(write));
        const kept = await keep(valuesOf(write));
        if ('clear' in kept && mayNotBeClear(membersOf(write.change))) throw keychainGone();
        await add({ ...known, values: kept });
      },
      note(value) {
        const state = kindOf(write.change.subject).stateOf(value);
        found = values?.members.map(({ segments }) => toFound(state, segments));
      },
      async end(id, outcome) {
        begun.end(id, outcome);
        try {
          const kept = found === undefined ? undefined : await keep(found);
          // What may not lie in clear is not kept.
          const isOpen = kept !== undefined && 'clear' in kept && mayNotBeClear(found);
          await add({ ...stamp(), kind: 'ended', id, outcome, ...(isOpen || !kept ? {} : { found: kept }) });
          return undefined;
        } catch (error) {
          if (cannot !== undefined) return undefined;
          return error instanceof AppError ? error : describeFailure(error, folder);
        }
      },
    };
  };

  return {
    /** The days that entries are kept. */
    keepDays,
    /** @param cannot what `whyNot` said: nothing of the values is kept then */
    hold,
    /** Writes that this process has begun, by `thingDigest` of what they are about. */
    begun: begun.find,
    /**
     * Why the write could not be taken back, in a sentence; undefined where it can. Tries whether there is room for what
     * has to be kept.
     */
    async whyNot(write: Undoable): Promise<string | undefined> {
      const why = await whyNotUndoable(write, async () => (await sealer()).canSeal());
      if (why !== undefined) return why;
      if (holdsSecret(membersOf(write.change)) && !(await (await sealer()).canSeal())) return HOLDS_SECRET;
      return whyNoRoom(ROOM_FACTOR * byteLength(JSON.stringify(membersOf(write.change))) + ROOM_BESIDE);
    },
    /** Why a list whose values have so many bytes could not be taken back, as `whyNot`. */
    async whyNotAll(bytes: number): Promise<string | undefined> {
      if (bytes > MAX_LIST_BYTES) {
        return `the values before and after it are larger than ${MAX_LIST_BYTES / 1_000_000} MB for the whole list, and are not kept.`;
      }
      return whyNoRoom(LIST_ROOM_FACTOR * bytes + ROOM_BESIDE);
    },
    /** Resolves once the values of all are on the disk. @throws ConfigError when they cannot be kept; nothing may be sent then */
    keepList(list: ListToKeep): Promise<void> {
      const { owner, batch } = list;
      const items = begun.noting(withSecrets(list.items), { ...stamp(), owner, batch, outcome: 'unknown' });
      const what = list.what && toWhat(list.what);
      return added(keepList({ ...list, items, by: options.by, ...(what && { what }) }, parts));
    },
    /** What became of items of a list, by their numbers. Never throws: what cannot be recorded is taken for unknown. */
    endList(batch: string, outcomes: readonly (readonly [number, Recorded])[]): Promise<void> {
      for (const [n, outcome] of outcomes) begun.end(entryIdOf(batch, n), outcome);
      return endList(batch, outcomes, parts).catch(() => undefined);
    },
    /**
     * Records that the writes were read as sent. It never throws, because a write without that record only
     * counts as possibly not visible yet.
     */
    async noteSeen(ids: readonly string[]): Promise<void> {
      const lines = inChunks(ids, IDS_A_LINE).map(
        ([id = '', ...others]): HistoryLine => ({ ...stamp(), kind: 'seen', id, ids: [id, ...others] }),
      );
      if (lines.length > 0) await files.add(...lines).catch(() => undefined);
    },
    /** Everything that is kept, whoever's it is, oldest first. @param since milliseconds since the epoch: only from then on */
    async list(since?: number): Promise<HistoryEntry[]> {
      const entries = new Map<string, HistoryEntry>();
      await options.catchUp?.();
      try {
        for await (const line of files.read(since)) {
          addTo(entries, line, { open, readPart });
        }
      } catch (error) {
        throw describeUnreadable(error, folder);
      }
      return [...entries.values()];
    },
  };
}

/** Writes of this process that are remembered: the oldest are let go. */
const MOST_BEGUN = 50_000;

/** What this process has begun to write, without the values: what a list says of all of its writes stands once. */
function createBegun() {
  interface Begun extends BegunWrite {
    thing: string;
    /** Instead of the entry's. */
    outcome: Recorded;
  }
  const all = new Map<string, Begun>();
  const things = new Map<string, readonly string[]>();
  let last: BegunWrite['values'] = { parameters: {}, members: [] };
  const placesOf = ({ parameters: { marketplaceIds }, members }: BegunWrite['values']) => {
    const places = { parameters: { marketplaceIds }, members: members.map(({ segments }) => ({ segments })) };
    if (!isDeepStrictEqual(places, last)) last = places;
    return last;
  };
  const forget = (id: string) => {
    const thing = all.get(id)?.thing ?? '';
    all.delete(id);
    const others = things.get(thing)?.filter((one) => one !== id) ?? [];
    if (others.length === 0) things.delete(thing);
    else things.set(thing, others);
  };
  const add = (id: string, entry: BegunWrite['entry'], values: BegunWrite['values']) => {
    forget(id);
    const thing = thingDigest(values);
    all.set(id, { entry, thing, values: placesOf(values), outcome: entry.outcome });
    // Not by spreading, which leaves room for many more.
    things.set(thing, (things.get(thing) ?? []).concat(id));
    const [oldest] = all.keys();
    if (all.size > MOST_BEGUN && oldest !== undefined) forget(oldest);
  };
  return {
    add,
    end(id: string, outcome: Recorded) {
      const known = all.get(id);
      if (known !== undefined) all.set(id, { ...known, outcome });
    },
    find: (thing: string): BegunWrite[] =>
      (things.get(thing) ?? []).flatMap((id) => {
        const known = all.get(id);
        return known === undefined
          ? []
          : [{ entry: { ...known.entry, outcome: known.outcome }, values: known.values }];
      }),
    *noting(items: Iterable<ItemToKeep>, entry: BegunWrite['entry'] & { batch: string }) {
      for (const item of items) {
        add(entryIdOf(entry.batch, item.n), entry, item.values);
        yield item;
      }
    },
  };
}

/** One line holds this many ids, far fewer than a reader accepts. */
const IDS_A_LINE = 2_000;

const MAX_WHAT = 500;
const HOLDS_SECRET =
  'it holds a credential, and without a keychain on this computer its earlier values are not kept.';

/** Sealed and as text, values take more room than they are long; before and after the write. */
const ROOM_FACTOR = 4;
const ROOM_BESIDE = 16_384;
/** Of a list; nothing is read back into it. */
const LIST_ROOM_FACTOR = 1.6;
const TRY_AGAIN_MS = 2_000;

type Open = (kept: KeptValues | undefined) => Promise<unknown>;

interface Opening {
  open: Open;
  readPart: ReturnType<typeof createPartReader>;
}

function addTo(entries: Map<string, HistoryEntry>, line: HistoryLine, { open, readPart }: Opening): void {
  const change = (id: string, make: (known: HistoryEntry) => HistoryEntry) => {
    const known = entries.get(id);
    if (known !== undefined) entries.set(id, make(known));
  };
  // What is told twice has not begun anew.
  if (line.kind === 'kept') entries.set(line.id, entries.get(line.id) ?? toEntry(line, open));
  else if (line.kind === 'ended') change(line.id, (known) => endedEntry(known, line, open));
  else if (line.kind === 'kept_list') {
    for (const entry of entriesOf(line, readPart)) entries.set(entry.id, entry);
  } else if (line.kind === 'seen') {
    for (const id of line.ids) change(id, seenEntry);
  } else {
    for (const [n, outcome] of line.outcomes) {
      change(entryIdOf(line.id, n), (known) => ({ ...known, outcome, endedAt: line.time }));
    }
  }
}

function toEntry(line: Extract<HistoryLine, { kind: 'kept' }>, open: Open): HistoryEntry {
  const { v: _version, kind: _kind, values, ...known } = line;
  const read = once(async () => valuesSchema.safeParse(await open(values)).data);
  return { ...known, outcome: 'unknown', open: read };
}

function endedEntry(
  entry: HistoryEntry,
  { outcome, found, time }: Extract<HistoryLine, { kind: 'ended' }>,
  open: Open,
): HistoryEntry {
  return {
    ...entry,
    outcome,
    endedAt: time,
    open: once(async () => {
      const values = await entry.open();
      if (values === undefined || found === undefined) return values;
      const read = foundSchema.safeParse(await open(found)).data;
      return read?.length === values.members.length
        ? { ...values, found: read.map((one) => one.found) }
        : values;
    }),
  };
}

/** Marks the entry of a write that was read as sent. */
function seenEntry(entry: HistoryEntry): HistoryEntry {
  return {
    ...entry,
    open: once(async () => {
      const values = await entry.open();
      return values && { ...values, found: values.members.map(({ after }) => after) };
    }),
  };
}

/** Of a list, each is looked at more than once. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= read();
    return made;
  };
}

function toFound(value: unknown, segments: Segments): { found?: unknown } {
  const found = valueAt(value, segments);
  return found === undefined ? {} : { found };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function keychainGone(): ConfigError {
  return new ConfigError(
    'The keychain stopped answering, so the earlier values cannot be kept; nothing was sent.',
    'Call the tool again: it says then that this cannot be undone.',
  );
}

function describeUnreadable(error: unknown, folder: string): AppError {
  return new ConfigError(
    `What was changed from here cannot be read in ${folder}: ${reasonOf(error)}.`,
    'Nothing can be undone until it can be read again. Remove or put right what is named.',
    { cause: error },
  );
}

function describeFailure(error: unknown, folder: string): AppError {
  if (error instanceof AppError) return error;
  return new ConfigError(
    `The values before this write cannot be kept in ${folder}: ${reasonOf(error)}.`,
    'Nothing is sent that could not be undone although it was said to be. Free some space or make the folder writable, or choose another with --state-dir (SELLER_STATE_DIR).',
    { cause: error },
  );
}
