/**
 * The journal of writes: an intent before anything is sent, an outcome after. Each write is told for good; its values before
 * and after are kept for some days, so that it can be undone.
 */

import { statfs } from 'node:fs/promises';
import * as z from 'zod';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { byteLength } from '../../../base/json.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { NotAFileError } from '../../../disk/open-file.ts';
import { LONG_WAIT_MS, type Store } from '../../../disk/store.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { membersOf } from '../../model/changed-members.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { Author } from '../author.ts';
import { type Undoable, whyNotUndoable } from '../undo/undo-eligibility.ts';
import {
  type FeedToRecord,
  MAX_LIST_BYTES,
  thingDigest,
  type UndoValues,
  valuesSchema,
} from '../undo/write-values.ts';
import { thingOfEntry } from '../undo/writes-by-thing.ts';
import {
  buildBegun,
  buildEnded,
  type Intent,
  type JournalEntry,
  type JournalLine,
  type RecordedWrite,
  stamp,
  toWhat,
  type WriteOutcome,
} from './entry.ts';
import {
  addLine,
  entryIdOf,
  hasOlder,
  type JournalQuery,
  removeOld,
  selectJournal,
  selectValues,
  selectWrites,
} from './journal-table.ts';
import { createSealedValues } from './sealed-values.ts';

export type Journal = ReturnType<typeof createJournal>;

interface JournalOptions {
  store: Store;
  /** The days that values are kept. */
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  randomId: () => string;
  /** SHA-256 of a body's canonical JSON. */
  digest: (body: unknown) => string;
  sealer: () => Promise<Sealer>;
  /** Takes every known secret out of what is written in clear; the digest stays that of the real body. */
  redact: (value: unknown) => unknown;
  redactText: (text: string) => string;
  /** Whose writes these are, where several people use the same account. */
  by?: Author | undefined;
  /** Is told each line as JSON once it is on the disk, before anything is sent. */
  wrote?: ((lines: readonly string[]) => Promise<void>) | undefined;
  /** Resolves once the writes of other replicas are in the store. */
  catchUp?: (() => Promise<void>) | undefined;
}

const DAY_MS = 86_400_000;
/** The writes of other replicas are read again after so long. */
const FRESH_MS = 15_000;

export function createJournal(options: JournalOptions) {
  const { store, keepDays, now, randomId, by, redact } = options;
  const sealed = createSealedValues(options.sealer, options.redactText);
  const work = createTally();
  const oldestAt = (time: number) => new Date(time - keepDays * DAY_MS).toISOString();

  /** All of them in one transaction. @param how.isEnd of a write that has to be there @throws ConfigError */
  const add = async (
    time: number,
    lines: readonly JournalLine[],
    { waitMs, isEnd = false }: { waitMs?: number; isEnd?: boolean } = {},
  ): Promise<void> => {
    work.start(lines);
    try {
      const hasRemoved = await store.run(function* () {
        const removed = yield* removeOld(oldestAt(time));
        for (const line of lines) {
          // A listing that was left out of a feed ends without a record.
          if (!(yield* addLine(line)) && isEnd) throw new Error('its record is gone');
        }
        return removed;
      }, waitMs);
      if (hasRemoved) await store.wipe();
      await options.wrote?.(lines.map((line) => JSON.stringify(withoutMany(line))));
    } catch (error) {
      throw describeFailure(error, store.folder);
    } finally {
      work.finish(lines);
    }
  };
  const isWithin = createBound();
  const clean = <T extends object>(value: T): T => Object.assign({ ...value }, redact(value));
  const begun = (of: Parameters<typeof buildBegun>[0], { recorded, ...intent }: Intent) => {
    const record = { ...clean({ ...intent, ...recorded }), by };
    const { body } = intent;
    return buildBegun(of, body === undefined ? record : { ...record, bodySha256: options.digest(body) });
  };
  const ended = (id: string, time: number, outcome: WriteOutcome) => buildEnded(id, time, clean(outcome));
  const sealUndo = async ({ cannot, values, isPersonal }: UndoValues) =>
    // That it cannot be undone was told before the yes.
    cannot === undefined && values !== undefined ? { values: await sealed.seal(values, isPersonal) } : {};
  /** Leaves out values that may not lie in clear, and those that cannot be sealed now, since the outcome counts more. */
  const sealFound = async (found: unknown, isPersonal: boolean) =>
    found === undefined
      ? {}
      : sealed.seal(found, isPersonal).then(
          (kept) => ({ found: kept }),
          () => ({}),
        );
  /** Records the first refusals of an hour. */
  const refuse = async (intent: Intent, reason: string): Promise<AppError | undefined> => {
    const time = now();
    if (!isWithin(time)) return undefined;
    const id = randomId();
    const outcome: WriteOutcome = { outcome: 'refused', error: reason };
    return settle(() => add(time, [begun({ id, time, as: 'other' }, intent), ended(id, time, outcome)]));
  };

  const openEntry = async (id: string) => {
    const row = await store.read(() => selectValues(id));
    const kept = valuesSchema.safeParse(await sealed.open(row?.kept)).data;
    if (row === undefined || kept === undefined) return undefined;
    if (row.seen) return { ...kept, found: kept.members.map(({ after }) => after) };
    const found = foundSchema.safeParse(await sealed.open(row.found)).data;
    return found?.length === kept.members.length ? { ...kept, found: found.map((one) => one.found) } : kept;
  };
  const toRecorded = (entry: JournalEntry, hasValues = true): RecordedWrite => ({
    ...entry,
    open: once(async () => (hasValues ? openEntry(entry.id) : undefined)),
  });
  /** Values go also where nothing is written any more. */
  const removeOldNow = async (from: string) => {
    if (await store.read(() => hasOlder(from)))
      await store.run(() => removeOld(from)).then(store.wipe, () => undefined);
  };
  const listed = async (since = 0, thing?: string): Promise<RecordedWrite[]> => {
    const from = oldestAt(now());
    try {
      await removeOldNow(from);
      const entries = await store.read(() => selectWrites(Math.max(since, Date.parse(from)), thing));
      return entries.map((entry) => toRecorded(entry));
    } catch (error) {
      throw describeUnreadable(error, store.folder);
    }
  };
  let caughtUp = Number.NEGATIVE_INFINITY;
  /** A list asks for each of its items. */
  const catchUpNowAndThen = async () => {
    if (Math.abs(now() - caughtUp) < FRESH_MS) return;
    caughtUp = now();
    await options.catchUp?.();
  };

  return {
    /** The days that values are kept. */
    keepDays,
    /**
     * Resolves with the write's id once the intent is on the disk, and the values with which it is undone: only then may the
     * request be sent.
     * @throws ConfigError when it cannot be recorded; nothing may be sent then
     */
    async begin(intent: Intent, undo?: UndoValues): Promise<string> {
      const id = randomId();
      const time = now();
      work.start(id);
      try {
        const kept = undo === undefined ? {} : await sealUndo(undo);
        const as = undo === undefined ? 'other' : 'write';
        const line = begun({ id, time, as }, { ...intent, cannot: undo?.cannot, thing: undo?.thing });
        await add(time, [{ ...line, ...kept }]);
        return id;
      } catch (error) {
        work.finish(id);
        // The store itself may take the refusal no more than the write.
        if (error instanceof AppError) await refuse(intent, error.message);
        throw error;
      }
    },
    /**
     * Records how it ended. Never throws, since the write is what it is: resolves with the problem, to be told beside
     * the result, when the outcome could not be recorded (it then counts as unknown).
     * @param found the members as they were read back, sealed where they are personal
     */
    async end(
      id: string,
      outcome: WriteOutcome,
      { found, isPersonal = false }: { found?: unknown; isPersonal?: boolean | undefined } = {},
    ): Promise<AppError | undefined> {
      const time = now();
      const problem = await settle(async () => {
        const line = { ...ended(id, time, outcome), ...(await sealFound(found, isPersonal)) };
        await add(time, [line], { waitMs: LONG_WAIT_MS, isEnd: true });
      });
      work.finish(id);
      return problem;
    },
    /** Records a write that was refused before anything was sent; resolves like `end`. Of very many in an hour, the first. */
    refuse,
    /**
     * Records the listings of a feed, each as an entry of its own: resolves once the values of all are on the disk.
     * @throws ConfigError when they cannot be kept; nothing may be sent then
     */
    async beginList({ account, owner, operation, batch, what, items }: FeedToRecord): Promise<void> {
      const time = now();
      const lines: JournalLine[] = [];
      for (const { n, undoes, isPart, ...undo } of items) {
        const id = entryIdOf(batch, n);
        const facts = {
          account,
          owner,
          by,
          operation,
          batch,
          undoes,
          isPart,
          thing: thingDigest(undo.values),
        };
        // Nothing else of it has to be masked, and there may be 25,000.
        const words = lines.length === 0 ? { what: what && toWhat(options.redactText(what)) } : {};
        const line = { ...stamp(id, time), kind: 'begun', as: 'listing', ...facts, ...words } as const;
        lines.push({ ...line, cannot: undo.cannot, ...(await sealUndo(undo)) });
      }
      await add(time, lines);
    },
    /** Records the outcomes of listings of a feed, by their numbers. It never throws: an outcome that cannot be recorded counts as unknown. */
    async endList(batch: string, outcomes: readonly (readonly [number, Recorded])[]): Promise<void> {
      const time = now();
      const lines = outcomes.map(([n, outcome]): JournalLine => {
        return { ...stamp(entryIdOf(batch, n), time), kind: 'ended', outcome };
      });
      await add(time, lines, { waitMs: LONG_WAIT_MS }).catch(() => undefined);
    },
    /**
     * Records that the writes were read as sent. It never throws, because a write without that record only
     * counts as possibly not visible yet.
     */
    async noteSeen(ids: readonly string[]): Promise<void> {
      const time = now();
      const lines = ids.map((id) => ({ ...stamp(id, time), kind: 'seen' as const }));
      if (lines.length > 0) await add(time, lines).catch(() => undefined);
    },
    /**
     * Why the write could not be taken back, in a sentence; undefined where it can. Tries whether there is room for what
     * has to be kept.
     */
    async whyNot(write: Undoable, parameters: Intent['parameters'] = {}): Promise<string | undefined> {
      const why = await whyNotUndoable(write, sealed.canSeal);
      if (why !== undefined) return why;
      const members = membersOf(write.change);
      if (sealed.holdsSecret([parameters, members]) && !(await sealed.canSeal())) return HOLDS_SECRET;
      return whyNoRoom(store.folder, ROOM_FACTOR * byteLength(JSON.stringify(members)) + ROOM_BESIDE);
    },
    /** Why a list whose values have so many bytes could not be taken back, as `whyNot`. */
    async whyNotAll(bytes: number): Promise<string | undefined> {
      if (bytes > MAX_LIST_BYTES) {
        return `the values before and after it are larger than ${MAX_LIST_BYTES / 1_000_000} MB for the whole list, and are not kept.`;
      }
      return whyNoRoom(store.folder, LIST_ROOM_FACTOR * bytes + ROOM_BESIDE);
    },
    /** Finds the writes of one thing, or possibly of it, oldest first. @param thing `thingDigest` @param since milliseconds since the epoch */
    async writesOf(thing: string, since: number): Promise<RecordedWrite[]> {
      await catchUpNowAndThen();
      const found: RecordedWrite[] = [];
      for (const entry of await listed(since, thing)) {
        if ((await thingOfEntry(entry)) === thing) found.push(entry);
      }
      return found;
    },
    /** Every write that an undo may find, whoever's it is, oldest first. @param since milliseconds since the epoch: only from then on */
    async list(since?: number): Promise<RecordedWrite[]> {
      await options.catchUp?.();
      return listed(since);
    },
    /** Everything that was recorded, oldest first. @throws ConfigError when the store is there and cannot be read */
    async read(query: JournalQuery): Promise<RecordedWrite[]> {
      await options.catchUp?.();
      return readRows(store, async () => {
        await removeOldNow(oldestAt(now()));
        const rows = await store.read(() => selectJournal(query));
        return rows.map(({ entry, hasValues }) => toRecorded(entry, hasValues));
      });
    },
    /**
     * Resolves when every write that was begun here has its outcome, or is known to get none, and no record is under way.
     * Waiting for records alone would be too little: a call that is cancelled at the end of the process records its
     * outcome only after it has failed. The caller sets the limit: a write may take as long as its call.
     */
    settled: work.settled,
  };
}

const foundSchema = z.array(z.object({ found: z.unknown().optional() }));

/** Others are told of the listings of a feed without their values, which would be too much. */
const withoutMany = (line: JournalLine): JournalLine =>
  line.kind === 'begun' && line.as === 'listing' ? { ...line, values: undefined } : line;

const HOLDS_SECRET =
  'it holds a credential, and without a keychain on this computer its earlier values are not kept.';

/** Sealed and as text, values take more room than they are long; before and after the write. */
const ROOM_FACTOR = 4;
const ROOM_BESIDE = 16_384;
/** Lower for a feed, into which nothing is read back. */
const LIST_ROOM_FACTOR = 1.6;

async function whyNoRoom(folder: string, bytes: number): Promise<string | undefined> {
  try {
    await makeFolder(folder, 0o700);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= bytes) return undefined;
    return `its earlier values cannot be kept in ${folder}: the disk is full.`;
  } catch (error) {
    return `its earlier values cannot be kept in ${folder}: ${reasonOf(error)}.`;
  }
}

/** Reads once, because the entries of a list are looked at several times. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= read();
    return made;
  };
}

/** Of one session. Nothing is sent, and the journal is never trimmed: who may only read could fill the disk with them. */
const MOST_REFUSALS = 200;
const HOUR_MS = 3_600_000;

/** True so often in an hour. */
function createBound(): (now: number) => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now - since >= HOUR_MS) [since, count] = [now, 0];
    count += 1;
    return count <= MOST_REFUSALS;
  };
}

/** Things under way, and a promise of the moment when there are none. */
function createTally() {
  const underWay = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const tell = () => {
    if (underWay.size === 0) for (const go of waiting.splice(0)) go();
  };
  return {
    start: (thing: unknown) => underWay.add(thing),
    finish(thing: unknown) {
      underWay.delete(thing);
      tell();
    },
    settled() {
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
        tell();
      });
    },
  };
}

async function settle(add: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await add();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function describeFailure(error: unknown, folder: string): AppError {
  if (error instanceof AppError) return error;
  return new ConfigError(
    `The journal of writes in ${folder} cannot be written: ${reasonOf(error)}.`,
    `No write is sent without a record. ${nextStep(error)}, or choose another folder with --state-dir (SELLER_STATE_DIR).`,
    { cause: error },
  );
}

function nextStep(error: unknown): string {
  return error instanceof NotAFileError ? 'Move it away' : 'Make the folder writable, free some space';
}

/** Oldest first. @throws ConfigError when the store is there and cannot be read */
export function readJournal(store: Store, query: JournalQuery = {}): Promise<JournalEntry[]> {
  return readRows(store, async () =>
    (await store.read(() => selectJournal(query))).map(({ entry }) => entry),
  );
}

async function readRows<Row>(store: Store, read: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : describeUnread(error, store.folder);
  }
}

/** Told by what is about to undo, or to hold a write against others. */
function describeUnreadable(error: unknown, folder: string): AppError {
  return new ConfigError(
    `What was changed from here cannot be read in ${folder}: ${reasonOf(error)}.`,
    'Nothing can be undone until it can be read again. Remove or put right what is named.',
    { cause: error },
  );
}

function describeUnread(error: unknown, folder: string): ConfigError {
  return new ConfigError(
    `The journal of writes in ${folder} cannot be read: ${reasonOf(error)}.`,
    error instanceof NotAFileError
      ? 'Move it away, or name another folder with --state-dir (SELLER_STATE_DIR).'
      : 'Make the folder and its store.db readable, or name another folder with --state-dir (SELLER_STATE_DIR).',
    { cause: error },
  );
}
