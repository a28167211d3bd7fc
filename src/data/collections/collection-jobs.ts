/**
 * Manages the collections in progress of a session: they are found by their source, outlive the call and end
 * with the session.
 */

import { setMaxListeners } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import { AppError, CancelledError, InputError } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import { count } from '../../base/text/format-value.ts';
import { explainDisk } from '../tables/disk-failure.ts';
import { toName } from '../tables/sql-names.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../tables/table-types.ts';
import { collectUnderLease, workKey } from './collect-once.ts';
import type { CollectionPlan, RunProgress } from './collection-plan.ts';
import type { SavedRaw } from './save-raw.ts';

/** Max collections of one session that run at once; the next ones wait for a slot. */
export const MAX_RUNNING_COLLECTIONS = 3;

/** Max collections that wait for a slot, or without one for the service or another process. */
export const MAX_WAITING_COLLECTIONS = 20;

/** A run that no caller has asked about for this long makes room for another one of its operation. */
export const ABANDONED_RUN_MS = 3 * 60_000;

/** A younger collection counts as collected now. */
const MIN_REPORTED_AGE_MS = 60_000;

/** The result of a call with `fresh` answers the same call for this long after its end. */
const FRESH_RESULT_MS = 10 * 60_000;

/** An outcome that no caller has asked for is discarded after this time. */
const UNREPORTED_MS = 3_600_000;

export interface CollectionJob extends Omit<CollectionPlan, 'recentMs' | 'checkAccess'> {
  tables: Tables;
  /** True for a caller that accepts no earlier result. */
  fresh?: boolean | undefined;
  /** The max age of an unreported outcome; any age counts if omitted. */
  recentMs?: number | undefined;
  /** Returns false for an outcome that this caller cannot use. */
  accepts?: ((info: CollectionInfo) => boolean) | undefined;
}

interface WaitOptions {
  /** The deadline in milliseconds of the clock. */
  until: number;
  /** Ends the waiting, never the run. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
  /** Returns true if the caller should not wait for the rest now. */
  isTooLong?: (progress: RunProgress) => boolean;
}

export interface CollectOptions extends Omit<WaitOptions, 'isTooLong'> {
  tables: Tables;
  /** Collects again even if a recent result is stored. */
  fresh?: boolean | undefined;
  /** The table name that the caller asked for, if any. */
  as?: string | undefined;
}

export type Collected =
  | (FinishedRun & {
      state: 'done';
      /** The age of a stored collection; absent if it was collected now. */
      ageMs?: number | undefined;
      /** The requested name, if the collection was in progress with another one. */
      missedName?: string | undefined;
    })
  | { state: 'under way'; progress: RunProgress };

interface FinishedRun {
  info: CollectionInfo;
  /** The main table of the earlier collection of the same source, if it had another name; it is removed. */
  replaced?: string | undefined;
  /** The files saved for the user, if requested. */
  saved?: SavedRaw | undefined;
}

type RunOutcome = FinishedRun | { error: unknown };

interface CollectionRun {
  progress: RunProgress;
  listeners: Set<(progress: RunProgress) => void>;
  /** This promise never rejects. */
  outcome: Promise<RunOutcome>;
  ended?: { at: number; outcome: RunOutcome };
  /** The last time that a caller asked for it or left. */
  askedAt: number;
  isFresh: boolean;
  /** The operation that it reads, if another run may take its slot. */
  operation: string | undefined;
  ending: AbortController;
  /** True until it gets its first slot. */
  hasNoPlace: boolean;
}

const WAITS = `Waits until one of ${MAX_RUNNING_COLLECTIONS} other collections is done (one of the same operation that nobody asks for in ${ABANDONED_RUN_MS / 60_000} min makes room)`;

export class CollectionJobs {
  /** The facts about collections that need to be reported only once. */
  readonly told = new Set<string>();
  readonly #clock: Clock;
  readonly #entries = new Map<string, CollectionRun>();
  readonly #ending = new AbortController();
  readonly #turns = createSemaphore(MAX_RUNNING_COLLECTIONS);
  /** The outcomes of runs that gave up their slots and are about to end. */
  readonly #leaving = new Set<Promise<RunOutcome>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    setMaxListeners(0, this.#ending.signal);
  }

  /**
   * Collects the plan or finds its result: recent and stored, in progress, or started now. It waits as long
   * as the caller has time.
   * @throws the error that ended the work, once; ApiError for an earlier refusal of the service; InputError
   * when too many wait
   */
  async collect(
    plan: CollectionPlan,
    { tables, fresh = false, as, ...waiting }: CollectOptions,
  ): Promise<Collected> {
    const accepts = (info: CollectionInfo) => isNamed(info, as);
    const job = { ...plan, tables, fresh, accepts };
    // Tables do not contain the raw data from which they were made.
    if (plan.saveAs === undefined && !fresh && !this.has(job)) {
      const kept = await tables.find(plan.source);
      const ageMs = kept === undefined ? 0 : this.#ageOf(kept);
      const isWhole = kept?.cutOff !== true;
      if (kept !== undefined && isWhole && ageMs <= plan.recentMs && accepts(kept)) {
        return { state: 'done', info: kept, ageMs: Math.max(0, ageMs) };
      }
    }
    if (!fresh && !this.has(job)) plan.checkAccess?.();
    const run = this.startOrJoin(job);
    // A first call returns at once if the rest takes longer, unless the first request may still be refused; a
    // repeated call waits.
    const isTooLong = ({ leftMs = 0, awaitsFirst = false }: RunProgress) =>
      run.isNew && !awaitsFirst && this.#clock.now() + leftMs > waiting.until;
    const ended = await run.wait({ ...waiting, isTooLong });
    if (ended === undefined) return { state: 'under way', progress: run.progress() };
    // The run may have ended long before a caller came back for it.
    const ageMs = this.#ageOf(ended.info);
    return {
      ...ended,
      state: 'done',
      ageMs: ageMs < MIN_REPORTED_AGE_MS ? undefined : ageMs,
      missedName: as === undefined || accepts(ended.info) ? undefined : toName(as),
    };
  }

  /** Returns the run of this source and starts one if there is none. @throws InputError when too many wait */
  startOrJoin(job: CollectionJob) {
    if (this.#ending.signal.aborted) throw new CancelledError('The session has ended.');
    const key = keyOf(job);
    const known = this.#current(job);
    const entry = known ?? this.#start(key, job);
    entry.askedAt = this.#clock.now();
    this.#makeRoom(entry);
    return {
      /** False if the run was already in progress, or had ended with an unreported outcome. */
      isNew: known === undefined,
      progress: () => entry.progress,
      /** Returns the collection; undefined while it is in progress. @throws the error that ended it, once */
      wait: async (options: WaitOptions): Promise<FinishedRun | undefined> => {
        const outcome = await waitForRun(entry, options, this.#clock);
        entry.askedAt = this.#clock.now();
        if (outcome === undefined) return undefined;
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        if ('error' in outcome) throw outcome.error;
        return outcome;
      },
    };
  }

  /** Returns true while the run is in progress, or its unreported outcome still counts. */
  has(job: CollectionJob): boolean {
    return this.#current(job) !== undefined;
  }

  /** Ends all runs and removes everything that they have begun. */
  async close(): Promise<void> {
    this.#ending.abort(new CancelledError('The session has ended.'));
    const outcomes = [...this.#entries.values()].map(({ outcome }) => outcome);
    await Promise.allSettled([...outcomes, ...this.#leaving]);
  }

  #ageOf({ collectedAt }: CollectionInfo): number {
    return this.#clock.wallClock() - Date.parse(collectedAt);
  }

  /** Returns whether any collection is in progress. */
  get isAtWork(): boolean {
    return this.#underWay().length > 0;
  }

  #underWay(): CollectionRun[] {
    return [...this.#entries.values()].filter(({ ended }) => ended === undefined);
  }

  #start(key: string, job: CollectionJob): CollectionRun {
    if (this.#underWay().length >= MAX_RUNNING_COLLECTIONS + MAX_WAITING_COLLECTIONS) throw tooMany();
    const entry: CollectionRun = {
      progress: { message: 'Begins' },
      listeners: new Set(),
      outcome: Promise.resolve({ error: undefined }),
      askedAt: this.#clock.now(),
      isFresh: job.fresh === true,
      operation: operationOf(job.source),
      ending: new AbortController(),
      hasNoPlace: this.#turns.isFull(),
    };
    const report = (progress: RunProgress) => {
      entry.progress = progress;
      for (const listener of entry.listeners) listener(progress);
    };
    if (entry.hasNoPlace) report({ message: WAITS });
    const signal = AbortSignal.any([this.#ending.signal, entry.ending.signal]);
    const progress = () => entry.progress;
    const work = this.#turns.take(signal, async (idle) => {
      entry.hasNoPlace = false;
      const before = (await job.tables.find(job.source))?.tables[0]?.name;
      const made = await collectUnderLease({
        ...job,
        progress,
        tell: report,
        clock: this.#clock,
        signal,
        idle,
      });
      const { saved, ...info } = made;
      return { info, replaced: before === info.tables[0]?.name ? undefined : before, saved };
    });
    entry.outcome = work.catch(
      (error: unknown): RunOutcome => ({ error: withProgress(explainDisk(error), entry.progress) }),
    );
    void entry.outcome.then((outcome) => {
      entry.ended = { at: this.#clock.now(), outcome };
    });
    this.#entries.set(key, entry);
    return entry;
  }

  /**
   * Returns a run in progress, or one with an unreported outcome. Undefined if that is too old, or if a
   * caller wants a fresh result that this run is not.
   */
  #current(job: CollectionJob): CollectionRun | undefined {
    const { fresh = false, recentMs = UNREPORTED_MS, accepts = () => true } = job;
    const entry = this.#entries.get(keyOf(job));
    if (entry?.ended === undefined) return entry;
    const { at, outcome } = entry.ended;
    if (this.#clock.now() - at > UNREPORTED_MS || (fresh && !entry.isFresh)) return undefined;
    if ('error' in outcome) return entry;
    const isRecent = this.#ageOf(outcome.info) <= (fresh ? Math.min(recentMs, FRESH_RESULT_MS) : recentMs);
    return isRecent && accepts(outcome.info) ? entry : undefined;
  }

  /** Ends the longest forgotten run of the same operation, for a run that waits for a slot. */
  #makeRoom(waiting: CollectionRun): void {
    if (!waiting.hasNoPlace || waiting.operation === undefined) return;
    const [oldest] = this.#underWay()
      .filter((entry) => entry !== waiting && entry.operation === waiting.operation)
      .filter(
        ({ listeners, askedAt }) => listeners.size === 0 && this.#clock.now() - askedAt > ABANDONED_RUN_MS,
      )
      .sort((one, other) => one.askedAt - other.askedAt);
    if (oldest === undefined) return;
    for (const [key, entry] of this.#entries) if (entry === oldest) this.#entries.delete(key);
    this.#leaving.add(oldest.outcome);
    void oldest.outcome.then(() => this.#leaving.delete(oldest.outcome));
    oldest.ending.abort(new CancelledError('Another collection of the same operation took its place.'));
  }
}

function operationOf(source: CollectionSource): string | undefined {
  return source.kind === 'operation' ? source.operation : undefined;
}

const keyOf = (job: CollectionJob) => `${job.tables.folder}\n${workKey(job)}`;

/** Compares names; a taken name gets the suffix `_2` and so on. */
function isNamed({ named, tables: [main], renamed }: CollectionInfo, as: string | undefined): boolean {
  if (as === undefined) return true;
  const name = toName(as);
  if (named === name) return true;
  return main !== undefined && (main.name === name || renamed?.[name] === main.name);
}

/** Returns undefined when time is up, the caller has gone, or waiting is not worthwhile. */
function waitForRun(
  entry: CollectionRun,
  { until, signal, onProgress, isTooLong = () => false }: WaitOptions,
  clock: Clock,
): Promise<RunOutcome | undefined> {
  return new Promise((resolve) => {
    const end = (outcome: RunOutcome | undefined) => {
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

function withProgress(error: unknown, { done }: RunProgress): unknown {
  if (!(error instanceof AppError) || error instanceof CancelledError) return error;
  if (done === undefined || done === 0) return error;
  const read = count(done);
  return error.withHint(`Nothing of it is kept (${read} had been read); the same call starts over.`);
}

function tooMany(): InputError {
  return new InputError(
    `${MAX_RUNNING_COLLECTIONS + MAX_WAITING_COLLECTIONS} collections are under way or wait already; this one was not begun.`,
    'Call again when some of them are done.',
  );
}
