/** Keeps two writers of one configuration apart, by the same lock folder that Claude Code takes for its own file. */

import { mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../errors.ts';
import { codeOf, readable } from './config-file.ts';

/** A lock not touched for this long belonged to a process that died. */
const staleMs = 10_000;

export interface LockTiming {
  waitMs: number;
  pollMs: number;
}

/**
 * Runs `work` while `<file>.lock` is ours.
 * @throws InputError when another process keeps the lock for longer than `waitMs`.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result>,
  timing: LockTiming = { waitMs: 5_000, pollMs: 50 },
): Promise<Result> {
  const lock = `${file}.lock`;
  await takeLock(lock, file, timing);
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(() => undefined);
  }
}

async function takeLock(lock: string, file: string, { waitMs, pollMs }: LockTiming): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    try {
      return await mkdir(lock);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw readable(error, file, 'written');
    }
    if (await isStale(lock)) await rmdir(lock).catch(() => undefined);
    else if (waitedMs >= waitMs) throw busy(lock, file);
    await sleep(pollMs);
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}

function busy(lock: string, file: string): InputError {
  return new InputError(
    `${file} is being written by another program. Nothing was changed.`,
    `Try again in a moment; if no other program runs, remove ${lock}.`,
  );
}
