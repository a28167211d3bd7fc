/**
 * Locks a configuration against concurrent writers with the lock folder that Claude Code uses for its own
 * file. An abandoned lock is reported, not taken over, because it does not show its owner.
 */

import type { Stats } from 'node:fs';
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledError, codeOf, InputError } from '../../base/errors.ts';
import { readable } from './config-file.ts';

/** The age after which an untouched lock counts as abandoned. */
const STALE_MS = 10_000;

export interface LockTiming {
  waitMs: number;
  pollMs: number;
}

const LOCK_TIMING: LockTiming = { waitMs: 5_000, pollMs: 50 };

/**
 * Runs `work` while this process holds `<file>.lock`.
 * @param signal ends the wait; work that has begun is completed.
 * @throws InputError when another process holds the lock for longer than `waitMs`, or abandoned it;
 * CancelledError when `signal` aborts.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
  timing: LockTiming = LOCK_TIMING,
): Promise<Result> {
  const lock = `${file}.lock`;
  const own = await takeLock(lock, file, signal, timing);
  try {
    return await work();
  } finally {
    // Another process may have taken the lock over because this one was slow, and then owns it.
    if (isSame(await look(lock), own)) await rmdir(lock).catch(() => undefined);
  }
}

async function takeLock(
  lock: string,
  file: string,
  signal: AbortSignal,
  { waitMs, pollMs }: LockTiming,
): Promise<Stats | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    if (signal.aborted) throw new CancelledError('Cancelled. Nothing was changed.');
    try {
      await mkdir(lock);
      return await look(lock);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw readable(error, file, 'written');
    }
    const found = await look(lock);
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) throw leftOver(lock, file);
    if (performance.now() >= until) throw busy(lock, file);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

const look = (lock: string): Promise<Stats | undefined> => lstat(lock).catch(() => undefined);

/** Distinguishes a lock from a later one of the same name. */
const isSame = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.ino === other?.ino && one.mtimeMs === other.mtimeMs;

function leftOver(lock: string, file: string): InputError {
  return new InputError(
    `${file} was not changed: ${lock} is left over from a program that has ended.`,
    `If no other program is changing ${file}, remove ${lock} and run the command again.`,
  );
}

function busy(lock: string, file: string): InputError {
  return new InputError(
    `${file} is being written by another program. Nothing was changed.`,
    `Try again in a moment; if no other program runs, remove ${lock}.`,
  );
}
