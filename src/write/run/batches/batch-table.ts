/** Batches lie in the store: a row for each with who works on it, and a row for each of their lines, which are only added to. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Lease } from '../../../disk/lease.ts';
import { isRunning, processPlace } from '../../../disk/process-place.ts';
import { execute, type Statement, type Step, select, sql } from '../../../disk/statement.ts';
import { LONG_WAIT_MS, type Store } from '../../../disk/store.ts';

/** The lines of batches, and who works on one; a test has one that is cut off between any two steps. */
export interface BatchDisk {
  /**
   * Writes all of it or nothing.
   * @param known ids of all that the caller has looked at
   * @returns false where there is another one by now, and nothing was written
   * @throws ConfigError, the store's error (disk full ...)
   */
  create(id: string, lines: string, known: readonly string[]): Promise<boolean>;
  /** Resolves once they are on the disk. @throws as `create`; nothing of it stands there then */
  append(id: string, lines: string): Promise<void>;
  /** Gives the lines behind that place (0: the beginning), each with its own place; none of a batch that is not there. */
  read(id: string, from: number): AsyncIterable<{ line: string; next: number }>;
  list(): Promise<{ id: string; isTold: boolean }[]>;
  markTold(id: string): Promise<void>;
  /** Removes those that nobody has written to since, in milliseconds since the epoch. */
  sweep(before: number): Promise<void>;
  /** Resolves to undefined while another process works on it. */
  hold(id: string): Promise<Lease | undefined>;
  isHeld(id: string): Promise<boolean>;
}

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

/** A process that says nothing for this long has lost its batch. That alone never sends an item twice: see send-batch.ts. */
const SILENT_MS = 60_000;
const BEAT_MS = 5_000;
/** Lines of items are long, and all of these are in memory at once. */
const READ_AT_ONCE = 40;

export function openBatchTable(store: Store): BatchDisk {
  const change = <T>(step: () => Step<T>) => store.run(step, LONG_WAIT_MS);
  return {
    create: (id, lines, known) => change(() => createBatch(id, lines.split('\n').slice(0, -1), known)),
    append: (id, lines) => change(() => appendLines(id, lines.split('\n').slice(0, -1))),
    async *read(id, from) {
      for (let place = from; ; ) {
        // Whoever begins may want the first line alone.
        const most = place === 0 ? 1 : READ_AT_ONCE;
        const rows = await store.read(() =>
          select(
            sql`SELECT n, line FROM batch_lines WHERE batch = ${id} AND n > ${place} ORDER BY n LIMIT ${most}`,
            lineRow,
          ),
        );
        for (const { n, line } of rows) yield { line, next: n };
        if (rows.length < most) return;
        place = rows.at(-1)?.n ?? place;
      }
    },
    async list() {
      const rows = await store.read(() => select(sql`SELECT id, told FROM batches ORDER BY id`, batchRow));
      return rows.map(({ id, told }) => ({ id, isTold: told === 1 }));
    },
    markTold: (id) => change(() => execute(sql`UPDATE batches SET told = 1 WHERE id = ${id}`)),
    async sweep(before) {
      const gone = await change(() => removeOld(before));
      if (gone > 0) await store.wipe();
    },
    async hold(id) {
      const mark = randomBytes(8).toString('hex');
      const taken = await change(() => takeLease(id, mark));
      return taken && { mark, ...taken, ...keepLease(id, mark, store) };
    },
    async isHeld(id) {
      const [row] = await store.read(() => selectHolder(id));
      return row !== undefined && isAtWork(row);
    },
  };
}

const batchRow = z.object({ id: z.string(), told: z.int() });
const lineRow = z.object({ n: z.int(), line: z.string() });
const lastRow = z.object({ n: z.int().nullable() });
const holderRow = z.object({
  holder: z.string().nullable(),
  place: z.string().nullable(),
  pid: z.int().nullable(),
  heard_at: z.number().nullable(),
});

function* createBatch(id: string, lines: readonly string[], known: readonly string[]): Step<boolean> {
  const stored = yield* select(sql`SELECT id, told FROM batches`, batchRow);
  if (stored.some((one) => !known.includes(one.id))) return false;
  yield* insertBatch(id, lines);
  return true;
}

/** Does nothing where the batch is there already. */
export function* insertBatch(id: string, lines: readonly string[]): Step<void> {
  const made = yield sql`INSERT INTO batches (id, changed_at) VALUES (${id}, ${Date.now()})
    ON CONFLICT DO NOTHING RETURNING id`;
  if (made.length > 0) yield* addLines(id, lines, 0);
}

function* appendLines(id: string, lines: readonly string[]): Step<void> {
  const found = yield sql`UPDATE batches SET changed_at = ${Date.now()} WHERE id = ${id} RETURNING id`;
  if (found.length === 0) throw new Error('the list is not in the store any more');
  const [last] = yield* select(sql`SELECT max(n) AS n FROM batch_lines WHERE batch = ${id}`, lastRow);
  yield* addLines(id, lines, last?.n ?? 0);
}

function* addLines(id: string, lines: readonly string[], after: number): Step<void> {
  let n = after;
  for (const line of lines)
    yield sql`INSERT INTO batch_lines (batch, n, line) VALUES (${id}, ${++n}, ${line})`;
}

function* removeOld(before: number): Step<number> {
  const gone = yield sql`DELETE FROM batches WHERE changed_at < ${before} RETURNING id`;
  if (gone.length > 0) yield sql`DELETE FROM batch_lines WHERE batch NOT IN (SELECT id FROM batches)`;
  return gone.length;
}

const selectHolder = (id: string) =>
  select(sql`SELECT holder, place, pid, heard_at FROM batches WHERE id = ${id}`, holderRow);

/** Returns false for a process of this computer, since its last start, that has ended. */
const mayRun = ({ place, pid }: z.output<typeof holderRow>) =>
  place !== processPlace() || isRunning(pid ?? 0);

/** A time in the future counts too: the clock was set back since, and whoever is there says so again soon. */
const isAtWork = (row: z.output<typeof holderRow>) =>
  row.holder !== null && Math.abs(Date.now() - (row.heard_at ?? 0)) < SILENT_MS && mayRun(row);

function* takeLease(id: string, mark: string): Step<Pick<Lease, 'silent'> | undefined> {
  const [before] = yield* selectHolder(id);
  if (before === undefined) throw new Error('the list is not in the store any more');
  if (isAtWork(before)) return undefined;
  yield sql`UPDATE batches SET holder = ${mark}, place = ${processPlace()}, pid = ${process.pid},
    heard_at = ${Date.now()} WHERE id = ${id}`;
  return { silent: before.holder !== null && mayRun(before) ? before.holder : undefined };
}

function keepLease(id: string, mark: string, store: Store): Pick<Lease, 'isOurs' | 'release'> {
  let last: Promise<unknown> = Promise.resolve();
  const change = (statement: Statement) => {
    last = last.then(() => store.run(() => execute(statement))).catch(() => undefined);
    return last;
  };
  const beat = () =>
    change(sql`UPDATE batches SET heard_at = ${Date.now()} WHERE id = ${id} AND holder = ${mark}`);
  const timer = setInterval(beat, BEAT_MS).unref();
  return {
    async isOurs() {
      // What is to be sent is written down first, which fails too.
      const [row] = await store.read(() => selectHolder(id)).catch(() => [{ holder: mark }]);
      return row?.holder === mark;
    },
    async release() {
      clearInterval(timer);
      await change(sql`UPDATE batches SET holder = NULL WHERE id = ${id} AND holder = ${mark}`);
    },
  };
}
