/** The values before each write, kept for a while beside the journal, so that a write can be taken back. */

import * as z from 'zod';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { byteLength, parseJson } from '../../../base/json.ts';
import { type Segments, valueAt } from '../../../base/json-difference.ts';
import { LONG_WAIT_MS } from '../../../disk/store.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { membersOf } from '../../model/changed-members.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { Author } from '../author.ts';
import { maskAndShorten } from '../journal/mask.ts';
import {
  entryIdOf,
  type HistoryEntry,
  type HistoryLine,
  type HistoryRowsOptions,
  type KeptLine,
  type KeptValues,
  openHistoryRows,
} from './history-table.ts';
import { thingOfEntry } from './standing.ts';
import { type Undoable, whyNotUndoable } from './undoable.ts';
import {
  isPersonal,
  type Keep,
  type ListToKeep,
  MAX_LIST_BYTES,
  thingDigest,
  valuesOf,
  valuesSchema,
  type WriteToKeep,
} from './values.ts';

/** Is told what the read-back found, of what `change` is about. */
type HeldWrite = Keep & { note(found: unknown): void };

const foundSchema = z.array(z.object({ found: z.unknown().optional() }));

export type History = ReturnType<typeof createHistory>;

interface HistoryOptions extends HistoryRowsOptions {
  sealer: () => Promise<Sealer>;
  /** Takes every known secret out of a text. */
  redact: (text: string) => string;
  /** Whose writes these are, where several people use the same account. */
  by?: Author | undefined;
  /** What others wrote is on the disk then. */
  catchUp?: () => Promise<void>;
}

export function createHistory(options: HistoryOptions) {
  const { sealer, redact, now, keepDays } = options;
  const { folder } = options.store;
  const rows = openHistoryRows(options);
  const stamp = () => ({ v: 1 as const, time: new Date(now()).toISOString() });

  const lineOf = (id: string, of: Omit<KeptLine, 'v' | 'kind' | 'id' | 'time' | 'by'>): KeptLine => ({
    ...stamp(),
    kind: 'kept',
    id,
    by: options.by,
    ...of,
  });

  /** Sealed wherever that is possible. */
  const keep = async (value: unknown): Promise<KeptValues> => {
    const seal = await sealer();
    return (await seal.canSeal()) ? { sealed: await seal.seal(JSON.stringify(value)) } : { clear: value };
  };
  /** Keeps a value that may have to be sealed. @throws ConfigError where nothing can be sealed */
  const keepSealed = async (value: unknown, mayNotBeClear: boolean): Promise<KeptValues> => {
    const kept = await keep(value);
    if ('clear' in kept && mayNotBeClear) throw keychainGone();
    return kept;
  };
  const open = async (kept: KeptValues | null | undefined): Promise<unknown> => {
    if (kept == null) return undefined;
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

  /** Reads the values of one write, with those that were read back. */
  const openEntry = async (id: string) => {
    const row = await rows.readValues(id);
    const kept = valuesSchema.safeParse(await open(row?.kept)).data;
    if (row === undefined || kept === undefined) return undefined;
    if (row.seen) return { ...kept, found: kept.members.map(({ after }) => after) };
    const found = foundSchema.safeParse(await open(row.found)).data;
    return found?.length === kept.members.length ? { ...kept, found: found.map((one) => one.found) } : kept;
  };

  const whyNoRoom = async (bytes: number): Promise<string | undefined> => {
    try {
      await rows.tryRoom(bytes);
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

  const listed = async (since?: number, thing?: string): Promise<HistoryEntry[]> => {
    try {
      const all = await rows.list(since, thing);
      return all.map((entry) => ({ ...entry, open: once(() => openEntry(entry.id)) }));
    } catch (error) {
      throw describeUnreadable(error, folder);
    }
  };
  let caughtUp = Number.NEGATIVE_INFINITY;
  /** A list asks for each of its items. */
  const catchUpNowAndThen = async () => {
    if (Math.abs(now() - caughtUp) < FRESH_MS) return;
    caughtUp = now();
    await options.catchUp?.();
  };

  const hold = (write: WriteToKeep, cannot: string | undefined): HeldWrite => {
    const { account, owner, operation, what, batch, undoes, isPart, parameters } = write;
    const isOfThing = parameters.sku !== undefined || parameters.supplySourceId !== undefined;
    const named = { what: what && toWhat(what), batch, undoes };
    const values = cannot === undefined ? valuesOf(write) : undefined;
    const mayNotBeClear = (kept: unknown) => isPersonal(write) || holdsSecret(kept);
    let found: readonly { found?: unknown }[] | undefined;
    const add = (line: HistoryLine) => added(rows.add([line]));
    return {
      ...named,
      async begin(id) {
        const thing = isOfThing ? thingDigest({ parameters: { ...parameters } }) : undefined;
        const of = { account, owner, operation: operation.id, ...named, isPart, thing };
        const known = lineOf(id, { ...of, cannot });
        // That it cannot be undone was told before the yes.
        if (cannot !== undefined) return add(known).catch(() => undefined);
        const kept = await keepSealed(valuesOf(write), mayNotBeClear(membersOf(write.change)));
        await add({ ...known, values: kept });
      },
      note(value) {
        const state = kindOf(write.change.subject).stateOf(value);
        found = values?.members.map(({ segments }) => toFound(state, segments));
      },
      async end(id, outcome) {
        try {
          const kept = found === undefined ? undefined : await keep(found);
          // What may not lie in clear is not kept.
          const isOpen = kept !== undefined && 'clear' in kept && mayNotBeClear(found);
          const line = { ...stamp(), kind: 'ended' as const, id, outcome };
          await added(rows.add([isOpen || !kept ? line : { ...line, found: kept }], LONG_WAIT_MS));
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
    async keepList({ account, owner, operation, batch, what, items }: ListToKeep): Promise<void> {
      const lines: HistoryLine[] = [];
      for (const { n, values, isPersonal: isOne, undoes, isPart, cannot } of items) {
        const words = what && lines.length === 0 ? toWhat(what) : undefined;
        const of = { account, owner, operation, what: words, batch, undoes, isPart, cannot };
        const line = lineOf(entryIdOf(batch, n), { ...of, thing: thingDigest(values) });
        if (cannot !== undefined) lines.push(line);
        else lines.push({ ...line, values: await keepSealed(values, isOne || holdsSecret(values.members)) });
      }
      // The others are told of them without values, which would be too much.
      await added(rows.add(lines, undefined, true));
    },
    /** What became of items of a list, by their numbers. Never throws: what cannot be recorded is taken for unknown. */
    async endList(batch: string, outcomes: readonly (readonly [number, Recorded])[]): Promise<void> {
      const lines = outcomes.map(([n, outcome]): HistoryLine => {
        const id = entryIdOf(batch, n);
        return { ...stamp(), kind: 'ended', id, outcome };
      });
      await rows.add(lines, LONG_WAIT_MS).catch(() => undefined);
    },
    /**
     * Records that the writes were read as sent. It never throws, because a write without that record only
     * counts as possibly not visible yet.
     */
    async noteSeen(ids: readonly string[]): Promise<void> {
      const lines = ids.map((id): HistoryLine => ({ ...stamp(), kind: 'seen', id }));
      if (lines.length > 0) await rows.add(lines).catch(() => undefined);
    },
    /** Finds the writes of one thing, or possibly of it, oldest first. @param thing `thingDigest` @param since milliseconds since the epoch */
    async writesOf(thing: string, since: number): Promise<HistoryEntry[]> {
      await catchUpNowAndThen();
      const found: HistoryEntry[] = [];
      for (const entry of await listed(since, thing)) {
        if ((await thingOfEntry(entry)) === thing) found.push(entry);
      }
      return found;
    },
    /** Everything that is kept, whoever's it is, oldest first. @param since milliseconds since the epoch: only from then on */
    async list(since?: number): Promise<HistoryEntry[]> {
      await options.catchUp?.();
      return listed(since);
    },
  };
}

/** The writes of other replicas are read again after so long. */
const FRESH_MS = 15_000;

const MAX_WHAT = 500;
const HOLDS_SECRET =
  'it holds a credential, and without a keychain on this computer its earlier values are not kept.';

/** Sealed and as text, values take more room than they are long; before and after the write. */
const ROOM_FACTOR = 4;
const ROOM_BESIDE = 16_384;
/** Of a list; nothing is read back into it. */
const LIST_ROOM_FACTOR = 1.6;

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
