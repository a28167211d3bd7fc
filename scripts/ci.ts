/** Everything that must hold, step by step; ends with `N passed, N failed` (and skipped) for all that ran. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';

interface Step {
  name: string;
  command: string;
  /** Where the tests' own report is written; without one the step counts as one check. */
  report?: string;
  /** Runs only where this folder is. */
  needs?: string;
}

const DEFINITIONS = '../shared/api-definitions';
const REPORT = 'build/tests.json';

const STEPS: readonly Step[] = [
  { name: 'lint, format and the import rule', command: 'npm run --silent lint' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'generated files', command: 'npm run --silent generate -- --check' },
  {
    name: 'facts against their source',
    command: `npx tsx scripts/build-facts.ts ${DEFINITIONS} --check`,
    needs: DEFINITIONS,
  },
  {
    name: 'tests, with a real keychain and a real browser',
    command: `scripts/with-keychain.sh npm test -- --reporter=default --reporter=json --outputFile.json=${REPORT}`,
    report: REPORT,
  },
  { name: 'demo', command: 'npm run --silent demo' },
];

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

const total = { passed: 0, failed: 0, skipped: 0 };
const rows: string[] = [];
for (const step of STEPS) {
  if (step.needs !== undefined && !existsSync(step.needs)) {
    rows.push(`left out  ${step.name} (${step.needs} is not here)`);
    continue;
  }
  console.log(`\n=== ${step.name}: ${step.command}`);
  const started = performance.now();
  const code = await run(step.command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counted = await count(step, code);
  total.passed += counted.passed;
  total.failed += counted.failed;
  total.skipped += counted.skipped;
  rows.push(`${counted.failed === 0 ? 'ok        ' : 'FAILED    '}${step.name} (${seconds} s)`);
}

console.log(`\n${rows.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

function run(command: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function count(step: Step, code: number): Promise<{ passed: number; failed: number; skipped: number }> {
  const alone = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  if (step.report === undefined) return alone;
  const report = await readFile(step.report, 'utf8').catch(() => undefined);
  if (report === undefined) return { ...alone, passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = reportSchema.parse(
    JSON.parse(report),
  );
  // A run that fails without a failing test (a file that does not load) is a failure all the same.
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}
