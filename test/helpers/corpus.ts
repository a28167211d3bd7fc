/** Records what sessions say and what reaches the service, where CORPUS names a folder; scripts/corpus.ts compares two recordings. */

import { appendFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { CORPUS } = process.env;

/** One thing that was observed; of which kind, and what. */
export async function record(kind: string, ...observed: readonly unknown[]): Promise<void> {
  if (CORPUS === undefined) return;
  const { expect } = await import('vitest');
  const { testPath = 'none', currentTestName = 'outside of the tests' } = expect.getState();
  const line = JSON.stringify({ test: currentTestName, kind, observed });
  appendFileSync(join(CORPUS, `${basename(testPath)}.jsonl`), `${line}\n`);
}
