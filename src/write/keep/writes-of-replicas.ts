/**
 * Journal and history of all replicas: each has its own on its disk, hands every line of it to the others, and puts what
 * they wrote into its own files, where it is read and kept as if it had been written here.
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { lazy } from '../../base/lazy.ts';
import { withFolderLock } from '../../disk/folder-lock.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { openFile } from '../../disk/open-file.ts';
import type { Replicas } from '../../replicas/sealed.ts';
import { addLines, readLines, sealLine } from '../../replicas/shared-log.ts';
import { keyOf, StoreAway } from '../../replicas/shared-store.ts';
import {
  appendLine,
  appendLineTo,
  MAX_READ_CHARACTERS,
  openIfThere,
  readFileLines,
} from './journal/journal-file.ts';

export type KindOfLine = 'journal' | 'history';

export interface WritesOfReplicas {
  /** Lines that are on the disk here, before anything is sent. Never throws: while the store is away they wait on the disk. */
  wrote(kind: KindOfLine, lines: readonly string[]): Promise<void>;
  /** What the others wrote is on the disk here, as far as the store is there. Never throws. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  replicas: Replicas;
  /** Of the journal; the history is in a folder of it. */
  folder: string;
  keepDays: number;
  now: () => number;
  userId?: number | undefined;
  warn(message: string): void;
}

const DAY_MS = 86_400_000;
const LOG = keyOf('writes', 'log');
/** In the folder: who this is to the others, and how far it has read; what waits for the store. */
const PLACE = 'replicas-place';
const WAITING = 'replicas-waiting.jsonl';
const LOCK = 'replicas.lock';
const RETRY_MS = 1_000;

const placeSchema = z.object({ id: z.string(), next: z.string().regex(/^\d{1,20}$/) });
const entrySchema = z.object({
  from: z.string(),
  kind: z.enum(['journal', 'history']),
  line: z.string().regex(/^[^\n]+$/),
});
type Entry = z.output<typeof entrySchema>;

export function writesOfReplicas({ replicas, folder, keepDays, now, userId, warn }: Parts): WritesOfReplicas {
  const keepMs = keepDays * DAY_MS;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await makeFolder(folder, 0o700);
    return withFolderLock(join(folder, LOCK), work);
  };
  /** What an earlier process has left goes first. */
  let mayWait = true;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const readPlace = async () => {
    const handle = await openFile(join(folder, PLACE), constants.O_RDONLY).catch(() => undefined);
    try {
      return placeSchema.safeParse(parseJson((await handle?.readFile('utf8')) ?? '')).data;
    } finally {
      await handle?.close();
    }
  };
  const writePlace = async (one: z.output<typeof placeSchema>) => {
    const draft = join(folder, `${PLACE}.${randomUUID()}`);
    await writeFile(draft, JSON.stringify(one), { mode: 0o600, flag: 'wx' });
    await rename(draft, join(folder, PLACE));
    return one;
  };
  const placeHere = lazy(() =>
    inTurn(async () => (await readPlace()) ?? writePlace({ id: randomUUID(), next: '0' })),
  );

  /** All that waits, in its order. @throws StoreAway; what has arrived by then is not added twice */
  const handOver = () =>
    inTurn(async () => {
      const handle = await openIfThere(join(folder, WAITING));
      if (handle !== undefined) {
        const lines: string[] = [];
        for await (const line of readFileLines(handle)) lines.push(line);
        await addLines(LOG, lines, keepMs, replicas.store);
        await rm(join(folder, WAITING), { force: true });
      }
      mayWait = false;
    });
  const handOverLater = () => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void next(handOverOrLater), RETRY_MS).unref();
  };
  const handOverOrLater = async () => {
    try {
      await handOver();
    } catch (error) {
      handOverLater();
      throw error;
    }
  };
  const add = async (kind: KindOfLine, lines: readonly string[]) => {
    const { id: from } = await placeHere();
    const sealed: string[] = [];
    for (const line of lines) {
      const one = await sealLine(LOG, JSON.stringify({ from, kind, line }), replicas);
      // A longer one, a single write of hundreds of kilobytes, stays here: where it waits it could not be read again.
      if (one.length < MAX_READ_CHARACTERS) sealed.push(one);
    }
    try {
      if (mayWait) await handOver();
      await addLines(LOG, sealed, keepMs, replicas.store);
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error;
      mayWait = true;
      await inTurn(() => appendLineTo(WAITING, sealed.join('\n'), { folder, userId }));
      handOverLater();
    }
  };

  const putHere = async (entries: readonly Entry[]) => {
    const of = (wanted: KindOfLine) =>
      entries.flatMap(({ kind, line }) => (kind === wanted ? [line] : [])).join('\n');
    const [journal, history] = [of('journal'), of('history')];
    if (journal !== '') await appendLine(journal, { folder, now, userId });
    const today = new Date(now()).toISOString().slice(0, 10);
    if (history !== '')
      await appendLineTo(`${today}.jsonl`, history, { folder: join(folder, 'history'), userId });
  };
  const readOn = () =>
    inTurn(async () => {
      let known = (await readPlace()) ?? (await placeHere());
      for (;;) {
        const part = await readLines(LOG, known.next, replicas);
        if (part.isLast) return;
        const entries = part.lines.flatMap((line) => entrySchema.safeParse(parseJson(line)).data ?? []);
        await putHere(entries.filter(({ from }) => from !== known.id));
        known = await writePlace({ ...known, next: part.next });
      }
    });

  /** One after the other: in the store they stand in the order in which they were written here. */
  let last: Promise<void> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch((error: unknown) => {
      if (!(error instanceof StoreAway))
        warn(`What was written cannot be shared with the other replicas: ${String(error)}`);
    });
    return last;
  };
  return {
    wrote: (kind, lines) => next(() => add(kind, lines)),
    catchUp: () =>
      next(async () => {
        // Where there is no key nothing can be opened: it is read once there is one.
        await sealLine(LOG, '', replicas);
        await placeHere();
        await readOn();
      }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await last;
    },
  };
}
