/** The collections that a session has under way: found by what they collect, surviving the call, ended with the session. */

import { setMaxListeners } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import { AppError, CancelledError, InputError } from '../../base/errors.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import { count } from '../../base/text/value-words.ts';
import { explainDisk } from '../tables/disk-failure.ts';
import { toName } from '../tables/sql-names.ts';
import type { CollectionInfo, CollectionSource, Tables } from '../tables/table-types.ts';
import { collectOnce, workKey } from './collect-once.ts';
import type { CollectionPlan, RunProgress } from './collection-plan.ts';
import type { SavedRaw } from './save-raw.ts';

/** Collections of one session that work at once; the next ones wait for a place. */
export const MOST_AT_ONCE = 3;

/** Collections that may wait for a place, or for the service or another process without one. */
export const MOST_WAITING = 20;

/** A run that nobody has asked for since then makes room for another one of its operation. */
export const FORGOTTEN_MS = 3 * 60_000;

/** A younger one counts as collected now. */
const WORTH_TELLING_MS = 60_000;

/** What a call with `fresh` began is the answer to the same call for so long after its end. */
const AGAIN_MS = 10 * 60_000;

/** An outcome that nobody has asked for is forgotten after this. */
const UNTOLD_MS = 3_600_000;

export interface CollectionJob extends Omit<CollectionPlan, 'recentMs' | 'checkAccess'> {
  tables: Tables;
  /** True for a caller who wants nothing that was there before. */
  fresh?: boolean | undefined;
  /** An outcome that nobody was told counts up to this age; any age where it is left out. */
  recentMs?: number | undefined;
  /** False for an outcome that is not what this caller wants. */
  accepts?: ((info: CollectionInfo) => boolean) | undefined;
}

interface WaitOptions {
  /** Milliseconds of the clock. */
  until: number;
  /** Ends the waiting, never the run. */
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
  /** True for what is not worth waiting for now. */
  isTooLong?: (progress: RunProgress) => boolean;
}

export interface CollectOptions extends Omit<WaitOptions, 'isTooLong'> {
  tables: Tables;
  /** Anew, however new the one is that is kept. */
  fresh?: boolean | undefined;
  /** The name that its table must have, where the caller asked for one. */
  as?: string | undefined;
}

export type Collected =
  | (Ended & {
      state: 'done';
      /** Of one that was kept; absent where it was collected now. */
      ageMs?: number | undefined;
      /** The name that was asked for, where it was under way with another one. */
      missedName?: string | undefined;
    })
  | { state: 'under way'; progress: RunProgress };

interface Ended {
  info: CollectionInfo;
  /** Main table of the collection of the same source that was there before, where it had another name: it is gone. */
  replaced?: string | undefined;
  /** For the person, where that was asked for. */
  saved?: SavedRaw | undefined;
}

type Outcome = Ended | { error: unknown };

interface RunEntry {
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

const WAITS = `Waits until one of ${MOST_AT_ONCE} other collections is done (one of the same operation that nobody asks for in ${FORGOTTEN_MS / 60_000} min makes room)`;

export class CollectionJobs {
  /** What was said of collections once, and need not be said again. */
  readonly told = new Set<string>();
  readonly #clock: Clock;
  readonly #entries = new Map<string, RunEntry>();
  readonly #ending = new AbortController();
  readonly #turns = createSemaphore(MOST_AT_ONCE);
  /** Of runs that gave their places up and are about to end. */
  readonly #leaving = new Set<Promise<Outcome>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    setMaxListeners(0, this.#ending.signal);
  }

  /**
   * Collects what is planned, or finds it: new enough and kept, under way, or begun now; waits as long as the caller has
   * time.
   * @throws what ended the work, once; ApiError for what the service refused before; InputError when too many wait
   */
  async collect(
    plan: CollectionPlan,
    { tables, fresh = false, as, ...waiting }: CollectOptions,
  ): Promise<Collected> {
    const accepts = (info: CollectionInfo) => isNamed(info, as);
    const job = { ...plan, tables, fresh, accepts };
    // Tables do not hold what they were made of.
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
    // Whoever asks for the first time is told at once that it takes longer, unless the first call may still be refused;
    // whoever comes again waits.
    const isTooLong = ({ leftMs = 0, awaitsFirst = false }: RunProgress) =>
      run.isNew && !awaitsFirst && this.#clock.now() + leftMs > waiting.until;
    const ended = await run.wait({ ...waiting, isTooLong });
    if (ended === undefined) return { state: 'under way', progress: run.progress() };
    // It may have ended long before anybody came back for it.
    const ageMs = this.#ageOf(ended.info);
    return {
      ...ended,
      state: 'done',
      ageMs: ageMs < WORTH_TELLING_MS ? undefined : ageMs,
      missedName: as === undefined || accepts(ended.info) ? undefined : toName(as),
    };
  }

  /** The run of this source, started where there is none. @throws InputError when too many wait */
  startOrJoin(job: CollectionJob) {
    if (this.#ending.signal.aborted) throw new CancelledError('The session has ended.');
    const key = keyOf(job);
    const known = this.#current(job);
    const entry = known ?? this.#start(key, job);
    entry.askedAt = this.#clock.now();
    this.#makeRoom(entry);
    return {
      /** False where it was under way already, or had ended and nobody had been told. */
      isNew: known === undefined,
      progress: () => entry.progress,
      /** The collection; undefined when it is still under way. @throws what ended it, once */
      wait: async (options: WaitOptions): Promise<Ended | undefined> => {
        const outcome = await waitForRun(entry, options, this.#clock);
        entry.askedAt = this.#clock.now();
        if (outcome === undefined) return undefined;
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        if ('error' in outcome) throw outcome.error;
        return outcome;
      },
    };
  }

  /** True while it is under way, or nobody was told how it ended and that still counts. */
  has(job: CollectionJob): boolean {
    return this.#current(job) !== undefined;
  }

  /** Ends all of them; nothing of what they have begun is left. */
  async close(): Promise<void> {
    this.#ending.abort(new CancelledError('The session has ended.'));
    const outcomes = [...this.#entries.values()].map(({ outcome }) => outcome);
    await Promise.allSettled([...outcomes, ...this.#leaving]);
  }

  #ageOf({ collectedAt }: CollectionInfo): number {
    return this.#clock.wallClock() - Date.parse(collectedAt);
  }

  /** Whether anything is collected by now. */
  get isAtWork(): boolean {
    return this.#underWay().length > 0;
  }

  #underWay(): RunEntry[] {
    return [...this.#entries.values()].filter(({ ended }) => ended === undefined);
  }

  #start(key: string, job: CollectionJob): RunEntry {
    if (this.#underWay().length >= MOST_AT_ONCE + MOST_WAITING) throw tooMany();
    const entry: RunEntry = {
      progress: { message: 'Begins' },
      listeners: new Set(),
      outcome: Promise.resolve({ error: undefined }),
      askedAt: this.#clock.now(),
      isFresh: job.fresh === true,
      operation: operationOf(job.source),
      ending: new AbortController(),
      hasNoPlace: this.#turns.isFull(),
    };
    const tell = (progress: RunProgress) => {
      entry.progress = progress;
      for (const listener of entry.listeners) listener(progress);
    };
    if (entry.hasNoPlace) tell({ message: WAITS });
    const signal = AbortSignal.any([this.#ending.signal, entry.ending.signal]);
    const progress = () => entry.progress;
    const work = this.#turns.take(signal, async (idle) => {
      entry.hasNoPlace = false;
      const before = (await job.tables.find(job.source))?.tables[0]?.name;
      const made = await collectOnce({ ...job, progress, tell, clock: this.#clock, signal, idle });
      const { saved, ...info } = made;
      return { info, replaced: before === info.tables[0]?.name ? undefined : before, saved };
    });
    entry.outcome = work.catch(
      (error: unknown): Outcome => ({ error: withProgress(explainDisk(error), entry.progress) }),
    );
    void entry.outcome.then((outcome) => {
      entry.ended = { at: this.#clock.now(), outcome };
    });
    this.#entries.set(key, entry);
    return entry;
  }

  /**
   * One that is under way; one that has ended and nobody was told of, unless it is old, or was there before a caller who
   * wants it anew. Undefined for one that does not count for this caller.
   */
  #current(job: CollectionJob): RunEntry | undefined {
    const { fresh = false, recentMs = UNTOLD_MS, accepts = () => true } = job;
    const entry = this.#entries.get(keyOf(job));
    if (entry?.ended === undefined) return entry;
    const { at, outcome } = entry.ended;
    if (this.#clock.now() - at > UNTOLD_MS || (fresh && !entry.isFresh)) return undefined;
    if ('error' in outcome) return entry;
    const isRecent = this.#ageOf(outcome.info) <= (fresh ? Math.min(recentMs, AGAIN_MS) : recentMs);
    return isRecent && accepts(outcome.info) ? entry : undefined;
  }

  /** For a run that waits for a place: the one of its operation that was forgotten longest ends. */
  #makeRoom(waiting: RunEntry): void {
    if (!waiting.hasNoPlace || waiting.operation === undefined) return;
    const [oldest] = this.#underWay()
      .filter((entry) => entry !== waiting && entry.operation === waiting.operation)
      .filter(({ listeners, askedAt }) => listeners.size === 0 && this.#clock.now() - askedAt > FORGOTTEN_MS)
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

/** `_2` and so on stand behind a name that is taken. */
function isNamed({ named, tables: [main], renamed }: CollectionInfo, as: string | undefined): boolean {
  if (as === undefined) return true;
  const name = toName(as);
  if (named === name) return true;
  return main !== undefined && (main.name === name || renamed?.[name] === main.name);
}

/** Undefined when the time is over, the caller has gone, or it is not worth waiting. */
function waitForRun(
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

function withProgress(error: unknown, { done }: RunProgress): unknown {
  if (!(error instanceof AppError) || error instanceof CancelledError) return error;
  if (done === undefined || done === 0) return error;
  const read = count(done);
  return error.withHint(`Nothing of it is kept (${read} had been read); the same call starts over.`);
}

function tooMany(): InputError {
  return new InputError(
    `${MOST_AT_ONCE + MOST_WAITING} collections are under way or wait already; this one was not begun.`,
    'Call again when some of them are done.',
  );
}
