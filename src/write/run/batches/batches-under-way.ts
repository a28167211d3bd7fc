/** The batches that this process works on or watches: in the background, beyond the call that began them. */

import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../../base/clock.ts';
import type { BatchDisk } from './disk.ts';
import { notGoingOn } from './disk-words.ts';
import type { BatchRecord } from './record.ts';
import { ELSEWHERE, runBatch } from './send-batch.ts';
import { countsOf, GOES_ON_MS, isExpired } from './summary.ts';
import type { BatchItem, BatchProgress, BatchWait, Sender } from './types.ts';

/** How often another process's work is looked at. */
const LOOK_MS = 500;

/** What is under way may take so long to end when the session does. */
const LAST_ITEM_MS = 1_200;
/** Then it is given up, and that is written down. */
const LAST_LINE_MS = 300;

export interface RunEntry {
  /** Never rejects. */
  ended: Promise<void>;
  isElsewhere: boolean;
  /** False when the time is over, or the caller has gone. */
  wait(options: BatchWait): Promise<boolean>;
  /** Ends it between two items. */
  end(): void;
}

export function createBatchRuns({ disk, clock }: { disk: BatchDisk; clock: Clock }) {
  const entries = new Map<string, RunEntry>();
  const whys = new Map<string, string | undefined>();
  const ending = new AbortController();
  const timeUp = new AbortController();
  for (const { signal } of [ending, timeUp]) setMaxListeners(0, signal);

  const start = (record: BatchRecord, items: readonly BatchItem[], sender: Sender): RunEntry => {
    const { id, createdAt, total } = record.head;
    const own = new AbortController();
    const listeners = new Set<(progress: BatchProgress) => void>();
    const tell = (why: string | undefined) => {
      whys.set(id, why);
      const done = total - countsOf(record).pending;
      for (const listen of listeners) listen({ done, total, why });
    };
    const entry: RunEntry = {
      ended: Promise.resolve(),
      isElsewhere: false,
      wait: (options) => waitFor(entry, listeners, options, clock),
      end: () => own.abort(),
    };
    const age = clock.wallClock() - createdAt;
    const until = clock.now() + GOES_ON_MS - Math.max(0, age);
    const parts = { record, items, sender, clock, tell, signal: timeUp.signal };
    // By both clocks: one may be set, and the other one stands still while the computer sleeps.
    const maySend = () => clock.now() < until && !isExpired(createdAt, clock.wallClock());
    const work = workOn(entry, {
      ...parts,
      disk,
      maySend,
      ending: AbortSignal.any([ending.signal, own.signal]),
    });
    entry.ended = work
      .catch((error: unknown) => notGoingOn(error))
      .then((why) => {
        whys.set(id, why);
        entries.delete(id);
      });
    entries.set(id, entry);
    whys.delete(id);
    return entry;
  };
  return {
    /** The one that is under way; undefined where none is. */
    find: (id: string) => entries.get(id),
    start,
    /** Why the last one ended before its time, or what it waits for. */
    whyOf: (id: string) => whys.get(id),
    async close(): Promise<void> {
      ending.abort();
      const all = Promise.all([...entries.values()].map(({ ended }) => ended));
      await within(all, LAST_ITEM_MS, clock);
      timeUp.abort();
      await within(all, LAST_LINE_MS, clock);
    },
  };
}

type WorkParts = Omit<Parameters<typeof runBatch>[0], 'run' | 'isOurs'> & { disk: BatchDisk };

/** Works on it as soon as nobody else does. */
async function workOn(entry: RunEntry, parts: WorkParts): Promise<string | undefined> {
  const { disk, record, clock, ending, tell } = parts;
  while (!ending.aborted) {
    const lease = await disk.hold(record.head.id);
    entry.isElsewhere = lease === undefined;
    await record.refresh();
    if (lease === undefined) {
      tell(undefined);
      if (countsOf(record).pending === 0) return undefined;
      await sleep(clock, LOOK_MS, ending).catch(() => undefined);
      continue;
    }
    try {
      const run = randomBytes(8).toString('hex');
      const why = await runBatch({ ...parts, run, isOurs: lease.isOurs });
      if (why !== ELSEWHERE) return why;
    } finally {
      await lease.release();
    }
  }
  return undefined;
}

function waitFor(
  entry: RunEntry,
  listeners: Set<(progress: BatchProgress) => void>,
  { until, signal, onProgress }: BatchWait,
  clock: Clock,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasEnded: boolean) => {
      stopTimer();
      signal.removeEventListener('abort', leave);
      listeners.delete(onProgress);
      resolve(hasEnded);
    };
    const leave = () => end(false);
    const stopTimer = clock.after(Math.max(0, until - clock.now()), leave);
    signal.addEventListener('abort', leave);
    listeners.add(onProgress);
    void entry.ended.then(() => end(true));
    if (signal.aborted) leave();
  });
}

async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopTimer = clock.after(ms, resolve);
    void work.then(() => {
      stopTimer();
      resolve();
    });
  });
}
