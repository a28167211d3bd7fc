/**
 * Keeps two writers of one configuration apart, by the same lock folder that Claude Code takes for its own file. Claude Code
 * takes only an empty one for a lock that can be left over, so nothing can stand in it that tells whose it is, as in
 * src/disk/folder-lock.ts, which guards what is only ours.
 */

import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rename, rmdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledError, codeOf, InputError } from '../../base/errors.ts';
import { readable } from './config-file.ts';

/** A lock not touched for this long belonged to a process that died. */
const staleMs = 10_000;

export interface LockTiming {
  waitMs: number;
  pollMs: number;
}

const LOCK_TIMING: LockTiming = { waitMs: 5_000, pollMs: 50 };

/**
 * Runs `work` while `<file>.lock` is ours.
 * @param signal ends the waiting; work that has begun is brought to its end.
 * @throws InputError when another process keeps the lock for longer than `waitMs`; CancelledError when `signal` aborts.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
  timing: LockTiming = LOCK_TIMING,
): Promise<Result> {
  const lock = `${file}.lock`;
  const mine = await takeLock(lock, file, signal, timing);
  try {
    return await work();
  } finally {
    // Whoever found us too slow has taken it over: then it is theirs.
    if (isSame(await look(lock), mine)) await rmdir(lock).catch(() => undefined);
  }
}

async function takeLock(
  lock: string,
  file: string,
  signal: AbortSignal,
  { waitMs, pollMs }: LockTiming,
): Promise<Seen> {
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
    const isGone = isStale(found) && (await takeAway(lock, found));
    // Also after taking one away: somebody may put one like it there each time. What is there by now says what it is.
    if (performance.now() >= until) throw isStale(await look(lock)) ? leftOver(lock, file) : busy(lock, file);
    if (!isGone) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What tells one lock from the next of the same name. */
type Seen = { ino: number; mtimeMs: number } | undefined;

const isStale = (seen: Seen) => seen !== undefined && Date.now() - seen.mtimeMs > staleMs;

const look = (lock: string): Promise<Seen> => lstat(lock).catch(() => undefined);

const isSame = (one: Seen, other: Seen): boolean =>
  one !== undefined && one.ino === other?.ino && one.mtimeMs === other.mtimeMs;

/**
 * Takes the stale lock away, and no other. Of several processes that see it stale, one renames it; another may find
 * the fresh lock of the first under that name by then, sees that it is not the one it looked at, and puts it back.
 * Should a third have got in during that instant, two work at once, and `replaceFile` still refuses what it did not
 * read.
 */
async function takeAway(lock: string, stale: Seen): Promise<boolean> {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(lock, aside);
  } catch {
    return false;
  }
  const isGone = isSame(await look(aside), stale) && (await removeEmpty(aside));
  if (!isGone) await rename(aside, lock).catch(() => removeEmpty(aside));
  return isGone;
}

async function removeEmpty(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

function leftOver(lock: string, file: string): InputError {
  return new InputError(
    `${file} was not changed: ${lock} is left over from a program that has ended, and it cannot be removed from here.`,
    `If no other program is changing ${file}, remove ${lock} and run the command again.`,
  );
}

function busy(lock: string, file: string): InputError {
  return new InputError(
    `${file} is being written by another program. Nothing was changed.`,
    `Try again in a moment; if no other program runs, remove ${lock}.`,
  );
}
