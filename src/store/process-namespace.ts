/**
 * Identifies where a process runs, because process IDs are comparable only there: containers number their own
 * processes.
 */

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../base/errors.ts';

let namespaceDigest: string | undefined;

/**
 * Returns eight characters, equal for processes that see the same process IDs; they change when the machine
 * restarts.
 */
export function processNamespace(): string {
  namespaceDigest ??= createHash('sha256')
    .update(JSON.stringify([hostname(), namespaceOfNumbers(), startOfMachine()]))
    .digest('hex')
    .slice(0, 8);
  return namespaceDigest;
}

/**
 * Returns true while the process runs.
 * @param pid of a process in this namespace
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Returns the start time, which distinguishes a process from a later one with the same ID. Undefined on
 * systems other than Linux, and for a process that is gone.
 * @param pid of a process in this namespace
 */
export function startOf(pid: number): string | undefined {
  const text = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The process name before it may contain anything, even brackets and spaces; the start time is field 22.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function namespaceOfNumbers(): string {
  return readOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
}

function startOfMachine(): string {
  return readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

/**
 * Returns an empty text on systems other than Linux, which lack these files, so that all their processes
 * share one namespace.
 */
function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
