/** Watches the memory and the open files of the program while it runs. */

import { memoryMb, openFiles } from '../bench/process-facts.ts';
import { median, percentile } from '../bench/statistics.ts';

const EVERY_MS = 1000;
/** How much the floor of the memory varies by itself between two quarters. */
const MEMORY_NOISE_MB = 20;
/** Threads that load and query come and go: what is left of the memory between them is compared. */
const FLOOR = 0.1;
const floorOf = (samples: readonly number[]) => percentile(samples, FLOOR);
const FILES_NOISE = 8;
/** Below this a run is all warm-up: two minutes. */
const MIN_SAMPLES = 120;

export interface Watch {
  stop(): void;
  lines(): string[];
  violations(): string[];
}

/** The first quarter is warm-up; the last is compared with the second. */
export function watch(pid: number): Watch {
  const memory: number[] = [];
  const files: number[] = [];
  const timer = setInterval(() => {
    const [now, open] = [memoryMb(pid), openFiles(pid)];
    if (now !== undefined) memory.push(now);
    if (open !== undefined) files.push(open);
  }, EVERY_MS);
  return {
    stop: () => clearInterval(timer),
    lines: () => [
      `memory: ${describe(memory, 'MB', floorOf)}; highest ${Math.round(Math.max(...memory))} MB`,
      `open files and sockets: ${describe(files, '')}; most ${Math.max(...files)}`,
    ],
    violations: () => [
      ...grown('memory', memory, MEMORY_NOISE_MB, floorOf),
      ...grown('open files and sockets', files, FILES_NOISE),
    ],
  };
}

function quarters(samples: readonly number[], of = median): { second: number; last: number } | undefined {
  const size = Math.floor(samples.length / 4);
  if (size < 1) return undefined;
  return { second: of(samples.slice(size, 2 * size)), last: of(samples.slice(-size)) };
}

function describe(samples: readonly number[], unit: string, of = median): string {
  const found = quarters(samples, of);
  if (found === undefined) return 'not measured here';
  return `${found.second.toFixed(1)} ${unit} in the second quarter, ${found.last.toFixed(1)} ${unit} in the last`;
}

function grown(what: string, samples: readonly number[], noise: number, of = median): string[] {
  const found = quarters(samples, of);
  if (samples.length < MIN_SAMPLES || found === undefined) return [];
  if (found.last - found.second <= noise) return [];
  return [`${what} grew by ${(found.last - found.second).toFixed(1)} from the second quarter to the last`];
}
