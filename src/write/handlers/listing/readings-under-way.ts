/** Readings of many listings that a session has under way: they go on when a call ends, and the next call joins them. */

import { setMaxListeners } from 'node:events';
import { CancelledError, InputError } from '../../../base/errors.ts';
import type { ReadListings } from './read-listings.ts';

export interface UnderWay {
  /** Aborts with the session. */
  signal: AbortSignal;
  tell(read: number, of: number): void;
}

interface WaitForReading {
  /** Milliseconds of the clock (`performance.now()`). */
  until: number;
  /** Ends the waiting, never the reading. */
  signal: AbortSignal;
  onProgress(progress: { read: number; of: number }): void;
}

export type Readings = ReturnType<typeof createReadings>;

/** Lists that one session reads at once, or has read and nobody has asked for since. */
export const MOST_READINGS = 3;
/** What was read is let go where nobody asks for it: it is no longer what is there. */
export const KEPT_MS = 5 * 60_000;

interface Entry {
  progress: { read: number; of: number };
  listeners: Set<WaitForReading['onProgress']>;
  outcome: Promise<ReadListings>;
  /** When it ended. */
  endedAt: number | undefined;
}

export function createReadings({ now }: { now: () => number }) {
  const entries = new Map<string, Entry>();
  const ending = new AbortController();
  // Each of many requests listens to it.
  setMaxListeners(0, ending.signal);
  const letGo = () => {
    for (const [key, { endedAt }] of entries) {
      if (endedAt !== undefined && now() - endedAt > KEPT_MS) entries.delete(key);
    }
  };
  const start = (key: string, read: (parts: UnderWay) => Promise<ReadListings>): Entry => {
    if (ending.signal.aborted) throw new CancelledError('The session has ended; nothing was sent.');
    if (entries.size >= MOST_READINGS) throw tooMany();
    const progress = { read: 0, of: 0 };
    const listeners: Entry['listeners'] = new Set();
    const tell = (done: number, of: number) => {
      Object.assign(progress, { read: done, of });
      for (const listener of listeners) listener({ read: done, of });
    };
    const outcome = read({ signal: ending.signal, tell });
    const entry: Entry = { progress, listeners, endedAt: undefined, outcome };
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
     * The listings, once: the next call reads anew. How far it is where it takes longer.
     * @param key what is read, and whose
     * @throws InputError when too many are under way; whatever `read` throws
     */
    async join(
      key: string,
      read: (parts: UnderWay) => Promise<ReadListings>,
      { until, signal, onProgress }: WaitForReading,
    ): Promise<ReadListings | { read: number; of: number }> {
      letGo();
      const entry = entries.get(key) ?? start(key, read);
      entry.listeners.add(onProgress);
      try {
        const found = await within(entry.outcome, until - now(), signal);
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
    /** Ends all of them. */
    async close(): Promise<void> {
      ending.abort(new CancelledError('The session has ended; nothing was sent.'));
      await Promise.allSettled([...entries.values()].map(({ outcome }) => outcome));
    },
  };
}

/** Undefined where it takes longer. @throws CancelledError when the caller has gone */
async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
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
    `${MOST_READINGS} other lists of listings are being read, or wait to be shown; nothing was sent.`,
    'Call again with the arguments of one of those, or a few minutes later.',
  );
}
