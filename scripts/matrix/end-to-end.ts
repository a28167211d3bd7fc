/** Runs the end-to-end suite against a program, started as TEST_LAUNCH says, and counts by test and by client. */

import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Launch } from '../../test/helpers/launch.ts';
import { CLIENT_KINDS } from '../../test/helpers/sessions.ts';
import { INSTALLED_FOLDER } from '../process/install.ts';
import { run } from '../process/run.ts';
import type { Row } from './row.ts';

/** A whole session with every client, and the writes that a person confirms: the part that takes seconds. */
export const SESSION_FILES = ['test/e2e/session.test.ts', 'test/e2e/writes-ask.test.ts'];

/** Lists and feeds: they take minutes, and are of `npm run test:all`, as the `.full` files are. */
export const LONG_FILES = [
  'change-listings',
  'feeds',
  'hosts-that-decline',
  'many-calls',
  'many-uncertain',
  'undo-change',
].map((name) => `test/e2e/${name}.test.ts`);

const LONGEST_RUN_MS = 900_000;

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Of the suite. */
export interface Part {
  only?: readonly string[];
  leftOut?: readonly string[];
}

type Report = z.infer<typeof reportSchema>;

/**
 * @param part only these files in test/e2e, or all but those left out; everything when neither is named
 */
export async function runEndToEnd(
  name: string,
  launch: Launch,
  { only = ['test/e2e'], leftOut = [] }: Part = {},
): Promise<Row[]> {
  const report = join(INSTALLED_FOLDER, `end-to-end-${process.pid}.json`);
  await rm(report, { force: true });
  const vitest = ['npx', 'vitest', 'run', ...only, '--reporter=json', `--outputFile=${report}`];
  const command = (await hasKeychain()) ? ['scripts/with-keychain.sh', ...vitest] : vitest;
  const [program = '', ...args] = command;
  const env = {
    ...process.env,
    TEST_LAUNCH: JSON.stringify(launch),
    TEST_LEAVE_OUT: leftOut.join(','),
  };
  const { code, stdout, stderr } = await run(program, args, { env, timeoutMs: LONGEST_RUN_MS });
  if (!existsSync(report)) {
    const output = `${stdout}${stderr}`.trim().slice(-500);
    return [{ name, passed: 0, failed: 1, failures: [`no report, exit code ${code}: ${output}`] }];
  }
  const found = reportSchema.parse(JSON.parse(await readFile(report, 'utf8')));
  return [countAll(name, found, code), ...CLIENT_KINDS.map((kind) => countClient(kind, found))];
}

async function hasKeychain(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const found = await Promise.all(
    ['gnome-keyring-daemon', 'dbus-run-session'].map((name) => run('sh', ['-c', `command -v ${name}`])),
  );
  return found.every(({ code }) => code === 0);
}

function countAll(name: string, { testResults }: Report, code: number): Row {
  const row = count(
    name,
    testResults.flatMap(({ assertionResults }) => assertionResults),
  );
  // A file that does not load has no test that could fail.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  row.failures.push(...broken.map((file) => `${file.name}: ${file.message.split('\n')[0]}`));
  row.failed += broken.length;
  if (code !== 0 && row.failed === 0) return { ...row, failed: 1, failures: [`vitest ended with ${code}`] };
  return row;
}

function countClient(kind: string, { testResults }: Report): Row {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const row = count(
    kind,
    tests.filter(({ fullName }) => fullName.includes(kind)),
  );
  return { ...row, isPartOfAnother: true };
}

function count(name: string, tests: Report['testResults'][number]['assertionResults']): Row {
  const failed = tests.filter(({ status }) => status === 'failed');
  return {
    name,
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length,
    skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
    failures: failed.map((test) => `${test.fullName}: ${test.failureMessages?.[0]?.split('\n')[0] ?? ''}`),
  };
}
