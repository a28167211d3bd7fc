/** The work of one collection, done once for all processes of this computer; of what it did not finish nothing is left. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { type LeaseOptions, readHolder, takeLease } from '../../disk/lease.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { sourceKey } from '../tables/collection-file.ts';
import type { CollectionSource, Loader, Tables } from '../tables/types.ts';
import type { Made, RunProgress, Work, WorkParts } from './work.ts';

export interface CollectOnceParts extends Omit<WorkParts, 'open'> {
  tables: Tables;
  source: CollectionSource;
  work: Work;
  /** Under which name the work saves what it reads. */
  saveAs?: string | undefined;
  clock: Clock;
  /** How far it is, for the other processes. */
  progress(): RunProgress;
}

/** The same work for whoever wants the same tables, and the same file. */
export function workKey({ source, saveAs }: Pick<CollectOnceParts, 'source' | 'saveAs'>): string {
  return saveAs === undefined ? sourceKey(source) : `${sourceKey(source)}\n${saveAs}`;
}

/** What another process has made meanwhile is as good. @throws what the work throws; what the signal was aborted with */
export async function collectOnce(parts: CollectOnceParts): Promise<Made> {
  const { tables, source, work, saveAs, clock, progress, tell, signal, idle } = parts;
  const opened: Loader[] = [];
  const open = async () => {
    signal.throwIfAborted();
    const loader = await tables.open(source);
    opened.push(loader);
    return loader;
  };
  return oncePerMachine<Made>({
    folder: tables.folder,
    key: workKey(parts),
    signal,
    clock,
    tell,
    idle,
    progress,
    async find(since) {
      // What another process has saved went to a caller of its own.
      if (saveAs !== undefined) return undefined;
      const found = await tables.find(source);
      return found !== undefined && Date.parse(found.collectedAt) >= since ? found : undefined;
    },
    async run() {
      try {
        return await work({ open, signal, tell, idle });
      } finally {
        await Promise.all(opened.map((loader) => loader.abandon()));
      }
    },
  });
}

// Lets one process of this computer collect a thing, while the others watch how far it is and take what it made.

/** A file that nobody has touched for this long was left by a process that was stopped. */
const STALE_MS = 15_000;

/** How often the others look. */
const LOOK_MS = 500;

const progressSchema = z.object({
  message: z.string().max(500),
  done: z.number().optional(),
  total: z.number().optional(),
  leftMs: z.number().optional(),
  isAtLeast: z.boolean().optional(),
});

interface OnceOptions<Result> {
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
async function oncePerMachine<Result>(options: OnceOptions<Result>): Promise<Result> {
  const { folder, key, signal, clock, find } = options;
  const since = clock.wallClock();
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.run`;
  const progress = options.progress;
  const lease = { file: join(folder, name), lockName: 'names.lock', staleMs: STALE_MS, progress };
  await makeFolder(folder, 0o700);
  for (;;) {
    signal.throwIfAborted();
    const taken = await takeLease(lease);
    if (taken !== undefined) return options.run().finally(() => taken.release());
    await options.idle(() => watchOther(lease, options));
    const made = await find(since);
    if (made !== undefined) return made;
    await sleep(clock, LOOK_MS, signal);
  }
}

/** Resolves when the other one has ended, however. */
async function watchOther<Result>(
  lease: LeaseOptions,
  { signal, clock, tell }: OnceOptions<Result>,
): Promise<void> {
  for (;;) {
    const holder = await readHolder(lease);
    if (holder === undefined) return;
    const progress = progressSchema.safeParse(holder.progress).data;
    if (progress !== undefined) tell(progress);
    await sleep(clock, LOOK_MS, signal);
  }
}
