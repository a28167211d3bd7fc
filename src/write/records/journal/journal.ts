/**
 * The journal of writes records an intent before anything is sent, and an outcome after. The record stays for
 * good; the values before and after stay for some days, so that the write can be undone.
 */

import { statfs } from 'node:fs/promises';
import * as z from 'zod';
import { AppError, ConfigError } from '../../../base/errors.ts';
import { byteLength } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { makeFolder } from '../../../store/make-folder.ts';
import { NotAFileError } from '../../../store/open-file.ts';
import { LONG_WAIT_MS, type Store } from '../../../store/store.ts';
import { membersOf } from '../../model/changed-members.ts';
import type { RecordedOutcome } from '../../model/outcome.ts';
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
  buildLineStamp,
  type JournalEntry,
  type JournalLine,
  maskChangeText,
  type RecordedWrite,
  type WriteIntent,
  type WriteOutcome,
} from './entry.ts';
import {
  addLine,
  entryIdOf,
  hasOldValues,
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
  /** The number of days that values are stored. */
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  randomId: () => string;
  /** SHA-256 of a body's canonical JSON. */
  digest: (body: unknown) => string;
  sealer: () => Promise<Sealer>;
  /** Removes every known secret from what is written in clear; the digest stays that of the real body. */
  redact: (value: unknown) => unknown;
  redactText: (text: string) => string;
  /** The user who makes these writes, where several use the same account. */
  by?: Author | undefined;
  /** Receives each line as JSON once it is on the disk, before anything is sent. */
  wrote?: ((lines: readonly string[]) => Promise<void>) | undefined;
  /** Resolves once the writes of other replicas are in the store. */
  catchUp?: (() => Promise<void>) | undefined;
}

const DAY_MS = 86_400_000;
/** The age at which the writes of other replicas are read again. */
const FRESH_MS = 15_000;

export function createJournal(options: JournalOptions) {
  const { store, keepDays, now, randomId, by, redact } = options;
  const sealed = createSealedValues(options.sealer, options.redactText);
  const work = createTally();
  const oldestAt = (time: number) => new Date(time - keepDays * DAY_MS).toISOString();

  /**
   * Adds all lines in one transaction.
   * @param isEnd requires the record of the write to exist
   * @throws ConfigError
   */
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
  const isBelowLimit = createHourlyLimit();
  const clean = <T extends object>(value: T): T => Object.assign({ ...value }, redact(value));
  const begun = (of: Parameters<typeof buildBegun>[0], { recorded, ...intent }: WriteIntent) => {
    const record = { ...clean({ ...intent, ...recorded }), by };
    const { body } = intent;
    return buildBegun(of, body === undefined ? record : { ...record, bodySha256: options.digest(body) });
  };
  const ended = (id: string, time: number, outcome: WriteOutcome) => buildEnded(id, time, clean(outcome));
  const sealUndo = async ({ cannot, values, isPersonal }: UndoValues) =>
    // The preview has already shown that this write cannot be undone.
    cannot === undefined && values !== undefined ? { values: await sealed.seal(values, isPersonal) } : {};
  /**
   * Leaves out values that may not lie in clear, and those that cannot be sealed now, because the outcome
   * matters more.
   */
  const sealFound = async (found: unknown, isPersonal: boolean) =>
    found === undefined
      ? {}
      : sealed.seal(found, isPersonal).then(
          (saved) => ({ found: saved }),
          () => ({}),
        );
  /** Records a refusal, unless the limit of this hour is reached. */
  const refuse = async (intent: WriteIntent, reason: string): Promise<AppError | undefined> => {
    const time = now();
    if (!isBelowLimit(time)) return undefined;
    const id = randomId();
    const outcome: WriteOutcome = { outcome: 'refused', error: reason };
    return settle(() => add(time, [begun({ id, time, as: 'other' }, intent), ended(id, time, outcome)]));
  };

  const openEntry = async (id: string) => {
    const row = await store.read(() => selectValues(id));
    const data = valuesSchema.safeParse(await sealed.open(row?.kept)).data;
    if (row === undefined || data === undefined) return undefined;
    if (row.seen) return { ...data, found: data.members.map(({ after }) => after) };
    const found = foundSchema.safeParse(await sealed.open(row.found)).data;
    return found?.length === data.members.length ? { ...data, found: found.map((one) => one.found) } : data;
  };
  const toRecorded = (entry: JournalEntry, hasValues = true): RecordedWrite => ({
    ...entry,
    open: once(async () => (hasValues ? openEntry(entry.id) : undefined)),
  });
  /** Removes old values on a read, too, because there may be no write any more that removes them. */
  const removeOldNow = async (from: string) => {
    if (await store.read(() => hasOldValues(from)))
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
  /** Limits how often the others' writes are read, because a batch asks for each of its items. */
  const catchUpNowAndThen = async () => {
    if (Math.abs(now() - caughtUp) < FRESH_MS) return;
    caughtUp = now();
    await options.catchUp?.();
  };

  return {
    /** The number of days that values are stored. */
    keepDays,
    /**
     * Records the intent and the values that its undo needs. It resolves with the write's id once they are on
     * the disk; only then may the request be sent.
     * @throws ConfigError when it cannot be recorded; nothing may be sent then
     */
    async begin(intent: WriteIntent, undo?: UndoValues): Promise<string> {
      const id = randomId();
      const time = now();
      work.start(id);
      try {
        const saved = undo === undefined ? {} : await sealUndo(undo);
        const as = undo === undefined ? 'other' : 'write';
        const line = begun({ id, time, as }, { ...intent, cannot: undo?.cannot, thing: undo?.thing });
        await add(time, [{ ...line, ...saved }]);
        return id;
      } catch (error) {
        work.finish(id);
        // The store may reject the record of the refusal as well.
        if (error instanceof AppError) await refuse(intent, error.message);
        throw error;
      }
    },
    /**
     * Records the outcome. It never throws, because the write has already happened. It resolves with the
     * problem, to be shown beside the result, when the outcome could not be recorded and so counts as
     * unknown.
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
    /**
     * Records a write that was rejected before anything was sent; resolves like `end`. It drops records above
     * the hourly limit.
     */
    refuse,
    /**
     * Records each listing of a feed as an entry of its own. It resolves once the values of all are on the
     * disk.
     * @throws ConfigError when they cannot be stored; nothing may be sent then
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
        // The text is masked once and for the first listing only, because there may be 25,000.
        const changeText =
          lines.length === 0 ? { what: what && maskChangeText(options.redactText(what)) } : {};
        const line = {
          ...buildLineStamp(id, time),
          kind: 'begun',
          as: 'listing',
          ...facts,
          ...changeText,
        } as const;
        lines.push({ ...line, cannot: undo.cannot, ...(await sealUndo(undo)) });
      }
      await add(time, lines);
    },
    /**
     * Records the outcomes of a feed's listings, by their numbers. It never throws: an outcome that cannot be
     * recorded counts as unknown.
     */
    async endList(batch: string, outcomes: readonly (readonly [number, RecordedOutcome])[]): Promise<void> {
      const time = now();
      const lines = outcomes.map(([n, outcome]): JournalLine => {
        return { ...buildLineStamp(entryIdOf(batch, n), time), kind: 'ended', outcome };
      });
      await add(time, lines, { waitMs: LONG_WAIT_MS }).catch(() => undefined);
    },
    /**
     * Records that the writes were read as sent. It never throws, because a write without that record only
     * counts as possibly not visible yet.
     */
    async noteSeen(ids: readonly string[]): Promise<void> {
      const time = now();
      const lines = ids.map((id) => ({ ...buildLineStamp(id, time), kind: 'seen' as const }));
      if (lines.length > 0) await add(time, lines).catch(() => undefined);
    },
    /**
     * Returns a sentence that says why the write could not be undone; undefined where it could. It also
     * checks the free space for what has to be stored.
     */
    async whyNot(write: Undoable, parameters: WriteIntent['parameters'] = {}): Promise<string | undefined> {
      const why = await whyNotUndoable(write, sealed.canSeal);
      if (why !== undefined) return why;
      const members = membersOf(write.change);
      if (sealed.holdsSecret([parameters, members]) && !(await sealed.canSeal())) return HAS_SECRET;
      return whyNoSpace(store.folder, ROOM_FACTOR * byteLength(JSON.stringify(members)) + ROOM_BESIDE);
    },
    /** Returns why a batch with this many bytes of values could not be undone, like `whyNot`. */
    async whyNotAll(bytes: number): Promise<string | undefined> {
      if (bytes > MAX_LIST_BYTES) {
        return `the values before and after it are larger than ${MAX_LIST_BYTES / 1_000_000} MB for the whole list, and are not kept.`;
      }
      return whyNoSpace(store.folder, LIST_ROOM_FACTOR * bytes + ROOM_BESIDE);
    },
    /**
     * Finds the writes that are, or may be, about one thing, oldest first.
     * @param thing `thingDigest`
     * @param since milliseconds since the epoch
     */
    async writesOf(thing: string, since: number): Promise<RecordedWrite[]> {
      await catchUpNowAndThen();
      const found: RecordedWrite[] = [];
      for (const entry of await listed(since, thing)) {
        if ((await thingOfEntry(entry)) === thing) found.push(entry);
      }
      return found;
    },
    /**
     * Lists the writes of all owners that an undo may find, oldest first.
     * @param since milliseconds since the epoch, inclusive
     */
    async list(since?: number): Promise<RecordedWrite[]> {
      await options.catchUp?.();
      return listed(since);
    },
    /**
     * Reads the recorded writes, oldest first.
     * @throws ConfigError when the store exists and cannot be read
     */
    async read(query: JournalQuery): Promise<RecordedWrite[]> {
      await options.catchUp?.();
      return readRows(store, async () => {
        await removeOldNow(oldestAt(now()));
        const rows = await store.read(() => selectJournal(query));
        return rows.map(({ entry, hasValues }) => toRecorded(entry, hasValues));
      });
    },
    /**
     * Resolves when every write that was begun here has its outcome, or is known to get none, and no record
     * is in progress. Waiting for records alone is not enough: a call cancelled at the end of the process
     * records its outcome only after it has failed. The caller sets the limit, because a write may take as
     * long as its call.
     */
    settled: work.settled,
  };
}

const foundSchema = z.array(z.object({ found: z.unknown().optional() }));

/**
 * Returns the line for other replicas, who get the listings of a feed without their values, since those are
 * too large.
 */
const withoutMany = (line: JournalLine): JournalLine =>
  line.kind === 'begun' && line.as === 'listing' ? { ...line, values: undefined } : line;

const HAS_SECRET =
  'it holds a credential, and without a keychain on this computer its earlier values are not kept.';

/**
 * The disk space for each byte of values, before and after the write, because sealed text is longer than the
 * values.
 */
const ROOM_FACTOR = 4;
const ROOM_BESIDE = 16_384;
/** The factor is lower for a feed, because nothing is read back into it. */
const LIST_ROOM_FACTOR = 1.6;

async function whyNoSpace(folder: string, bytes: number): Promise<string | undefined> {
  try {
    await makeFolder(folder, 0o700);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= bytes) return undefined;
    return `its earlier values cannot be kept in ${folder}: the disk is full.`;
  } catch (error) {
    return `its earlier values cannot be kept in ${folder}: ${reasonOf(error)}.`;
  }
}

/** Reads once, because the entries of a batch are looked at several times. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= read();
    return made;
  };
}

/**
 * The maximum number of refusals that a session records in an hour. The journal is never trimmed, so a client
 * that may only read could otherwise fill the disk with them.
 */
const MAX_REFUSALS = 200;
const HOUR_MS = 3_600_000;

/** Returns a function that is true for the first MAX_REFUSALS calls of an hour. */
function createHourlyLimit(): (now: number) => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now - since >= HOUR_MS) [since, count] = [now, 0];
    count += 1;
    return count <= MAX_REFUSALS;
  };
}

/** Tracks the work in progress, and resolves `settled` when there is none. */
function createTally() {
  const underWay = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const resolveWhenIdle = () => {
    if (underWay.size === 0) for (const go of waiting.splice(0)) go();
  };
  return {
    start: (thing: unknown) => underWay.add(thing),
    finish(thing: unknown) {
      underWay.delete(thing);
      resolveWhenIdle();
    },
    settled() {
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
        resolveWhenIdle();
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

/** Reads the journal, oldest entry first. @throws ConfigError when the store exists and cannot be read */
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

/** Describes the error for a caller that is about to undo a write or to compare it with others. */
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
