/** Checks everything that must hold, step by step; ends with `N passed, N failed` (and skipped) for all that ran. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';

interface Step {
  name: string;
  command: string;
  /** Where the tests write their own report. */
  report?: string;
  /** Its output ends with `N passed, N failed`, which is added to the total. */
  counts?: boolean;
  /** Runs only if this folder exists. */
  needs?: string;
}

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const DEFINITIONS = '../shared/api-definitions';
const REPORT = 'build/tests.json';
const KEYCHAIN_REPORT = 'build/keychain-tests.json';
const reporters = (file: string) => `--reporter=default --reporter=json --outputFile.json=${file}`;

/**
 * One after another, with nothing else running: a Secret Service that loses a client midway exits, and takes
 * the keyring of every other test with it.
 */
const WITH_KEYCHAIN = [
  'test/credentials/keychain/keychain-store.test.ts',
  'test/credentials/rotation-kill.test.ts',
  'test/credentials/shared-token.test.ts',
  'test/e2e/credentials-page.test.ts',
  'test/e2e/login-echo.test.ts',
  'test/e2e/undo-personal.test.ts',
];
const WITHOUT_KEYCHAIN = WITH_KEYCHAIN.map((file) => `--exclude ${file}`);

/** A step without a report or a count is one check. */
const STEPS: readonly Step[] = [
  { name: 'lint, format and the import rule', command: 'npm run --silent lint' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'nothing unused, and nothing that only tests use', command: 'npm run --silent unused' },
  { name: 'generated files', command: 'npm run --silent generate -- --check' },
  { name: 'documents against the code', command: 'npm run --silent check:docs' },
  { name: 'regular expressions', command: 'npm run --silent check:regex' },
  { name: 'workflows', command: 'npm run --silent check:workflows' },
  {
    name: 'facts against their source',
    command: `npx tsx scripts/build-facts.ts ${DEFINITIONS} --check`,
    needs: DEFINITIONS,
  },
  {
    name: 'tests, with a real browser',
    command: `npm test -- ${WITHOUT_KEYCHAIN.join(' ')} ${reporters(REPORT)}`,
    report: REPORT,
  },
  {
    name: 'tests of the keychain, with a real one',
    command: `scripts/with-keychain.sh npx vitest run --no-file-parallelism ${WITH_KEYCHAIN.join(' ')} ${reporters(KEYCHAIN_REPORT)}`,
    report: KEYCHAIN_REPORT,
  },
  { name: 'demo', command: 'npm run --silent demo' },
  {
    name: 'every declared case through the server',
    command: `npm run --silent check:definitions -- ${DEFINITIONS}`,
    needs: DEFINITIONS,
    counts: true,
  },
  { name: 'release', command: 'npm run --silent release:check' },
  { name: 'every client and Node version', command: 'npm run --silent matrix', counts: true },
];

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const rows: string[] = [];
for (const step of STEPS) {
  if (step.needs !== undefined && !existsSync(step.needs)) {
    rows.push(`left out  ${step.name} (no ${step.needs} here)`);
    continue;
  }
  console.log(`\n=== ${step.name}: ${step.command}`);
  const started = performance.now();
  const { code, output } = await run(step.command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counted = await count(step, code, output);
  total.passed += counted.passed;
  total.failed += counted.failed;
  total.skipped += counted.skipped;
  rows.push(`${counted.failed === 0 ? 'ok      ' : 'FAILED  '}  ${step.name} (${seconds} s)`);
}

console.log(`\n${rows.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Shows the output as it arrives, and keeps it. */
function run(command: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      process.stdout.write(chunk);
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A step that fails without reporting a failure (a test file that does not load) still counts as one. */
async function count(step: Step, code: number, output: string): Promise<Count> {
  const own =
    step.report !== undefined ? await readReport(step.report) : step.counts ? readLast(output) : undefined;
  if (own === undefined && (step.report !== undefined || step.counts))
    return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = own ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 };
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}

async function readReport(path: string): Promise<Count | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = reportSchema.parse(
    JSON.parse(text),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

function readLast(output: string): Count | undefined {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const [, passed, failed, skipped = '0'] = lines.at(-1) ?? [];
  if (passed === undefined) return undefined;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}
