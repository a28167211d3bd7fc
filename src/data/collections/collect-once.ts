/** Runs one collection once for all processes of this computer; an unfinished one leaves nothing behind. */

import { createHash } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { type CollectionSource, type Loader, sourceKey, type Tables } from '../tables/table-types.ts';
import {
  type CollectionResult,
  type CollectionWork,
  type CollectionWorkParts,
  progressSchema,
  type RunProgress,
} from './collection-plan.ts';

export interface CollectOnceParts extends Omit<CollectionWorkParts, 'openLoader'> {
  tables: Tables;
  source: CollectionSource;
  work: CollectionWork;
  /** The name under which the work saves the raw data. */
  saveAs?: string | undefined;
  clock: Clock;
  /** Returns the progress for the other processes. */
  progress(): RunProgress;
}

/** Returns the same key for callers that want the same tables and the same file. */
export function workKey({ source, saveAs }: Pick<CollectOnceParts, 'source' | 'saveAs'>): string {
  return saveAs === undefined ? sourceKey(source) : `${sourceKey(source)}\n${saveAs}`;
}

/** The interval at which the other processes check. */
const CHECK_MS = 500;

/**
 * Lets one process of this computer collect, while the others watch its progress and use its result.
 * @throws the errors of the work; the signal's reason
 */
export async function collectUnderLease(parts: CollectOnceParts): Promise<CollectionResult> {
  const { tables, source, saveAs, clock, progress, signal, idle } = parts;
  const since = clock.wallClock();
  const digest = createHash('sha256').update(workKey(parts)).digest('hex').slice(0, 16);
  const name = `collect ${digest} ${tables.folder}`;
  for (;;) {
    signal.throwIfAborted();
    const taken = await tables.leases.take(name, progress);
    if (taken !== undefined) return run(parts).finally(() => taken.release());
    await idle(() => watchOther(name, parts));
    // A file that another process saved went to its own caller.
    const made = saveAs === undefined ? await tables.find(source) : undefined;
    if (made !== undefined && Date.parse(made.collectedAt) >= since) return made;
    await sleep(clock, CHECK_MS, signal);
  }
}

async function run({ tables, source, work, signal, tell, idle }: CollectOnceParts) {
  const opened: Loader[] = [];
  const openLoader = async () => {
    signal.throwIfAborted();
    const loader = await tables.openLoader(source);
    opened.push(loader);
    return loader;
  };
  try {
    return await work({ openLoader, signal, tell, idle });
  } finally {
    await Promise.all(opened.map((loader) => loader.abandon()));
  }
}

/** Resolves when the other process has ended, with or without success. */
async function watchOther(
  name: string,
  { tables, signal, clock, tell }: Pick<CollectOnceParts, 'tables' | 'signal' | 'clock' | 'tell'>,
): Promise<void> {
  for (;;) {
    const holder = await tables.leases.holder(name);
    if (holder === undefined) return;
    const progress = progressSchema.safeParse(holder.progress).data;
    if (progress !== undefined) tell(progress);
    await sleep(clock, CHECK_MS, signal);
  }
}
