/**
 * Batches as rows: one for each batch, one for each of its lines, which are only added
 * to, and one for each item that a run has claimed. They lie in the store of this computer, or in the one that replicas
 * share.
 */

import * as z from 'zod';
import { keepLease, type Lease, newMark, readHolder, releaseLease, takeLease } from '../../../disk/leases.ts';
import { execute, lastFitting, put, type Step, select, sizeRow, sql } from '../../../disk/statement.ts';
import { LONG_WAIT_MS, type Store } from '../../../disk/store.ts';
import { type SharedStep, StoreAway } from '../../../replicas/shared-step.ts';
import type { SharedStore } from '../../../replicas/shared-store.ts';
import { BatchWaitsError } from './batch.ts';
import { jsonLine, parseLine } from './lines.ts';

/** The lines of batches, and who works on one; a test has one that is cut off between any two steps. */
export interface BatchDisk {
  /**
   * Writes all of it or nothing.
   * @param known ids of all that the caller has looked at
   * @returns false where there is another one by now, and nothing was written
   * @throws ConfigError, the store's error (disk full ...); BatchWaitsError, as each of the others, while the store is away
   */
  create(id: string, lines: readonly string[], known: readonly string[]): Promise<boolean>;
  /**
   * Resolves once they are on the disk. A claim of an item that another run has is left out, and so is what only the
   * process that works on the batch may write, where that is another one.
   * @throws as `create`; nothing of it stands there then
   */
  append(id: string, lines: readonly string[]): Promise<void>;
  /** Gives the lines behind that place (0: the beginning), each with its own place; none of a batch that is not there. */
  read(id: string, from: number): AsyncIterable<{ line: string; next: number }>;
  list(): Promise<{ id: string; isTold: boolean }[]>;
  markTold(id: string): Promise<void>;
  /** Removes those that nobody has written to for so many milliseconds. */
  sweep(keptMs: number): Promise<void>;
  /** Resolves to undefined while another process works on it. */
  hold(id: string): Promise<Lease | undefined>;
  isHeld(id: string): Promise<boolean>;
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

/** `server` and `generation`: what the store was when the batch was made; a batch of before has neither. */
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

/** The store of a computer or of replicas, as batches need it. */
export interface BatchStore {
  /** One of the steps of a topic runs at a time. */
  change<T>(topic: string, step: SharedStep<T>): Promise<T>;
  /** The same for a step that only reads. */
  read<T>(topic: string, step: SharedStep<T>): Promise<T>;
  /** Removes deleted values from the files too. */
  wipe(): Promise<void>;
  /** Which contents it holds, as they were last looked at. */
  generation(): string;
  /** Asks now which it holds. */
  look(): Promise<void>;
  /** A process that says nothing for this long has lost its batch. That alone never sends an item twice: see send-batch.ts. */
  silentMs: number;
  among: 'computer' | 'replicas';
}

const LOCAL_SILENT_MS = 60_000;
const SHARED_SILENT_MS = 10_000;
/** One answer holds about so many characters, and so many lines. */
const PART_LENGTH = 262_144;
const PART_LINES = 500;
/** One statement has about so many characters, and so many rows. */
const INSERT_LENGTH = 131_072;
const INSERT_ROWS = 100;

const IN_DOUBT =
  'What the list lies in was restored, replaced or has lost lines of it, so what has no outcome may have been sent. Nothing more of it is sent; what can be read tells what became of each. Call again for the rest: it is shown anew.';

/** The store of this computer: nothing replaces it while it is open. */
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

/** While it is away nothing is sent, since nothing can be claimed. @param silentMs other ones in tests */
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
  if (!(error instanceof StoreAway)) throw error;
  throw new BatchWaitsError(
    `The store that replicas share is away (${error.message}): nothing is sent that cannot be written down there.`,
    'It goes on by itself once the store is back; whoever runs this server sees it in the log.',
  );
}

/** A process looks at all batches before it begins one, so that they begin one after the other. */
const BEGINNING = 'lists';
const topicOf = (id: string) => `list ${id}`;

export function openBatchTable(store: BatchStore): BatchDisk {
  const { silentMs, among } = store;
  /** The number of the last line that this process has seen of each. */
  const seen = new Map<string, number>();
  /** Leases of this process that are over, though that could not be written. */
  const given = new Set<string>();

  /** Undefined where there is no such batch. */
  const onBatch = async <T>(
    id: string,
    body: (found: Found) => Step<T>,
    kind: 'change' | 'read' = 'change',
  ): Promise<T | undefined> => {
    for (let isSure = false, how = kind; ; ) {
      const isReading = how === 'read';
      // The step may stand in line behind others, so its knowledge is taken when it begins.
      const done = await store[how](topicOf(id), ({ now, server }) => {
        const known = { id, generation: store.generation(), seen: seen.get(id) ?? 0, isSure };
        return lookAndRun({ ...known, now: now / 1000, server, isReading }, body);
      });
      if (done === 'generation') {
        await store.look();
        isSure = true;
      } else if (done === 'doubt') how = 'change';
      else {
        if (done !== undefined) seen.set(id, Math.max(seen.get(id) ?? 0, done.last));
        return done?.value;
      }
    }
  };
  const change = async <T>(id: string, body: (found: Found) => Step<T>): Promise<T> => {
    const done = await onBatch(id, function* (found) {
      return { value: yield* body(found) };
    });
    if (done === undefined) throw new Error('the list is not in the store any more');
    return done.value;
  };

  return {
    create: (id, lines, known) =>
      store.change(BEGINNING, ({ now, server }) =>
        createBatch({ id, lines, now: now / 1000, server, generation: store.generation() }, known),
      ),
    append: (id, lines) => change(id, (found) => appendLines(found, lines)),
    async *read(id, from) {
      for (let place = from; ; ) {
        // Whoever begins may want the first line alone.
        const most = place === 0 ? 1 : PART_LINES;
        const rows = (await onBatch(id, () => readLines(id, place, most), 'read')) ?? [];
        for (const { n, line } of rows) yield { line, next: n };
        if (rows.length === 0) return;
        place = rows.at(-1)?.n ?? place;
      }
    },
    async list() {
      // It does not wait for a process that begins a list, which may take seconds.
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
        if (holder !== null && given.has(holder)) yield* releaseLease(topicOf(id), holder);
        return yield* takeLease(topicOf(id), mark, { now, silentMs, among });
      });
      return (
        taken && {
          mark,
          ...taken,
          // While the store is away nobody else takes it; what is to be sent is claimed there all the same.
          isOurs: async () =>
            (await onBatch(id, ({ now }) => keepLease(topicOf(id), mark, { now, silentMs })).catch(
              () => true,
            )) === true,
          release: () =>
            store
              .change(topicOf(id), () => releaseLease(topicOf(id), mark))
              .catch(() => void given.add(mark)),
        }
      );
    },
    async isHeld(id) {
      const holder = await onBatch(
        id,
        ({ now }) => readHolder(topicOf(id), { now, silentMs, among }),
        'read',
      );
      return holder !== undefined && !given.has(holder.mark);
    },
  };
}

const listedRow = z.object({ id: z.string(), told: z.int() });
const lineRow = z.object({ n: z.int(), line: z.string() });
const lastRow = z.object({ n: z.int().nullable() });
const batchRow = z.object({
  server: z.string().nullable(),
  generation: z.string().nullable(),
  in_doubt: z.int(),
  /** The mark of the lease, which may be over. */
  holder: z.string().nullable(),
});

// Every step asks first whether the store may have lost something.

interface Looking {
  id: string;
  /** The generation that the caller knows, and whether it was asked for just now. */
  generation: string;
  isSure: boolean;
  /** The last line that the caller has seen. */
  seen: number;
  now: number;
  server: string;
  /** Nothing can be written in this step. */
  isReading: boolean;
}

interface Found extends z.output<typeof batchRow> {
  id: string;
  /** The number of its last line. */
  last: number;
  now: number;
}

/**
 * A batch is in doubt where it lies in another server than before (after a failover), in other contents (restored), or has
 * fewer lines than somebody has seen of it: it gets a line that says so, and nobody works on it any more.
 * @returns undefined where it is not there; `generation` where that has to be asked for first; `doubt` where that has to be
 * written first
 */
function* lookAndRun<T>(
  looking: Looking,
  body: (found: Found) => Step<T>,
): Step<{ value: T; last: number } | 'generation' | 'doubt' | undefined> {
  const { id, generation, isSure, seen, now, server, isReading } = looking;
  const [row] = yield* select(
    sql`SELECT server, generation, in_doubt, mark AS holder
      FROM batches LEFT JOIN leases ON leases.name = ${topicOf(id)} WHERE id = ${id}`,
    batchRow,
  );
  if (row === undefined && seen === 0) return undefined;
  const last = yield* lastLine(id);
  const isSame = row !== undefined && (row.server ?? server) === server && last >= seen;
  const found: Found = { ...NO_BATCH, ...row, id, last, now };
  if (!isSame || (row.generation ?? generation) !== generation) {
    if (isSame && !isSure) return 'generation';
    if (isReading) return 'doubt';
    Object.assign(found, { holder: null, in_doubt: 1, last: Math.max(last, seen) + LOST_LINES });
    yield put('batches', 'id', { id, changed_at: now, server, generation, in_doubt: 1 });
    yield sql`DELETE FROM leases WHERE name = ${topicOf(id)}`;
    yield* addLines(found, [jsonLine({ t: 'doubt', at: now, why: IN_DOUBT })]);
  }
  const value = yield* body(found);
  return { value, last: found.last };
}

/** So many lines at most were lost: the line about the doubt comes behind every one that anybody has read. */
const LOST_LINES = 1_000_000;

const NO_BATCH = { server: null, generation: null, in_doubt: 0, holder: null };

function* lastLine(id: string): Step<number> {
  const [row] = yield* select(sql`SELECT max(n) AS n FROM batch_lines WHERE batch = ${id}`, lastRow);
  return row?.n ?? 0;
}

// Lines are only added, and a claim is checked before each.

interface NewBatch {
  id: string;
  lines: readonly string[];
  now: number;
  server: string | null;
  generation: string | null;
}

function* createBatch(batch: NewBatch, known: readonly string[]): Step<boolean> {
  const stored = yield* select(sql`SELECT id, told FROM batches`, listedRow);
  if (stored.some((one) => !known.includes(one.id))) return false;
  if (!(yield* insertBatch(batch))) throw new Error(`there is a list ${batch.id} already`);
  return true;
}

/** Returns false where the batch is there already. */
export function* insertBatch({ id, lines, now, server, generation }: NewBatch): Step<boolean> {
  const made = yield sql`INSERT INTO batches (id, changed_at, server, generation)
    VALUES (${id}, ${now}, ${server}, ${generation}) ON CONFLICT DO NOTHING RETURNING id`;
  if (made.length > 0) yield* addLines({ id, last: 0 }, lines);
  return made.length > 0;
}

/** @param to its `last` is moved on */
function* addLines(to: { id: string; last: number }, lines: readonly string[]): Step<void> {
  let values: (string | number)[] = [];
  let length = 0;
  for (const [at, line] of lines.entries()) {
    values.push(to.id, ++to.last, line);
    length += line.length;
    const isFull = length > INSERT_LENGTH || values.length === 3 * INSERT_ROWS;
    if (!isFull && at < lines.length - 1) continue;
    const rows = Array.from({ length: values.length / 3 }, () => '(?, ?, ?)').join(', ');
    yield { text: `INSERT INTO batch_lines (batch, n, line) VALUES ${rows}`, values };
    [values, length] = [[], 0];
  }
}

function* appendLines(found: Found, lines: readonly string[]): Step<void> {
  const taken: string[] = [];
  for (const line of lines) if (yield* isTaken(found, line)) taken.push(line);
  yield* addLines(found, taken);
  yield sql`UPDATE batches SET changed_at = ${found.now} WHERE id = ${found.id}`;
}

const claimRow = z.object({ owner: z.string(), sender: z.string() });
const ENDED = 'ended';

/** Whether a line is taken, as fold.ts reads the lines; with the claim that follows from it. */
function* isTaken({ id, holder, in_doubt: isInDoubt }: Found, text: string): Step<boolean> {
  const line = parseLine(text);
  if (line === undefined || !('by' in line && 'i' in line)) return true;
  const { i, by } = line;
  const [claim] = yield* select(
    sql`SELECT owner, sender FROM batch_items WHERE batch = ${id} AND item = ${i}`,
    claimRow,
  );
  const isOwn = claim?.owner === by;
  const own = (owner: string, sender: string) =>
    put('batch_items', 'batch, item', { batch: id, item: i, owner, sender });
  switch (line.t) {
    case 'sending':
      if (by !== holder || isInDoubt === 1 || (claim !== undefined && !isOwn)) return false;
      if (claim === undefined) yield own(by, by);
      return true;
    case 'looking':
      if (by !== holder || claim?.owner === ENDED) return false;
      if (claim !== undefined || isInDoubt === 1) yield own(by, claim?.sender ?? '');
      return true;
    case 'step':
      // A batch of an earlier version has no claims.
      return by === holder && (claim === undefined || isOwn);
    case 'later':
      if (isOwn) yield sql`DELETE FROM batch_items WHERE batch = ${id} AND item = ${i}`;
      return true;
    case 'end':
      if (claim === undefined || isOwn || claim.sender === by) yield own(ENDED, claim?.sender ?? '');
      return true;
    default:
      return true;
  }
}

function* readLines(id: string, place: number, most: number): Step<z.output<typeof lineRow>[]> {
  const next = yield* select(
    sql`SELECT n, length(line) AS size FROM batch_lines WHERE batch = ${id} AND n > ${place} ORDER BY n LIMIT ${most}`,
    sizeRow,
  );
  const to = lastFitting(next, PART_LENGTH) ?? place;
  return yield* select(
    sql`SELECT n, line FROM batch_lines WHERE batch = ${id} AND n > ${place} AND n <= ${to} ORDER BY n`,
    lineRow,
  );
}

function* removeOld(before: number): Step<number> {
  const gone = yield* select(
    sql`DELETE FROM batches WHERE changed_at < ${before} RETURNING id`,
    z.object({ id: z.string() }),
  );
  for (const { id } of gone) {
    yield sql`DELETE FROM batch_lines WHERE batch = ${id}`;
    yield sql`DELETE FROM batch_items WHERE batch = ${id}`;
  }
  return gone.length;
}
