/** What processes leave behind in an account's folder: told from what is in use, and removed. */

import { randomBytes } from 'node:crypto';
import { rm, stat, utimes } from 'node:fs/promises';
import { isRunning, processPlace } from '../process-place.ts';

/** A file that belongs to no whole collection, and that nobody has touched for this long, is nobody's. */
const STRAY_MS = 300_000;

/** How often a process says that its own folders are in use. */
const BEAT_MS = 60_000;

/** One of another machine or container that was not touched for this long was left by a process that is gone. */
const STALE_MS = 600_000;

/** When this process began: another one may have had its number before, in a container always. */
const BEGAN = Math.floor(performance.timeOrigin).toString(36);

/** Of a folder that is this process's alone. */
export function ownName(): string {
  return `${processPlace()}-${process.pid}-${BEGAN}-${randomBytes(4).toString('hex')}`;
}

/** By the number of its process where that says something, else by whether somebody touches it. */
export async function isInUse(path: string, name: string): Promise<boolean> {
  const [, place, pid, began] = /^([0-9a-f]{8})-(\d+)-([0-9a-z]+)-[0-9a-f]{8}$/.exec(name) ?? [];
  if (place === processPlace()) {
    return Number(pid) === process.pid ? began === BEGAN : isRunning(Number(pid));
  }
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < STALE_MS;
}

/** Where nobody can be at it any more; by the computer's own clock, as the file's time is. */
export async function removeStray(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && Date.now() - found.mtimeMs > STRAY_MS) await rm(path, { force: true });
}

/** Touches each folder that it is given, for as long as it is there; nothing waits for it. */
export function createBeat(): (path: string) => void {
  const paths = new Set<string>();
  let beat: NodeJS.Timeout | undefined;
  const touch = async () => {
    const at = new Date();
    for (const path of paths) await utimes(path, at, at).catch(() => paths.delete(path));
    if (paths.size > 0) return;
    clearInterval(beat);
    beat = undefined;
  };
  return (path) => {
    paths.add(path);
    beat ??= setInterval(() => void touch(), BEAT_MS).unref();
  };
}
