/** What ends a query that its worker does not end itself: time, memory, the caller. */

import { CancelledError, InputError, TimeoutError } from '../errors.ts';
import { inWords } from '../text/duration.ts';
import type { QueryOptions } from './types.ts';

/** What the process may grow by while a query runs. */
export const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

const WATCH_MS = 20;

type Limits = Pick<QueryOptions, 'timeoutMs' | 'signal'>;

/** `timeoutMs` is what is left of it after the wait for others. */
export type LimitsLeft = Limits & { askedMs: number };

/** Until the queries before it have ended; the wait counts as its time. @throws TimeoutError, CancelledError */
export async function waitFor(others: Promise<unknown>, { timeoutMs, signal }: Limits): Promise<void> {
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const cancel = () => reject(new CancelledError('The query was cancelled.'));
    const timer = setTimeout(() => reject(tooBusy(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
  });
  try {
    await Promise.race([others, ended]);
  } finally {
    stop();
  }
}

export function watch(
  end: () => Promise<void>,
  { timeoutMs, askedMs, signal }: LimitsLeft,
  residentBytes: () => number,
) {
  const before = residentBytes();
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const fail = (error: Error) => void end().finally(() => reject(error));
    const cancel = () => fail(new CancelledError('The query was cancelled.'));
    const timer = setTimeout(() => fail(tooLong(askedMs)), timeoutMs);
    const watcher = setInterval(() => {
      if (residentBytes() - before > MAX_GROWTH_BYTES) fail(tooLarge());
    }, WATCH_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    stop = () => {
      clearTimeout(timer);
      clearInterval(watcher);
      signal?.removeEventListener('abort', cancel);
    };
  });
  return {
    stop: () => stop(),
    /** What ended it is the reason, not that the worker is gone. */
    race<T>(work: Promise<T>): Promise<T> {
      return Promise.race([ended, work.catch((error: unknown) => failOrWait(error, ended))]);
    },
  };
}

async function failOrWait(error: unknown, ended: Promise<never>): Promise<never> {
  if (error instanceof Error && error.name === 'WorkerEndedError') {
    const grace = new Promise<never>((_, reject) => setTimeout(() => reject(error), 1_000).unref());
    return Promise.race([ended, grace]);
  }
  throw error;
}

function tooLong(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The query took longer than ${inWords(timeoutMs)} and was ended.`,
    'Ask for less at once: filter before joining, join on item, leave out ORDER BY over all rows.',
  );
}

function tooBusy(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The query was not run: others of this session took longer than ${inWords(timeoutMs)}.`,
    'Ask one after the other, or for less at once.',
  );
}

export function tooLarge(): InputError {
  return new InputError(
    `The query was ended: it took more than ${MAX_GROWTH_BYTES / 1024 / 1024} MB of memory.`,
    'Select fewer columns or rows: sorting, grouping and joining keep what they work on in memory.',
  );
}
