/** Lets one process at a time do a thing that takes milliseconds, by a folder that only one of them can make. */

import { mkdir, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** One as old as this was left by a process that was stopped. */
const STALE_MS = 30_000;
const POLL_MS = 20;

/**
 * @param lock path of that folder; the one it is in is there
 * @throws the system's error where it cannot be made (ENOSPC, EACCES ...); what `work` throws
 */
export async function withFolderLock<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await take(lock))) await sleep(POLL_MS);
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(() => undefined);
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const found = await stat(lock).catch(() => undefined);
  if (found !== undefined && isStale(found.mtimeMs)) await rmdir(lock).catch(() => undefined);
  return false;
}

/** Also one from the future: the clock was set back since, and nobody could tell how old it is. */
function isStale(mtimeMs: number): boolean {
  return Math.abs(Date.now() - mtimeMs) > STALE_MS;
}
