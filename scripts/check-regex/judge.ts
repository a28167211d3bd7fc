/** Judges whether an expression takes time in proportion to its text, using recheck in pure JavaScript. */

import { createRequire } from 'node:module';
import type { Diagnostics } from 'recheck';

/** `unknown`: not decided within the limits, so it must be excused like a vulnerable one. */
type Verdict = Pick<Diagnostics, 'status'> & {
  /** `2nd degree polynomial`, or why it is not known. */
  what: string;
};

export type Judge = (source: string, flags: string) => Verdict;

/** Counted, never timed (recheck's own limits are on sizes and rounds), so that a busy machine gives the same verdict. */
const LIMITS = { randomSeed: 0, timeout: null, attackTimeout: null, incubationTimeout: null } as const;

/** A verdict holds for the same judge only. */
export function nameJudge(): string {
  const version: unknown = createRequire(import.meta.url)('recheck/package.json').version;
  return `recheck ${version} ${JSON.stringify(LIMITS)}`;
}

/** recheck's other backends are a native program and a Java program. */
export async function loadJudge(): Promise<Judge> {
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  return (source, flags) => {
    const found = checkSync(source, flags, LIMITS);
    const what = found.status === 'unknown' ? found.error.kind : found.complexity.summary;
    return { status: found.status, what };
  };
}
