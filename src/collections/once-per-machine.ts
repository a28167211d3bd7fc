/** Lets one process of this computer collect a thing, while the others watch how far it is and take what it made. */

import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type Clock, sleep } from '../client/clock.ts';
import { parseJson } from '../json.ts';
import { makeFolder } from '../make-folder.ts';
import { withNamesLock } from '../tables/names-lock.ts';
import { isRunning, processPlace } from '../tables/process-place.ts';
import type { RunProgress } from './work.ts';

/** How often the process that collects says that it is there, and how far it is. */
const BEAT_MS = 1_000;

/** A file that nobody has touched for this long was left by a process that was stopped. */
const STALE_MS = 15_000;

/** How often the others look. */
const LOOK_MS = 500;

const noteSchema = z.object({
  /** Where the number is that of a process. */
  place: z.string(),
  pid: z.int().positive(),
  mark: z.string(),
  progress: z.object({
    message: z.string().max(500),
    done: z.number().optional(),
    total: z.number().optional(),
    leftMs: z.number().optional(),
    isAtLeast: z.boolean().optional(),
  }),
});

export interface OnceOptions<Result> {
  /** Of the account. */
  folder: string;
  /** What is collected. */
  key: string;
  signal: AbortSignal;
  clock: Clock;
  /** Told how far the other process is. */
  tell(progress: RunProgress): void;
  /** Runs what only waits for the other process. */
  idle<T>(wait: () => Promise<T>): Promise<T>;
  /** How far this one is. */
  progress(): RunProgress;
  /** What another process has made since `since` (milliseconds since the epoch). */
  find(since: number): Promise<Result | undefined>;
  run(): Promise<Result>;
}

/** @throws what `run` throws; what the signal was aborted with */
export async function oncePerMachine<Result>(options: OnceOptions<Result>): Promise<Result> {
  const { folder, key, signal, clock, find } = options;
  const since = clock.wallClock();
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.run`;
  const file = join(folder, name);
  await makeFolder(folder, 0o700);
  for (;;) {
    signal.throwIfAborted();
    const mark = randomBytes(8).toString('hex');
    if (await take(folder, file, mark, options)) return runMarked(file, mark, options);
    await options.idle(() => watchOther(file, options));
    const made = await find(since);
    if (made !== undefined) return made;
    await sleep(clock, LOOK_MS, signal);
  }
}

/** False while another process is at it. */
function take<Result>(folder: string, file: string, mark: string, options: OnceOptions<Result>) {
  return withNamesLock(folder, async () => {
    if ((await readNote(file)) !== undefined) return false;
    await writeNote(file, mark, options.progress());
    return true;
  });
}

async function runMarked<Result>(file: string, mark: string, options: OnceOptions<Result>): Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  const beat = setInterval(() => {
    last = last.then(() => writeNote(file, mark, options.progress())).catch(() => undefined);
  }, BEAT_MS);
  try {
    return await options.run();
  } finally {
    clearInterval(beat);
    await last;
    await rm(file, { force: true });
  }
}

/** Resolves when the other one has ended, however. */
async function watchOther<Result>(file: string, { signal, clock, tell }: OnceOptions<Result>): Promise<void> {
  for (;;) {
    const note = await readNote(file);
    if (note === undefined) return;
    tell(note.progress);
    await sleep(clock, LOOK_MS, signal);
  }
}

/** Undefined where nobody is at it; what a process left that is gone is no note. */
async function readNote(file: string): Promise<z.output<typeof noteSchema> | undefined> {
  const [text, found] = await Promise.all([
    readFile(file, 'utf8').catch(() => ''),
    stat(file).catch(() => undefined),
  ]);
  const parsed = noteSchema.safeParse(parseJson(text));
  if (!parsed.success || found === undefined) return undefined;
  const isFresh = Date.now() - found.mtimeMs < STALE_MS;
  const { place, pid } = parsed.data;
  return isFresh && (place !== processPlace() || isRunning(pid)) ? parsed.data : undefined;
}

/** Under another name first: a reader never sees half of it. */
async function writeNote(file: string, mark: string, progress: RunProgress): Promise<void> {
  const draft = `${file}.${mark}`;
  await writeFile(draft, JSON.stringify({ place: processPlace(), pid: process.pid, mark, progress }), {
    mode: 0o600,
  });
  await rename(draft, file);
}
