/**
 * Stores batches as rows: one for each batch, and one for each item that has begun. The store is this
 * computer's, or the one that replicas share.
 */

import * as z from 'zod';
import { splitIntoChunks } from '../../../base/concurrent.ts';
import { jsonText } from '../../../base/json.ts';
import { type SharedStep, StoreUnavailable } from '../../../replicas/shared-step.ts';
import type { SharedStore } from '../../../replicas/shared-store.ts';
import {
  type Lease,
  newMark,
  readHolder,
  releaseLease,
  renewLease,
  takeLease,
} from '../../../store/leases.ts';
import { execute, lastFitting, put, type StoreStep, select, sizeRow, sql } from '../../../store/statement.ts';
import { LONG_WAIT_MS, type Store } from '../../../store/store.ts';
import { BatchWaitsError } from './batch.ts';
import {
  type BatchContent,
  type BatchHead,
  parseDetail,
  parseHead,
  type StoredDetail,
} from './batch-content.ts';
import {
  type BatchChange,
  type BatchFlags,
  changeBatch,
  changeItem,
  type ItemState,
  NEW_ITEM_STATE,
  NO_FLAGS,
  parseFlags,
  parseItem,
  withdrawItem,
} from './batch-state.ts';
import { addOldLine, type BatchRows, newOldBatch } from './old-batch-lines.ts';

/**
 * Stores batches and their items, and knows which process works on one. A test has one that fails between any
 * two steps.
 */
export interface BatchTable {
  /**
   * Writes all of the batch or nothing.
   * @param known the ids of all batches that the caller has checked
   * @returns false if there is another one by now, and nothing was written
   * @throws ConfigError, the store's error (disk full ...); while the store is away, each method throws
   * BatchWaitsError
   */
  create(content: BatchContent, known: readonly string[]): Promise<boolean>;
  /**
   * Resolves once the changes are on the disk, and returns whether each was accepted. A claim of another
   * run's item is rejected. So is a change that only the process with the lease may make, if that is another
   * one.
   * @throws as `create`; none of the changes is stored then
   */
  change(id: string, changes: readonly BatchChange[]): Promise<boolean[]>;
  /** Returns the head, or undefined if there is no such batch. */
  head(id: string): Promise<BatchHead | undefined>;
  /** Yields the confirmed items in parts; undefined for a part that cannot be read. */
  values(id: string): AsyncIterable<StoredDetail | undefined>;
  /**
   * Yields the state in parts, with the items that changed after change number `from` (0: all); yields
   * nothing for an unknown batch.
   */
  read(id: string, from: number): AsyncIterable<BatchStatePart>;
  list(): Promise<{ id: string; isTold: boolean }[]>;
  markTold(id: string): Promise<void>;
  /** Removes the batches that have not changed for so many milliseconds. */
  sweep(keptMs: number): Promise<void>;
  /** Claims the batch. It resolves to undefined while another process works on it. */
  hold(id: string): Promise<Lease | undefined>;
  isHeld(id: string): Promise<boolean>;
}

export interface BatchStatePart {
  flags: BatchFlags;
  items: readonly NumberedItem[];
  /** The change number up to which the state is read. */
  place: number;
  isLast: boolean;
}

/** Times are milliseconds of the store's clock. */
export const BATCH_TABLES = `
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    changed_at REAL NOT NULL,
    told INTEGER NOT NULL DEFAULT 0,
    holder TEXT,
    place TEXT,
    pid INTEGER,
    heard_at REAL
  ) STRICT;
  CREATE TABLE batch_lines (
    batch TEXT NOT NULL,
    n INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (batch, n)
  ) STRICT, WITHOUT ROWID`;

/** `server` and `generation` identify the store when the batch was made; an older batch has neither. */
export const CLAIM_TABLES = `
  INSERT INTO leases (name, mark, place, pid, heard_at)
    SELECT 'list ' || id, holder, place, pid, heard_at FROM batches WHERE holder IS NOT NULL;
  ALTER TABLE batches DROP COLUMN holder;
  ALTER TABLE batches DROP COLUMN place;
  ALTER TABLE batches DROP COLUMN pid;
  ALTER TABLE batches DROP COLUMN heard_at;
  ALTER TABLE batches ADD COLUMN server TEXT;
  ALTER TABLE batches ADD COLUMN generation TEXT;
  ALTER TABLE batches ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE batch_items (
    batch TEXT NOT NULL,
    item INTEGER NOT NULL,
    owner TEXT NOT NULL,
    sender TEXT NOT NULL,
    PRIMARY KEY (batch, item)
  ) STRICT, WITHOUT ROWID`;

/**
 * Each item has its state in a row. `n` numbers the changes, so a reader of one number continues with the
 * changes after it. `last` is the batch's number. `last_of_item` is the largest of the rows, and shows
 * whether they are complete. Lines of batches that were running are converted when such a batch is next read.
 */
export const ITEM_TABLES = `
  ALTER TABLE batches ADD COLUMN head TEXT;
  ALTER TABLE batches ADD COLUMN flags TEXT;
  ALTER TABLE batches ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batches ADD COLUMN last_of_item INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE batches DROP COLUMN in_doubt;
  CREATE TABLE batch_values (
    batch TEXT NOT NULL,
    part INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (batch, part)
  ) STRICT, WITHOUT ROWID;
  DROP TABLE batch_items;
  CREATE TABLE batch_items (
    batch TEXT NOT NULL,
    item INTEGER NOT NULL,
    n INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (batch, item)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX batch_items_changed ON batch_items (batch, n)`;

/** The store of a computer or of replicas, as batches need it. */
export interface BatchStore {
  /** Runs a step; one step of a topic runs at a time. */
  change<T>(topic: string, step: SharedStep<T>): Promise<T>;
  /** Runs a step that only reads. */
  read<T>(topic: string, step: SharedStep<T>): Promise<T>;
  /** Removes deleted values from the files too. */
  wipe(): Promise<void>;
  /** Returns the generation of its contents at the last check. */
  generation(): string;
  /** Checks its generation now. */
  look(): Promise<void>;
  /**
   * A process that is silent for this long has lost its batch. That alone never sends an item twice: see
   * send-batch.ts.
   */
  silentMs: number;
  among: 'computer' | 'replicas';
}

const LOCAL_SILENT_MS = 60_000;
const SHARED_SILENT_MS = 10_000;
/** The max characters and rows of one result. */
const PART_LENGTH = 262_144;
const PART_ROWS = 500;
const ROWS_A_STATEMENT = 100;

const IN_DOUBT =
  'What the list lies in was restored, was replaced or has lost some of it, so what has no outcome may have been sent. Nothing more of it is sent; what can be read tells what became of each. Call again for the rest: it is shown anew.';

/** Wraps the store of this computer, which nothing replaces while it is open. */
export const localBatches = (store: Store, now: () => number = Date.now): BatchStore => {
  const moment = () => ({ now: now() * 1000, server: '' });
  return {
    change: (_topic, step) => store.run(() => step(moment()), LONG_WAIT_MS),
    read: (_topic, step) => store.read(() => step(moment())),
    wipe: () => store.wipe(),
    generation: () => '',
    look: async () => undefined,
    silentMs: LOCAL_SILENT_MS,
    among: 'computer',
  };
};

/**
 * Wraps the store of replicas. While it is away nothing is sent, because nothing can be claimed.
 * @param silentMs another limit in tests
 */
export const sharedBatches = (store: SharedStore, silentMs = SHARED_SILENT_MS): BatchStore => {
  const run: BatchStore['change'] = (topic, step) => store.run(topic, step).catch(throwWaits);
  return {
    change: run,
    read: run,
    wipe: async () => undefined,
    generation: () => store.generation,
    look: () => store.look().catch(throwWaits),
    silentMs,
    among: 'replicas',
  };
};

function throwWaits(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error;
  throw new BatchWaitsError(
    `The store that replicas share is away (${error.message}): nothing is sent that cannot be written down there.`,
    'It goes on by itself once the store is back; whoever runs this server sees it in the log.',
  );
}

/** A process checks all batches before it begins one, so that they begin one after the other. */
const BEGINNING = 'lists';
const topicOf = (id: string) => `list ${id}`;

export function openBatchTable(store: BatchStore): BatchTable {
  const { silentMs, among } = store;
  /** The number of the last change of each batch that this process has seen. */
  const seen = new Map<string, number>();
  /** The leases of this process that have ended without a record of it. */
  const ended = new Set<string>();

  /** Runs a step on a batch. @returns undefined if there is no such batch */
  const onBatch = async <T>(
    id: string,
    body: (found: FoundBatch) => StoreStep<T>,
    kind: 'change' | 'read' = 'change',
  ): Promise<T | undefined> => {
    for (let isSure = false, how = kind; ; ) {
      const isReading = how === 'read';
      // The step may wait in a queue, so its knowledge is taken when it begins.
      const done = await store[how](topicOf(id), ({ now, server }) => {
        const known = { id, generation: store.generation(), seen: seen.get(id) ?? 0, isSure };
        return checkAndRun({ ...known, now: now / 1000, server, isReading }, body);
      });
      if (done === 'generation') {
        await store.look();
        isSure = true;
      } else if (done === 'write') how = 'change';
      else {
        if (done !== undefined) seen.set(id, Math.max(seen.get(id) ?? 0, done.last));
        return done?.value;
      }
    }
  };
  /** @throws Error if there is no such batch */
  const change = async <T>(id: string, body: (found: FoundBatch) => StoreStep<T>): Promise<T> => {
    const done = await onBatch(id, function* (found) {
      return { value: yield* body(found) };
    });
    if (done === undefined) throw new Error('the list is not in the store any more');
    return done.value;
  };

  return {
    create: (content, known) =>
      store.change(BEGINNING, ({ now, server }) =>
        createBatch(content, { now: now / 1000, server, generation: store.generation() }, known),
      ),
    change: (id, changes) => change(id, (found) => applyChanges(found, changes)),
    head: (id) => onBatch(id, () => readHead(id), 'read'),
    async *values(id) {
      for (let part = 0; ; part += 1) {
        const value = await onBatch(id, () => readValue(id, part), 'read');
        if (value === undefined) return;
        yield parseDetail(value);
      }
    },
    async *read(id, from) {
      for (let after = from; ; ) {
        const part = await onBatch(id, (found) => readStanding(found, after), 'read');
        if (part === undefined) return;
        yield part;
        if (part.isLast) return;
        after = part.place;
      }
    },
    async list() {
      // The read does not wait for a process that begins a batch, which may take seconds.
      const rows = await store.read('all lists', () =>
        select(sql`SELECT id, told FROM batches ORDER BY id`, listedRow),
      );
      return rows.map(({ id, told }) => ({ id, isTold: told === 1 }));
    },
    markTold: (id) =>
      store.change(topicOf(id), () => execute(sql`UPDATE batches SET told = 1 WHERE id = ${id}`)),
    async sweep(keptMs) {
      const gone = await store.change(BEGINNING, ({ now }) => removeOld(now / 1000 - keptMs));
      if (gone > 0) await store.wipe();
    },
    async hold(id) {
      // The store may have been restored a moment ago.
      await store.look();
      const mark = newMark();
      const taken = await change(id, function* ({ now, holder }) {
        if (holder !== null && ended.has(holder)) yield* releaseLease(topicOf(id), holder);
        return yield* takeLease(topicOf(id), mark, { now, silentMs, among });
      });
      return (
        taken && {
          mark,
          ...taken,
          // While the store is away no other process can claim the batch; items are claimed there all the
          // same.
          isOurs: async () =>
            (await onBatch(id, ({ now }) => renewLease(topicOf(id), mark, { now, silentMs })).catch(
              () => true,
            )) === true,
          release: () =>
            store
              .change(topicOf(id), () => releaseLease(topicOf(id), mark))
              .catch(() => void ended.add(mark)),
        }
      );
    },
    async isHeld(id) {
      const holder = await onBatch(
        id,
        ({ now }) => readHolder(topicOf(id), { now, silentMs, among }),
        'read',
      );
      return holder !== undefined && !ended.has(holder.mark);
    },
  };
}

const listedRow = z.object({ id: z.string(), told: z.int() });
const batchRow = z.object({
  server: z.string().nullable(),
  generation: z.string().nullable(),
  /** The flags as JSON; null while the batch is still in lines. */
  flags: z.string().nullable(),
  /** The number of the batch's last change, and of the last item change: as recorded, and as found. */
  last: z.int(),
  last_of_item: z.int(),
  found: z.int().nullable(),
  /** The mark of the lease, which may have ended. */
  holder: z.string().nullable(),
});

// Every step first checks whether the store may have lost data.

interface BatchCheck {
  id: string;
  /** The generation that the caller knows, and whether it was just checked. */
  generation: string;
  isSure: boolean;
  /** The last change that the caller has seen. */
  seen: number;
  now: number;
  server: string;
  /** This step cannot write. */
  isReading: boolean;
}

interface FoundBatch {
  id: string;
  flags: BatchFlags;
  /** The number of its last change. */
  last: number;
  /** The number of the last change of an item. */
  lastOfItem: number;
  holder: string | null;
  now: number;
}

/**
 * Checks the batch, then runs the body. A batch is in doubt if its server differs (after a failover) or its
 * contents were restored. It also is if it has fewer changes than a process has seen of it, or than it
 * recorded. The doubt is stored, and no process works on the batch any more.
 * @returns undefined if there is no such batch; `generation` if that has to be checked first; `write` if
 * something has to be written first
 */
function* checkAndRun<T>(
  looking: BatchCheck,
  body: (found: FoundBatch) => StoreStep<T>,
): StoreStep<{ value: T; last: number } | 'generation' | 'write' | undefined> {
  const { id, generation, isSure, seen, now, server, isReading } = looking;
  const [row] = yield* select(
    sql`SELECT server, generation, flags, last, last_of_item, mark AS holder,
        (SELECT max(n) FROM batch_items WHERE batch = id) AS found
      FROM batches LEFT JOIN leases ON leases.name = ${topicOf(id)} WHERE id = ${id}`,
    batchRow,
  );
  if (row === undefined && seen === 0) return undefined;
  const found: FoundBatch = {
    ...{ id, now, flags: NO_FLAGS, last: 0, lastOfItem: row?.found ?? 0 },
    holder: row?.holder ?? null,
  };
  if (row?.flags === null) {
    if (isReading) return 'write';
    Object.assign(found, yield* convertLines(id));
  } else if (row !== undefined) Object.assign(found, { flags: parseFlags(row.flags), last: row.last });
  const isWhole = found.last >= seen && (row?.flags === null || row?.last_of_item === (row?.found ?? 0));
  const isSame = row !== undefined && (row.server ?? server) === server && isWhole;
  if (!isSame || (row.generation ?? generation) !== generation) {
    if (isSame && !isSure) return 'generation';
    if (isReading) return 'write';
    found.holder = null;
    found.flags = changeBatch(found.flags, { t: 'doubt', why: IN_DOUBT });
    found.last = Math.max(found.last, seen) + LOST_CHANGES;
    const { last, lastOfItem } = found;
    const flags = JSON.stringify(found.flags);
    const doubt = { flags, last, last_of_item: lastOfItem };
    yield put('batches', 'id', { id, changed_at: now, server, generation, ...doubt });
    yield sql`DELETE FROM leases WHERE name = ${topicOf(id)}`;
  }
  const value = yield* body(found);
  return { value, last: found.last };
}

/** The max number of lost changes: the doubt gets a number above every one that any process has read. */
const LOST_CHANGES = 1_000_000;

interface BatchOrigin {
  now: number;
  server: string | null;
  generation: string | null;
}

function* createBatch(content: BatchContent, how: BatchOrigin, known: readonly string[]): StoreStep<boolean> {
  const stored = yield* select(sql`SELECT id, told FROM batches`, listedRow);
  if (stored.some((one) => !known.includes(one.id))) return false;
  const batch = { ...content, flags: NO_FLAGS, items: new Map() };
  if (!(yield* insertBatch(content.head.id, batch, how)))
    throw new Error(`there is a list ${content.head.id} already`);
  return true;
}

/** Inserts a batch. @returns false if it exists already */
export function* insertBatch(
  id: string,
  batch: BatchRows,
  { now, server, generation }: BatchOrigin,
): StoreStep<boolean> {
  const added = yield sql`INSERT INTO batches (id, changed_at, server, generation)
    VALUES (${id}, ${now}, ${server}, ${generation}) ON CONFLICT DO NOTHING RETURNING id`;
  if (added.length > 0) yield* putContent(id, batch);
  return added.length > 0;
}

function* putContent(id: string, { head, values, flags, items }: BatchRows): StoreStep<Counted> {
  for (const [part, value] of values.entries())
    yield sql`INSERT INTO batch_values (batch, part, value) VALUES (${id}, ${part}, ${jsonText(value)})`;
  const counted = { id, last: 1, lastOfItem: 0 };
  yield* putItems(counted, [...items]);
  const { last, lastOfItem } = counted;
  const text = head && jsonText(head);
  yield sql`UPDATE batches SET head = ${text}, flags = ${JSON.stringify(flags)}, last = ${last},
    last_of_item = ${lastOfItem} WHERE id = ${id}`;
  return counted;
}

function* convertLines(id: string): StoreStep<Pick<FoundBatch, 'flags' | 'last' | 'lastOfItem'>> {
  const batch = newOldBatch();
  for (let after = 0; ; ) {
    const part = yield* readLines(id, after);
    if (part.length === 0) break;
    // Each part is parsed before the next query, because the server waits at most a second between two
    // statements.
    for (const { n, line } of part) {
      addOldLine(batch, line);
      after = n;
    }
  }
  const { last, lastOfItem } = yield* putContent(id, batch);
  yield sql`DELETE FROM batch_lines WHERE batch = ${id}`;
  return { flags: batch.flags, last, lastOfItem };
}

function* applyChanges(found: FoundBatch, changes: readonly BatchChange[]): StoreStep<boolean[]> {
  const taken: boolean[] = [];
  for (const change of changes) taken.push(yield* applyChange(found, change));
  const { id, last, lastOfItem, now } = found;
  yield sql`UPDATE batches SET changed_at = ${now}, last = ${last}, last_of_item = ${lastOfItem},
    flags = ${JSON.stringify(found.flags)} WHERE id = ${id}`;
  return taken;
}

/** @param found is updated */
function* applyChange(found: FoundBatch, change: BatchChange): StoreStep<boolean> {
  const { id, flags } = found;
  if ('i' in change) {
    const [[, item] = [change.i, NEW_ITEM_STATE]] = yield* readItems(id, [change.i]);
    const changed = changeItem(item, change, found);
    if (changed === undefined) return false;
    yield* putItems(found, [[change.i, changed]]);
    if (change.t === 'sending') found.flags = { ...flags, whyHalted: undefined };
    return true;
  }
  found.last += 1;
  found.flags = changeBatch(flags, change);
  const withdrawn = yield* readItems(id, (change.t === 'withdrawn' && change.items) || []);
  yield* putItems(
    found,
    withdrawn.map(([i, item]) => [i, withdrawItem(item, found.flags)]),
  );
  return true;
}

const headRow = z.object({ head: z.string().nullable() });

function* readHead(id: string): StoreStep<BatchHead | undefined> {
  const [row] = yield* select(sql`SELECT head FROM batches WHERE id = ${id}`, headRow);
  return parseHead(row?.head ?? null);
}

function* readValue(id: string, part: number): StoreStep<string | undefined> {
  const [row] = yield* select(
    sql`SELECT value FROM batch_values WHERE batch = ${id} AND part = ${part}`,
    z.object({ value: z.string() }),
  );
  return row?.value;
}

// An item without a row has not begun.

type NumberedItem = readonly [item: number, state: ItemState];
type Counted = Pick<FoundBatch, 'id' | 'last' | 'lastOfItem'>;

const itemRow = z.object({ item: z.int(), state: z.string() });

/** Stores each item with a change number of its own. @param counted is updated */
function* putItems(counted: Counted, items: readonly NumberedItem[]): StoreStep<void> {
  for (const some of splitIntoChunks(items, ROWS_A_STATEMENT)) {
    const rows = some.map(() => '(?, ?, ?, ?)').join(', ');
    const values = some.flatMap(([item, state]) => [counted.id, item, ++counted.last, jsonText(state)]);
    yield {
      text: `INSERT INTO batch_items (batch, item, n, state) VALUES ${rows}
        ON CONFLICT (batch, item) DO UPDATE SET n = excluded.n, state = excluded.state`,
      values,
    };
    counted.lastOfItem = counted.last;
  }
}

function* readItems(id: string, items: readonly number[]): StoreStep<NumberedItem[]> {
  const known = new Map<number, ItemState>();
  for (const some of splitIntoChunks(items, ROWS_A_STATEMENT)) {
    const text = `SELECT item, state FROM batch_items WHERE batch = ? AND item IN (${some.map(() => '?').join(', ')})`;
    for (const { item, state } of yield* select({ text, values: [id, ...some] }, itemRow))
      known.set(item, parseItem(state));
  }
  return items.map((item) => [item, known.get(item) ?? NEW_ITEM_STATE]);
}

function* readStanding({ id, flags, last }: FoundBatch, from: number): StoreStep<BatchStatePart> {
  if (last <= from) return { flags, items: [], place: last, isLast: true };
  const next = yield* select(
    sql`SELECT n, length(state) AS size FROM batch_items
      WHERE batch = ${id} AND n > ${from} ORDER BY n LIMIT ${PART_ROWS}`,
    sizeRow,
  );
  const to = lastFitting(next, PART_LENGTH) ?? from;
  const rows = yield* select(
    sql`SELECT item, state FROM batch_items WHERE batch = ${id} AND n > ${from} AND n <= ${to} ORDER BY n`,
    itemRow,
  );
  const isLast = next.length < PART_ROWS && to === (next.at(-1)?.n ?? from);
  const items = rows.map(({ item, state }) => [item, parseItem(state)] as const);
  return { flags, items, place: isLast ? last : to, isLast };
}

const lineRow = z.object({ n: z.int(), line: z.string() });

function* readLines(id: string, after: number): StoreStep<z.output<typeof lineRow>[]> {
  const next = yield* select(
    sql`SELECT n, length(line) AS size FROM batch_lines WHERE batch = ${id} AND n > ${after} ORDER BY n LIMIT ${PART_ROWS}`,
    sizeRow,
  );
  const to = lastFitting(next, PART_LENGTH) ?? after;
  return yield* select(
    sql`SELECT n, line FROM batch_lines WHERE batch = ${id} AND n > ${after} AND n <= ${to} ORDER BY n`,
    lineRow,
  );
}

function* removeOld(before: number): StoreStep<number> {
  const gone = yield* select(
    sql`DELETE FROM batches WHERE changed_at < ${before} RETURNING id`,
    z.object({ id: z.string() }),
  );
  for (const { id } of gone) {
    for (const table of ['batch_values', 'batch_items', 'batch_lines'])
      yield { text: `DELETE FROM ${table} WHERE batch = ?`, values: [id] };
  }
  return gone.length;
}
