/** Tells where a process runs, so that its number is asked about only where it means the same: containers count their own. */

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../base/errors.ts';

let place: string | undefined;

/** Eight characters, the same for processes that see each other's numbers; others after the machine was started again. */
export function processPlace(): string {
  place ??= createHash('sha256')
    .update(JSON.stringify([hostname(), namespaceOfNumbers(), startOfMachine()]))
    .digest('hex')
    .slice(0, 8);
  return place;
}

/** @param pid of a process of this place */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Tells a process from a later one of the same number; undefined on systems other than Linux, and for one that is gone.
 * @param pid of a process of this place
 */
export function startOf(pid: number): string | undefined {
  const text = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name before it may hold anything, brackets and spaces too; the start is the 22nd in all.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function namespaceOfNumbers(): string {
  return orNothing(() => readlinkSync('/proc/self/ns/pid'));
}

function startOfMachine(): string {
  return orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

/** Other systems than Linux have neither, and one place for all processes. */
function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
