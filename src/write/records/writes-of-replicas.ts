/**
 * Shares the journals of all replicas. Each replica has its own store, sends every line of it to the others,
 * and adds their lines to its own store. They are read and stored there as if written here.
 */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { lazy } from '../../base/lazy.ts';
import type { Replicas } from '../../replicas/sealed.ts';
import { addLines, readLines, sealLine } from '../../replicas/shared-log.ts';
import { StoreUnavailable } from '../../replicas/shared-step.ts';
import { execute, type StoreStep, select, sql } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { lineSchema } from './journal/entry.ts';
import { addLine } from './journal/journal-table.ts';

export interface WritesOfReplicas {
  /**
   * Sends lines that are in the store here, before anything is sent to the service. It never throws; while
   * the shared store is unavailable, the lines wait here.
   */
  wrote(lines: readonly string[]): Promise<void>;
  /** Adds what the others wrote to the store here, as far as the shared store has it. It never throws. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

interface ReplicaParts {
  replicas: Replicas;
  store: Store;
  keepDays: number;
  warn(message: string): void;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 1_000;

/** The id of this store among the others, and how far it has read. */
const positionSchema = z.object({ id: z.string(), next: z.string().regex(/^\d{1,20}$/) });
const waitingSchema = z.object({ n: z.int(), line: z.string() });
const entrySchema = z.object({ from: z.string(), line: z.string() });

export function writesOfReplicas({ replicas, store, keepDays, warn }: ReplicaParts): WritesOfReplicas {
  const retentionMs = keepDays * DAY_MS;
  /** The lines that an earlier process has left are sent first. */
  let mayHaveWaiting = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const getReplicaId = lazy(async () => (await store.run(readPosition)).id);

  /**
   * Sends all waiting lines in their order.
   * @throws StoreAway; lines that have arrived by then are not added twice
   */
  const sendWaiting = async () => {
    const waiting = await store.read(() =>
      select(sql`SELECT n, line FROM to_replicas ORDER BY n`, waitingSchema),
    );
    const lines = waiting.map(({ line }) => line);
    await addLines(lines, retentionMs, replicas.store);
    const last = waiting.at(-1)?.n;
    if (last !== undefined) {
      await store.run(() => execute(sql`DELETE FROM to_replicas WHERE n <= ${last}`));
    }
    mayHaveWaiting = false;
  };
  const sendLater = () => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void next(sendOrRetry), RETRY_MS).unref();
  };
  const sendOrRetry = async () => {
    try {
      await sendWaiting();
    } catch (error) {
      sendLater();
      throw error;
    }
  };
  const add = async (lines: readonly string[]) => {
    const from = await getReplicaId();
    const sealed: string[] = [];
    for (const line of lines) sealed.push(await sealLine(JSON.stringify({ from, line }), replicas));
    try {
      if (mayHaveWaiting) await sendWaiting();
      await addLines(sealed, retentionMs, replicas.store);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      mayHaveWaiting = true;
      await store.run(function* () {
        for (const line of sealed) yield sql`INSERT INTO to_replicas (line) VALUES (${line})`;
      });
      sendLater();
    }
  };
  const readOn = async () => {
    for (;;) {
      const known = await store.run(readPosition);
      const part = await readLines(known.next, replicas);
      if (part.isLast) return;
      const entries = part.lines.flatMap((line) => entrySchema.safeParse(parseJson(line)).data ?? []);
      const others = entries.filter(({ from }) => from !== known.id);
      await store.run(() => addAll(others, known.next, part.next));
    }
  };

  /**
   * The work runs one after the other, so that the others get the lines in the order in which they were
   * written.
   */
  let last: Promise<void> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable))
        warn(`What was written cannot be shared with the other replicas: ${String(error)}`);
    });
    return last;
  };
  return {
    wrote: (lines) => next(() => add(lines)),
    catchUp: () =>
      next(async () => {
        // The read waits for the key, because nothing can be opened without it.
        await sealLine('', replicas);
        await readOn();
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await last;
    },
  };
}

function* readPosition(): StoreStep<z.output<typeof positionSchema>> {
  const [known] = yield* select(sql`SELECT id, next FROM replica`, positionSchema);
  if (known !== undefined) return known;
  const made = { id: randomUUID(), next: '0' };
  yield sql`INSERT INTO replica (id, next) VALUES (${made.id}, ${made.next})`;
  return made;
}

/** Adds the entries, unless another process of this store has added them meanwhile. */
function* addAll(
  entries: readonly z.output<typeof entrySchema>[],
  from: string,
  next: string,
): StoreStep<void> {
  const moved = yield sql`UPDATE replica SET next = ${next} WHERE next = ${from} RETURNING id`;
  if (moved.length === 0) return;
  for (const { line } of entries) {
    const { data } = lineSchema.safeParse(parseJson(line));
    if (data !== undefined) yield* addLine(data);
  }
}
