/** A log that replicas write together: only added to, in one order, each line once however often it is handed over. */

import * as z from 'zod';
import { lastFitting, type Step, select, sizeRow, sql } from '../disk/statement.ts';
import { openFor, type Replicas, sealFor } from './sealed.ts';
import { digest, type SharedStore } from './shared-store.ts';

/** One step has so many lines, and so many characters: a longer line goes by itself. */
const MAX_LINES = 100;
const MAX_LENGTH = 1_000_000;

/** All lines have one topic, so that the numbers that a reader finds have no gap that is filled later. */
const TOPIC = 'log';

/** As it lies in the log: to be handed over again, it has to be the same. @throws StoreAway where there is no key */
export const sealLine = (line: string, replicas: Replicas) => sealFor(TOPIC, line, replicas);

/** Lines that are there already are left where they are. @throws StoreAway, and nobody knows then which have arrived */
export async function addLines(sealed: readonly string[], keepMs: number, store: SharedStore): Promise<void> {
  for (const some of inSteps(sealed))
    await store.run(TOPIC, ({ now }) => addSome(some, now, now + keepMs * 1000));
}

function* inSteps(all: readonly string[]): Generator<readonly string[]> {
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

/** Numbers are times, so that those of a log that was put back are larger than any that was read before. */
function* addSome(lines: readonly string[], now: number, expires: number): Step<void> {
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
  /** Behind the last of them. */
  next: string;
  isLast: boolean;
}

const lineRow = z.object({ n: z.int(), line: z.string() });

/** @param place behind what is known; `0` is the beginning @throws StoreAway */
export async function readLines(place: string, replicas: Replicas): Promise<LogPart> {
  const rows = await replicas.store.run(TOPIC, () => readBehind(Number(place)), false);
  const lines: string[] = [];
  for (const { line } of rows) {
    const text = await openFor(TOPIC, line, replicas);
    if (text !== undefined) lines.push(text);
  }
  return { lines, next: String(rows.at(-1)?.n ?? place), isLast: rows.length === 0 };
}

/** A log that was lost or put back since is read from its beginning. */
function* readBehind(place: number): Step<z.output<typeof lineRow>[]> {
  const [last] = yield* select(sql`SELECT max(n) AS n FROM log`, lastRow);
  const from = (last?.n ?? place) < place ? 0 : place;
  const next = yield* select(
    sql`SELECT n, length(line) AS size FROM log WHERE n > ${from} ORDER BY n LIMIT ${MAX_LINES}`,
    sizeRow,
  );
  const to = lastFitting(next, MAX_LENGTH) ?? from;
  return yield* select(sql`SELECT n, line FROM log WHERE n > ${from} AND n <= ${to} ORDER BY n`, lineRow);
}
