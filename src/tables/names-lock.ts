/** Lets one process at a time choose names in an account's folder. */

import { mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Choosing takes milliseconds: one as old as this was left by a process that was stopped. */
const STALE_MS = 30_000;
const POLL_MS = 20;

export async function withNamesLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const lock = join(folder, 'names.lock');
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
  if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) await rmdir(lock).catch(() => undefined);
  return false;
}
