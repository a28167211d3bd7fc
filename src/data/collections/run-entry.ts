/** One run of a session: how far it is, how it ended and for whom that counts, and the waiting for it. */

import type { Clock } from '../../base/clock.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../tables/types.ts';
import type { SavedRaw } from './save-raw.ts';
import type { RunProgress, Work } from './work.ts';

/** What a call with `fresh` began is the answer to the same call for so long after its end. */
const AGAIN_MS = 10 * 60_000;

/** An outcome that nobody has asked for is forgotten after this. */
const UNTOLD_MS = 3_600_000;

export interface Job {
  tables: Tables;
  source: CollectionSource;
  work: Work;
  /** Under which name the work saves what it reads: a run of its own. */
  saveAs?: string | undefined;
  /** True for a caller who wants nothing that was there before. */
  fresh?: boolean | undefined;
  /** An outcome that nobody was told counts up to this age; any age where it is left out. */
  recentMs?: number | undefined;
  /** False for an outcome that is not what this caller wants. */
  accepts?: ((info: CollectionInfo) => boolean) | undefined;
}

export interface WaitOptions {
  /** Milliseconds of the clock. */
  until: number;
  /** Ends the waiting, never the run. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
  /** True for what is not worth waiting for now. */
  isTooLong?: (progress: RunProgress) => boolean;
}

export interface Ended {
  info: CollectionInfo;
  /** Main table of the collection of the same source that was there before, where it had another name: it is gone. */
  replaced?: string | undefined;
  saved?: SavedRaw | undefined;
}

export interface RunEntry {
  progress: RunProgress;
  listeners: Set<(progress: RunProgress) => void>;
  /** Never rejects. */
  outcome: Promise<Outcome>;
  ended?: { at: number; outcome: Outcome };
  /** When a caller last came for it, or left. */
  askedAt: number;
  isFresh: boolean;
  /** What it reads, where another run may take its place. */
  operation: string | undefined;
  ending: AbortController;
  /** True until it has its first place. */
  hasNoPlace: boolean;
}

export type Outcome = Ended | { error: unknown };

/** One that is under way does; one that has ended, unless it is old, or was there before a caller who wants it anew. */
export function counts({ ended, isFresh }: RunEntry, job: Omit<Job, 'work'>, clock: Clock): boolean {
  const { fresh = false, recentMs = UNTOLD_MS, accepts = () => true } = job;
  if (ended === undefined) return true;
  if (clock.now() - ended.at > UNTOLD_MS || (fresh && !isFresh)) return false;
  if ('error' in ended.outcome) return true;
  const { info } = ended.outcome;
  const age = clock.wallClock() - Date.parse(info.collectedAt);
  return age <= (fresh ? Math.min(recentMs, AGAIN_MS) : recentMs) && accepts(info);
}

/** Undefined when the time is over, the caller has gone, or it is not worth waiting. */
export function waitForRun(
  entry: RunEntry,
  { until, signal, onProgress, isTooLong = () => false }: WaitOptions,
  clock: Clock,
): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome | undefined) => {
      stopTimer();
      signal.removeEventListener('abort', leave);
      entry.listeners.delete(listen);
      resolve(outcome);
    };
    const leave = () => end(undefined);
    const listen = (progress: RunProgress) => {
      onProgress(progress);
      if (isTooLong(progress)) leave();
    };
    const stopTimer = clock.after(Math.max(0, until - clock.now()), leave);
    signal.addEventListener('abort', leave);
    entry.listeners.add(listen);
    void entry.outcome.then(end);
    if (signal.aborted) leave();
    else if (entry.ended === undefined) listen(entry.progress);
  });
}
