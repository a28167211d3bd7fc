/** The collections that a session has under way: found by what they collect, surviving the call, ended with the session. */

import { setMaxListeners } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import { AppError, CancelledError, InputError } from '../../base/errors.ts';
import { explainDisk } from '../tables/disk-failure.ts';
import type { CollectionSource } from '../tables/types.ts';
import { collectOnce, workKey } from './collect-once.ts';
import {
  counts,
  type Ended,
  type Job,
  type Outcome,
  type RunEntry,
  type WaitOptions,
  waitForRun,
} from './run-entry.ts';
import { createTurns } from './turns.ts';
import type { Idle, RunProgress } from './work.ts';

/** Collections of one session that work at once; the next ones wait for a place. */
export const MOST_AT_ONCE = 3;

/** Collections that may wait for a place, or for the service or another process without one. */
export const MOST_WAITING = 20;

/** A run that nobody has asked for since then makes room for another one of its operation. */
export const FORGOTTEN_MS = 3 * 60_000;

export interface Run {
  /** False where it was under way already, or had ended and nobody had been told. */
  isNew: boolean;
  progress(): RunProgress;
  /** The collection; undefined when it is still under way. @throws what ended it, once */
  wait(options: WaitOptions): Promise<Ended | undefined>;
}

export interface Runs {
  /** The run of this source, started where there is none. @throws InputError when too many wait */
  open(job: Job): Run;
  /** True while it is under way, or nobody was told how it ended and that still counts. */
  has(job: Omit<Job, 'work'>): boolean;
  /** Ends all of them; nothing of what they have begun is left. */
  close(): Promise<void>;
}

const WAITS = `Waits until one of ${MOST_AT_ONCE} other collections is done (one of the same operation that nobody asks for in ${FORGOTTEN_MS / 60_000} min makes room)`;

export function createRuns({ clock }: { clock: Clock }): Runs {
  const entries = new Map<string, RunEntry>();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const turns = createTurns(MOST_AT_ONCE);
  /** Of runs that gave their places up and are about to end. */
  const leaving = new Set<Promise<Outcome>>();

  const underWay = () => [...entries.values()].filter(({ ended }) => ended === undefined);

  const start = (key: string, job: Job): RunEntry => {
    if (underWay().length >= MOST_AT_ONCE + MOST_WAITING) throw tooMany();
    const entry: RunEntry = {
      progress: { message: 'Begins' },
      listeners: new Set(),
      outcome: Promise.resolve({ error: undefined }),
      askedAt: clock.now(),
      isFresh: job.fresh === true,
      operation: operationOf(job.source),
      ending: new AbortController(),
      hasNoPlace: turns.isFull(),
    };
    const tell = (progress: RunProgress) => {
      entry.progress = progress;
      for (const listener of entry.listeners) listener(progress);
    };
    if (entry.hasNoPlace) tell({ message: WAITS });
    const signal = AbortSignal.any([ending.signal, entry.ending.signal]);
    const work = turns.take(signal, (idle) => {
      entry.hasNoPlace = false;
      return runOnce(job, { tell, entry, clock, signal, idle });
    });
    entry.outcome = work.catch(
      (error: unknown): Outcome => ({ error: withProgress(explainDisk(error), entry.progress) }),
    );
    void entry.outcome.then((outcome) => {
      entry.ended = { at: clock.now(), outcome };
    });
    entries.set(key, entry);
    return entry;
  };

  /** Undefined for one that does not count for this caller. */
  const current = (job: Omit<Job, 'work'>): RunEntry | undefined => {
    const entry = entries.get(keyOf(job));
    return entry !== undefined && counts(entry, job, clock) ? entry : undefined;
  };

  /** For a run that waits for a place: the one of its operation that was forgotten longest ends. */
  const makeRoom = (waiting: RunEntry) => {
    if (!waiting.hasNoPlace || waiting.operation === undefined) return;
    const [oldest] = underWay()
      .filter((entry) => entry !== waiting && entry.operation === waiting.operation)
      .filter(({ listeners, askedAt }) => listeners.size === 0 && clock.now() - askedAt > FORGOTTEN_MS)
      .sort((one, other) => one.askedAt - other.askedAt);
    if (oldest === undefined) return;
    for (const [key, entry] of entries) if (entry === oldest) entries.delete(key);
    leaving.add(oldest.outcome);
    void oldest.outcome.then(() => leaving.delete(oldest.outcome));
    oldest.ending.abort(new CancelledError('Another collection of the same operation took its place.'));
  };

  return {
    has: (job) => current(job) !== undefined,
    open(job) {
      if (ending.signal.aborted) throw new CancelledError('The session has ended.');
      const key = keyOf(job);
      const known = current(job);
      const entry = known ?? start(key, job);
      entry.askedAt = clock.now();
      makeRoom(entry);
      return {
        isNew: known === undefined,
        progress: () => entry.progress,
        async wait(options) {
          const outcome = await waitForRun(entry, options, clock);
          entry.askedAt = clock.now();
          if (outcome === undefined) return undefined;
          if (entries.get(key) === entry) entries.delete(key);
          if ('error' in outcome) throw outcome.error;
          return outcome;
        },
      };
    },
    async close() {
      ending.abort(new CancelledError('The session has ended.'));
      await Promise.allSettled([...entries.values()].map(({ outcome }) => outcome).concat([...leaving]));
    },
  };
}

function operationOf(source: CollectionSource): string | undefined {
  return source.kind === 'operation' ? source.operation : undefined;
}

const keyOf = (job: Omit<Job, 'work'>) => `${job.tables.folder}\n${workKey(job)}`;

interface RunParts {
  entry: RunEntry;
  clock: Clock;
  signal: AbortSignal;
  tell(progress: RunProgress): void;
  idle: Idle;
}

async function runOnce(job: Job, { tell, entry, clock, signal, idle }: RunParts): Promise<Ended> {
  const { tables, source, work, saveAs } = job;
  const before = (await tables.find(source))?.tables[0]?.name;
  const progress = () => entry.progress;
  const made = await collectOnce({ tables, source, work, saveAs, progress, tell, clock, signal, idle });
  const { saved, ...info } = made;
  const replaced = before === info.tables[0]?.name ? undefined : before;
  return {
    info,
    replaced,
    saved,
  };
}

function withProgress(error: unknown, { done }: RunProgress): unknown {
  if (!(error instanceof AppError) || error instanceof CancelledError) return error;
  if (done === undefined || done === 0) return error;
  const read = done.toLocaleString('en-US');
  return error.withHint(`Nothing of it is kept (${read} had been read); the same call starts over.`);
}

function tooMany(): InputError {
  return new InputError(
    `${MOST_AT_ONCE + MOST_WAITING} collections are under way or wait already; this one was not begun.`,
    'Call again when some of them are done.',
  );
}
