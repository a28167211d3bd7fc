/** The collections that a session has under way: found by what they collect, surviving the call, ended with the session. */

import { setMaxListeners } from 'node:events';
import type { Clock } from '../client/clock.ts';
import { AppError, CancelledError, ConfigError, InputError } from '../errors.ts';
import { sourceKey } from '../tables/collection-file.ts';
import type { CollectionInfo, CollectionSource, Loader, Tables } from '../tables/types.ts';
import { oncePerMachine } from './once-per-machine.ts';

/** Collections of one session that go on at once; the next ones wait for a place. */
export const MOST_AT_ONCE = 3;

/** Collections that may wait for one. */
export const MOST_WAITING = 20;

/** An outcome that nobody has asked for is forgotten after this. */
const UNTOLD_MS = 3_600_000;

/** How far a run is, in our own words: nothing in them comes from the service. */
export interface RunProgress {
  /** `340 of about 1,000 items`. */
  message: string;
  done?: number | undefined;
  total?: number | undefined;
  /** Until the end, as far as it can be told. */
  leftMs?: number | undefined;
  /** True where that is only until the next step, and nobody knows how many there are. */
  isAtLeast?: boolean | undefined;
}

export interface WorkParts {
  /** A place for the rows; it is abandoned at the end of the work unless it was finished. */
  open(): Promise<Loader>;
  /** Aborts when the session ends. */
  signal: AbortSignal;
  tell(progress: RunProgress): void;
}

/** Collects, and finishes one loader. */
export type Work = (parts: WorkParts) => Promise<CollectionInfo>;

export interface Job {
  tables: Tables;
  source: CollectionSource;
  work: Work;
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

export interface Run {
  /** False where it was under way already, or had ended and nobody had been told. */
  isNew: boolean;
  progress(): RunProgress;
  /** The collection; undefined when it is still under way. @throws what ended it, once */
  wait(options: WaitOptions): Promise<CollectionInfo | undefined>;
}

export interface Runs {
  /** The run of this source, started where there is none. @throws InputError when too many wait */
  open(job: Job): Run;
  /** True while it is under way, or nobody was told how it ended. */
  has(tables: Tables, source: CollectionSource): boolean;
  /** Ends all of them; nothing of what they have begun is left. */
  close(): Promise<void>;
}

interface Entry {
  progress: RunProgress;
  listeners: Set<(progress: RunProgress) => void>;
  /** Never rejects. */
  outcome: Promise<Outcome>;
  endedAt?: number;
}

type Outcome = { info: CollectionInfo } | { error: unknown };

export function createRuns({ clock }: { clock: Clock }): Runs {
  const entries = new Map<string, Entry>();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const turns = createTurns(MOST_AT_ONCE);

  const start = (key: string, job: Job): Entry => {
    if (turns.waiting() >= MOST_WAITING) throw tooMany();
    const entry: Entry = {
      progress: { message: 'Begins' },
      listeners: new Set(),
      outcome: Promise.resolve({ error: undefined }),
    };
    const tell = (progress: RunProgress) => {
      entry.progress = progress;
      for (const listener of entry.listeners) listener(progress);
    };
    if (turns.isFull()) tell({ message: `Waits until one of ${MOST_AT_ONCE} other collections is done` });
    const work = turns.take(() => runOnce(job, { tell, entry, clock, signal: ending.signal }));
    entry.outcome = work.then(
      (info): Outcome => ({ info }),
      (error: unknown): Outcome => ({ error: withProgress(explainDisk(error), entry.progress) }),
    );
    void entry.outcome.then(() => {
      entry.endedAt = clock.now();
    });
    entries.set(key, entry);
    return entry;
  };

  const current = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    const isOld = entry?.endedAt !== undefined && clock.now() - entry.endedAt > UNTOLD_MS;
    if (isOld) entries.delete(key);
    return isOld ? undefined : entry;
  };

  return {
    has: (tables, source) => current(keyOf(tables, source)) !== undefined,
    open(job) {
      if (ending.signal.aborted) throw new CancelledError('The session has ended.');
      const key = keyOf(job.tables, job.source);
      const known = current(key);
      const entry = known ?? start(key, job);
      return {
        isNew: known === undefined,
        progress: () => entry.progress,
        async wait(options) {
          const outcome = await waitFor(entry, options, clock);
          if (outcome === undefined) return undefined;
          if (entries.get(key) === entry) entries.delete(key);
          if ('error' in outcome) throw outcome.error;
          return outcome.info;
        },
      };
    },
    async close() {
      ending.abort(new CancelledError('The session has ended.'));
      await Promise.allSettled([...entries.values()].map(({ outcome }) => outcome));
    },
  };
}

const keyOf = ({ folder }: Tables, source: CollectionSource) => `${folder}\n${sourceKey(source)}`;

interface RunParts {
  entry: Entry;
  clock: Clock;
  signal: AbortSignal;
  tell(progress: RunProgress): void;
}

async function runOnce(
  { tables, source, work }: Job,
  { tell, entry, clock, signal }: RunParts,
): Promise<CollectionInfo> {
  const opened: Loader[] = [];
  const open = async () => {
    signal.throwIfAborted();
    const loader = await tables.open(source);
    opened.push(loader);
    return loader;
  };
  return oncePerMachine<CollectionInfo>({
    folder: tables.folder,
    key: sourceKey(source),
    signal,
    clock,
    tell,
    progress: () => entry.progress,
    find: async (since) => {
      const found = await tables.find(source);
      return found !== undefined && Date.parse(found.collectedAt) >= since ? found : undefined;
    },
    async run() {
      try {
        return await work({ open, signal, tell });
      } finally {
        await Promise.all(opened.map((loader) => loader.abandon()));
      }
    },
  });
}

/** Undefined when the time is over, the caller has gone, or it is not worth waiting. */
function waitFor(
  entry: Entry,
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
    else if (entry.endedAt === undefined) listen(entry.progress);
  });
}

function withProgress(error: unknown, { done }: RunProgress): unknown {
  if (!(error instanceof AppError) || error instanceof CancelledError) return error;
  if (done === undefined || done === 0) return error;
  const read = done.toLocaleString('en-US');
  return error.withHint(`Nothing of it is kept (${read} had been read); the same call starts over.`);
}

/** What the system says about a folder or disk that takes nothing more. */
const DISK = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EIO']);

function explainDisk(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof AppError || !DISK.has(code)) return error;
  return new ConfigError(
    `The folder of collected tables is full, or cannot be written (${code}).`,
    'Make room, remove collections (seller-commerce-mcp data), or name another folder with --data-dir (SELLER_DATA_DIR).',
    { cause: error },
  );
}

function tooMany(): InputError {
  return new InputError(
    `${MOST_AT_ONCE} collections are under way and ${MOST_WAITING} wait already; this one was not begun.`,
    'Call again when some of them are done.',
  );
}

/** Lets so many pieces of work go on at once, the others in order of arrival. */
function createTurns(most: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    isFull: () => busy >= most,
    waiting: () => waiting.length,
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else busy += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) busy -= 1;
        else next();
      }
    },
  };
}
