/**
 * An append-only log that replicas write together, in one order; each line is stored once, however often it
 * is sent.
 */

import * as z from 'zod';
import { lastFitting, type StoreStep, select, sizeRow, sql } from '../store/statement.ts';
import { openFor, type Replicas, sealFor } from './sealed.ts';
import { digest, type SharedStore } from './shared-store.ts';

/** The maximum lines and characters of one step; a longer line is written alone. */
const MAX_LINES = 100;
const MAX_LENGTH = 1_000_000;

/** All lines share one topic, so that the numbers that a reader sees have no gap that is filled later. */
const TOPIC = 'log';

/**
 * Seals a line. A repeated line has to be sent in the same sealed form.
 * @throws StoreAway when there is no key
 */
export const sealLine = (line: string, replicas: Replicas) => sealFor(TOPIC, line, replicas);

/**
 * Appends lines; existing ones stay unchanged.
 * @throws StoreAway, after which it is unknown which lines arrived
 */
export async function addLines(sealed: readonly string[], ttlMs: number, store: SharedStore): Promise<void> {
  for (const some of splitIntoSteps(sealed))
    await store.run(TOPIC, ({ now }) => addSome(some, now, now + ttlMs * 1000));
}

function* splitIntoSteps(all: readonly string[]): Generator<readonly string[]> {
  let [some, length]: [string[], number] = [[], 0];
  for (const one of all) {
    if (some.length > 0 && (some.length === MAX_LINES || length + one.length > MAX_LENGTH)) {
      yield some;
      [some, length] = [[], 0];
    }
    some.push(one);
    length += one.length;
  }
  if (some.length > 0) yield some;
}

const lastRow = z.object({ n: z.int().nullable() });

/**
 * Appends some lines. Their numbers are times, so that a restored log continues above all numbers that were
 * read before.
 */
function* addSome(lines: readonly string[], now: number, expires: number): StoreStep<void> {
  const [last] = yield* select(sql`SELECT max(n) AS n FROM log`, lastRow);
  let n = Math.max(Math.round(now), last?.n ?? 0);
  for (const line of lines) {
    yield sql`INSERT INTO log (n, expires, digest, line) VALUES (${++n}, ${expires}, ${digest(line)}, ${line})
      ON CONFLICT DO NOTHING`;
  }
}

export interface LogPart {
  /** The lines that can be opened, oldest first. */
  lines: readonly string[];
  /** The position after the last line. */
  next: string;
  isLast: boolean;
}

const lineRow = z.object({ n: z.int(), line: z.string() });

/**
 * Reads the next lines.
 * @param position the position after the known lines; `0` is the beginning
 * @throws StoreAway
 */
export async function readLines(position: string, replicas: Replicas): Promise<LogPart> {
  const rows = await replicas.store.run(TOPIC, () => readBehind(Number(position)), false);
  const lines: string[] = [];
  for (const { line } of rows) {
    const text = await openFor(TOPIC, line, replicas);
    if (text !== undefined) lines.push(text);
  }
  return { lines, next: String(rows.at(-1)?.n ?? position), isLast: rows.length === 0 };
}

/** Reads the rows after a position; a log that was lost or restored since is read from its beginning. */
function* readBehind(position: number): StoreStep<z.output<typeof lineRow>[]> {
  const [last] = yield* select(sql`SELECT max(n) AS n FROM log`, lastRow);
  const from = (last?.n ?? position) < position ? 0 : position;
  const next = yield* select(
    sql`SELECT n, length(line) AS size FROM log WHERE n > ${from} ORDER BY n LIMIT ${MAX_LINES}`,
    sizeRow,
  );
  const to = lastFitting(next, MAX_LENGTH) ?? from;
  return yield* select(sql`SELECT n, line FROM log WHERE n > ${from} AND n <= ${to} ORDER BY n`, lineRow);
}
