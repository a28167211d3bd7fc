/** What the system knows about a running process: its memory and its open files. */

import { readdirSync, readFileSync } from 'node:fs';

const MEGABYTE = 1024 * 1024;

/** Highest memory so far, in MB; undefined where there is no /proc. */
export function peakMemoryMb(pid: number): number | undefined {
  return statusMb(pid, 'VmHWM');
}

/** Memory now, in MB; undefined where there is no /proc. */
export function memoryMb(pid: number): number | undefined {
  return statusMb(pid, 'VmRSS');
}

/** Open files and sockets; undefined where there is no /proc. */
export function openFiles(pid: number): number | undefined {
  return attempt(() => readdirSync(`/proc/${pid}/fd`).length);
}

/** Processor time of all live threads, in ms; undefined where there is no /proc. */
export function processorMs(pid: number): number | undefined {
  return attempt(() => {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  });
}

/** For how long the main thread has waited for a processor that others had, in ms; 0 where there is no /proc. */
export function processorWaitMs(pid: number): number {
  const schedule = attempt(() => readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'));
  return schedule === undefined ? 0 : Number(schedule.split(' ')[1]) / 1e6;
}

/** What the machine's host has given to others, over all processors, in ms (in steps of 10); 0 where there is no /proc. */
export function stolenMs(): number {
  const line = attempt(() => /^cpu .*/.exec(readFileSync('/proc/stat', 'utf8'))?.[0]);
  return Number(line?.trim().split(/\s+/)[8] ?? 0) * 10;
}

function statusMb(pid: number, field: string): number | undefined {
  return attempt(() => {
    const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return (Number(line?.[1]) * 1024) / MEGABYTE;
  });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
