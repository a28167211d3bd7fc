/** How long each test took without a mutant, stored next to its file in the sandbox, so that quick ones can run first. */

import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

export type Durations = Readonly<Record<string, number>>;

const schema = z.record(z.string(), z.number());
const fileOf = (testFile: string) => `${testFile}.ms.json`;

export function writeDurations(testFile: string, durations: Durations): void {
  writeFileSync(fileOf(testFile), JSON.stringify(durations));
}

/** @returns nothing until the run without mutants is over */
export function readDurations(testFile: string): Durations {
  try {
    return schema.parse(JSON.parse(readFileSync(fileOf(testFile), 'utf8')));
  } catch {
    return {};
  }
}

export function sumOf(durations: Durations): number {
  return Object.values(durations).reduce((sum, ms) => sum + ms, 0);
}
