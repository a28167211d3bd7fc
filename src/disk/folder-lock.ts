/** Lets one process at a time do a thing that takes milliseconds, by a folder with the mark of whoever is inside. */

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../base/errors.ts';
import { isRunning, processPlace, startOf } from './process-place.ts';

/** One of which nothing else is known, and as old as this, was left by a process that was stopped. */
const STALE_MS = 30_000;
const POLL_MS = 20;
/** Behind one that is inside for longer nobody waits. */
const MOST_WAIT_MS = 60_000;

/** What differs in tests. */
export interface FolderLockParts {
  /** Of this time inside, never of another one. */
  newMark(): string;
  /** What the mark says of whoever left it; undefined where it tells nothing. */
  isInside(mark: string): boolean | undefined;
  now(): number;
  pause(): Promise<unknown>;
}

const SYSTEM: FolderLockParts = {
  newMark: () =>
    [processPlace(), process.pid, startOf(process.pid) ?? '', randomBytes(8).toString('hex')].join('-'),
  isInside: isHolderThere,
  now: () => Date.now(),
  pause: () => sleep(POLL_MS),
};

/**
 * Nothing of another one is ever removed by the name that all of them share: who comes in brings the folder with the mark
 * already in it, which succeeds only where there is none with a mark; who goes, and who clears up after one that is gone,
 * removes that one mark. So whoever comes back late finds its own mark gone, and its successor's untouched.
 * @param lock path of that folder; the one it is in is there
 * @throws the system's error where it cannot be made (ENOSPC, EACCES ...), EBUSY where one stays inside; what `work` throws
 */
export async function withFolderLock<Result>(
  lock: string,
  work: () => Promise<Result>,
  parts = SYSTEM,
): Promise<Result> {
  const mark = parts.newMark();
  await enter(lock, mark, parts);
  try {
    return await work();
  } finally {
    await unlink(join(lock, mark)).catch(() => undefined);
    // Refused where the next one is inside.
    await rmdir(lock).catch(() => undefined);
  }
}

async function enter(lock: string, mark: string, parts: FolderLockParts): Promise<void> {
  const draft = `${lock}.${mark}`;
  const until = performance.now() + MOST_WAIT_MS;
  await sweep(lock, parts);
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(join(draft, mark), '', { mode: 0o600 });
    while (!(await isRenamed(draft, lock))) {
      if (await clear(lock, parts)) continue;
      if (performance.now() > until) throw busy(lock);
      await parts.pause();
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** What those left who were stopped before they came in. */
async function sweep(lock: string, { isInside }: FolderLockParts): Promise<void> {
  const start = `${basename(lock)}.`;
  const names = await readdir(dirname(lock)).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(start))) {
    if (isInside(name.slice(start.length)) !== false) continue;
    await rm(join(dirname(lock), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** EPERM and EACCES: Windows takes no folder's place, not that of an empty one either. */
const IS_THERE = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']);

async function isRenamed(draft: string, lock: string): Promise<boolean> {
  try {
    await rename(draft, lock);
    return true;
  } catch (error) {
    if (IS_THERE.has(codeOf(error))) return false;
    throw error;
  }
}

/** True where somebody's leaving, or their being gone, may have made room. */
async function clear(lock: string, parts: FolderLockParts): Promise<boolean> {
  const marks = await readdir(lock).catch(() => []);
  let isCleared = false;
  for (const mark of marks) {
    if (!(await isLeft(join(lock, mark), parts.isInside(mark), parts))) continue;
    await unlink(join(lock, mark)).catch(() => undefined);
    isCleared = true;
  }
  if (!isCleared && marks.length > 0) return false;
  // Of somebody who was stopped in between; refused where the next one is inside.
  return rmdir(lock).then(
    () => true,
    () => isCleared,
  );
}

async function isLeft(path: string, isInside: boolean | undefined, parts: FolderLockParts): Promise<boolean> {
  if (isInside !== undefined) return !isInside;
  const found = await stat(path).catch(() => undefined);
  // Also one from the future: the clock was set back since, and nobody could tell how old it is.
  return found !== undefined && Math.abs(parts.now() - found.mtimeMs) > STALE_MS;
}

const MARK = /^([0-9a-f]{8})-(\d+)-(\d*)-[0-9a-f]{16}$/;

/** However long it takes: one that runs is inside, one that has ended is not, and of other places nobody knows. */
function isHolderThere(mark: string): boolean | undefined {
  const [, place, pid = '', start = ''] = MARK.exec(mark) ?? [];
  if (place !== processPlace()) return undefined;
  if (!isRunning(Number(pid))) return false;
  const startNow = startOf(Number(pid));
  // Without its start it may be another process of the same number.
  return start === '' || startNow === undefined ? undefined : start === startNow;
}

function busy(lock: string): Error {
  const error = new Error(
    `${lock} is held by another process that does not end. If no other runs, remove it.`,
  );
  return Object.assign(error, { code: 'EBUSY' });
}
