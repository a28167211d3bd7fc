/** Runs the end-to-end suite against a program, started as TEST_LAUNCH says, and counts its tests. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Launch } from '../../test/helpers/launch.ts';
import { INSTALLED_FOLDER } from '../process/install.ts';
import { run } from '../process/run.ts';
import { readTestReport } from '../process/test-report.ts';
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

const MAX_RUN_MS = 900_000;

/** A part of the suite. */
export interface Part {
  only?: readonly string[];
  leftOut?: readonly string[];
}

/**
 * @param part only these files in test/e2e, or all but those left out; everything when neither is named
 */
export async function runEndToEnd(
  name: string,
  launch: Launch,
  { only = ['test/e2e'], leftOut = [] }: Part = {},
): Promise<Row> {
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
  const { code, stdout, stderr } = await run(program, args, { env, timeoutMs: MAX_RUN_MS });
  const found = await readTestReport(report);
  if (found === undefined) {
    const output = `${stdout}${stderr}`.trim().slice(-500);
    return { name, passed: 0, failed: 1, failures: [`no report, exit code ${code}: ${output}`] };
  }
  const { passed, skipped } = found;
  const failures = [...found.names];
  if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code}`);
  return { name, passed, failed: failures.length, skipped, failures };
}

async function hasKeychain(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const found = await Promise.all(
    ['gnome-keyring-daemon', 'dbus-run-session'].map((name) => run('sh', ['-c', `command -v ${name}`])),
  );
  return found.every(({ code }) => code === 0);
}
