/**
 * Tracks a session's reads of many listings. They continue when a call ends, and the next call joins them.
 */

import { setMaxListeners } from 'node:events';
import { CancelledError, InputError } from '../../../base/errors.ts';
import type { ReadListings } from './read-listings.ts';

export interface ListingsReadParts {
  /** Aborts when the session ends. */
  signal: AbortSignal;
  tell(read: number, of: number): void;
}

interface WaitForReading {
  /** Milliseconds of the clock (`performance.now()`). */
  until: number;
  /** Ends the wait, never the read. */
  signal: AbortSignal;
  onProgress(progress: { read: number; of: number }): void;
}

export type BackgroundReads = ReturnType<typeof createBackgroundReads>;

/**
 * The maximum number of reads that one session has in progress, or has finished without a call for their
 * result.
 */
export const MAX_READINGS = 3;
/** The time after which a finished read is dropped, because it is no longer current. */
export const MAX_RESULT_AGE_MS = 5 * 60_000;

interface RunningListingsRead {
  progress: { read: number; of: number };
  listeners: Set<WaitForReading['onProgress']>;
  outcome: Promise<ReadListings>;
  /** The time when the read ended. */
  endedAt: number | undefined;
}

export function createBackgroundReads({ now }: { now: () => number }) {
  const entries = new Map<string, RunningListingsRead>();
  const ending = new AbortController();
  // Each of many requests adds a listener to it.
  setMaxListeners(0, ending.signal);
  const dropOld = () => {
    for (const [key, { endedAt }] of entries) {
      if (endedAt !== undefined && now() - endedAt > MAX_RESULT_AGE_MS) entries.delete(key);
    }
  };
  const start = (
    key: string,
    read: (parts: ListingsReadParts) => Promise<ReadListings>,
  ): RunningListingsRead => {
    if (ending.signal.aborted) throw new CancelledError('The session has ended; nothing was sent.');
    if (entries.size >= MAX_READINGS) throw tooMany();
    const progress = { read: 0, of: 0 };
    const listeners: RunningListingsRead['listeners'] = new Set();
    const report = (done: number, of: number) => {
      Object.assign(progress, { read: done, of });
      for (const listener of listeners) listener({ read: done, of });
    };
    const outcome = read({ signal: ending.signal, tell: report });
    const entry: RunningListingsRead = { progress, listeners, endedAt: undefined, outcome };
    outcome
      .catch(() => {})
      .finally(() => {
        entry.endedAt = now();
      });
    entries.set(key, entry);
    return entry;
  };
  return {
    /**
     * Returns the listings once, so the next call reads anew; or returns the progress where the read takes
     * longer.
     * @param key identifies the listings and their owner
     * @throws InputError when too many reads are in progress; whatever `read` throws
     */
    async join(
      key: string,
      read: (parts: ListingsReadParts) => Promise<ReadListings>,
      { until, signal, onProgress }: WaitForReading,
    ): Promise<ReadListings | { read: number; of: number }> {
      dropOld();
      const entry = entries.get(key) ?? start(key, read);
      entry.listeners.add(onProgress);
      try {
        const found = await waitUntil(entry.outcome, until - now(), signal);
        if (found === undefined) return entry.progress;
        entries.delete(key);
        return found;
      } catch (error) {
        if (!signal.aborted) entries.delete(key);
        throw error;
      } finally {
        entry.listeners.delete(onProgress);
      }
    },
    /** Ends all reads. */
    async close(): Promise<void> {
      ending.abort(new CancelledError('The session has ended; nothing was sent.'));
      await Promise.allSettled([...entries.values()].map(({ outcome }) => outcome));
    },
  };
}

/** Returns undefined where the work takes longer. @throws CancelledError when the caller has cancelled */
async function waitUntil<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  let stop = () => {};
  const ended = new Promise<undefined>((resolve, reject) => {
    const cancel = () => reject(new CancelledError('The call was cancelled; nothing was sent.'));
    const timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    stop();
  }
}

function tooMany(): InputError {
  return new InputError(
    `${MAX_READINGS} other lists of listings are being read, or wait to be shown; nothing was sent.`,
    'Call again with the arguments of one of those, or a few minutes later.',
  );
}
