/** Reads the memory and the open files of a running process from the system. */

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
