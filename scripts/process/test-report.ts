/** Counts the tests in a report that Vitest wrote, and names what failed. */

import { readFile } from 'node:fs/promises';
import * as z from 'zod';

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** The names of the tests that failed within the step, as far as they are known. */
  names: readonly string[];
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

/** @returns undefined where there is no report */
export async function readTestReport(path: string): Promise<Count | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { testResults, ...counted } = reportSchema.parse(JSON.parse(text));
  const broken = testResults.filter(({ status }) => status === 'failed');
  const names = broken.flatMap(({ name, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0) return [name];
    return tests.map(({ fullName, failureMessages }) => `${name}: ${fullName}${reasonOf(failureMessages)}`);
  });
  return {
    passed: counted.numPassedTests,
    failed: counted.numFailedTests,
    skipped: counted.numPendingTests + counted.numTodoTests,
    names: names.map((name) => name.replace(`${process.cwd()}/`, '')),
  };
}

/** So many characters hold the seed of a property and what was found wrong, where the rest of the output is not at hand. */
const MAX_REASON = 700;

function reasonOf(messages: readonly string[]): string {
  const text = messages
    .join(' ')
    .replace(/\n +at .*/g, '')
    .replace(/\s+/g, ' ');
  const half = MAX_REASON / 2;
  const shown = text.length <= MAX_REASON ? text : `${text.slice(0, half)} ... ${text.slice(-half)}`;
  return shown === '' ? '' : ` (${shown})`;
}
