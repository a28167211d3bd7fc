/** Everything that must hold, as one list: `npm run check` takes what is quick of it, the gate all of it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Step {
  name: string;
  /** A program and its arguments, none of which holds a blank. */
  command: string;
  /** Belongs to `npm run check`. */
  quick?: true;
  /** Rewrites dist/, or would meet others on the loopback: nothing else runs meanwhile. */
  alone?: true;
  /** The file of the tests' own report. */
  report?: string;
  /** Its output ends with `N passed, N failed`, which is added to the total. */
  counts?: true;
  /** Runs only if this folder exists. */
  needs?: string;
}

const DEFINITIONS = '../shared/api-definitions';
const DATASETS = '../shared/data-kiosk';
const REPORT = 'build/tests.json';
const ALL_REPORT = 'build/all-tests.json';
const KEYCHAIN_REPORT = 'build/keychain-tests.json';
const reporters = (file: string) => `--reporter=default --reporter=json --outputFile.json=${file}`;

/** One after another, with nothing else running: a Secret Service that ends midway ends for every other test too. */
const WITH_KEYCHAIN = [
  'test/accounts/keychain/keychain-store.test.ts',
  'test/accounts/rotation-kill.test.ts',
  'test/accounts/shared-token.test.ts',
  'test/e2e/credentials-page.test.ts',
  'test/e2e/login-at-terminal.test.ts',
  'test/e2e/login-echo.test.ts',
  'test/e2e/undo-personal.test.ts',
];
/**
 * Lists the tests that are larger, or have more worlds, under test:all. The matrix starts a process for each session of
 * test/e2e, so that only tests elsewhere are repeated for that alone.
 */
const LARGER = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((file) => isLarger(file, readFileSync(file, 'utf8')));

function isLarger(file: string, text: string): boolean {
  const marks = file.startsWith('test/e2e')
    ? /RUNS_ALL|helpers\/(?:feeds|many)\.ts'/
    : /RUNS_ALL|helpers\/(?:sessions|feeds|many)\.ts'/;
  return file.endsWith('.full.test.ts') || marks.test(text);
}

const WITHOUT_KEYCHAIN = `env TEST_LEAVE_OUT=${WITH_KEYCHAIN.join(',')}`;

/** A step without a report or a count is one check. Of those that run side by side the longest come first. */
export const STEPS: readonly Step[] = [
  { name: 'every regular expression, judged anew', command: 'npm run --silent check:regex -- --all' },
  { name: 'types', command: 'npm run --silent types', quick: true },
  {
    name: 'nothing unused, and nothing that only tests use',
    command: 'npm run --silent unused',
    quick: true,
  },
  { name: 'lint and format', command: 'npm run --silent lint', quick: true },
  {
    name: 'documents, and the map of imports, against the code',
    command: 'npm run --silent check:docs',
    quick: true,
  },
  { name: 'words in names, comments and subjects', command: 'npm run --silent check:words', quick: true },
  { name: 'generated files', command: 'npm run --silent generate -- --check', quick: true },
  { name: 'regular expressions', command: 'npm run --silent check:regex', quick: true },
  { name: 'how large everything may be', command: 'npm run --silent size', quick: true },
  { name: 'workflows', command: 'npm run --silent check:workflows' },
  {
    name: 'facts against their source',
    command: `npx tsx scripts/build-facts.ts ${DEFINITIONS} --check`,
    needs: DEFINITIONS,
  },
  {
    name: 'datasets against their source',
    command: `npx tsx scripts/build-datasets.ts ${DATASETS} --check`,
    needs: DATASETS,
  },
  {
    name: 'tests, as a newcomer runs them',
    command: `${WITHOUT_KEYCHAIN} npm test -- ${reporters(REPORT)}`,
    alone: true,
    report: REPORT,
  },
  {
    name: 'what only test:all runs: full size, more worlds, a real browser',
    command: `${WITHOUT_KEYCHAIN} npm run --silent test:all -- ${LARGER.join(' ')} ${reporters(ALL_REPORT)}`,
    alone: true,
    report: ALL_REPORT,
  },
  {
    name: 'tests of the keychain, with a real one',
    command: `scripts/with-keychain.sh npx vitest run --mode=all --no-file-parallelism ${WITH_KEYCHAIN.join(' ')} ${reporters(KEYCHAIN_REPORT)}`,
    alone: true,
    report: KEYCHAIN_REPORT,
  },
  {
    name: 'demo, and its output in docs/demo.md',
    command: 'npx tsx scripts/demo-output.ts --check',
    alone: true,
  },
  { name: 'demo of an agency', command: 'npm run --silent demo:agency', alone: true },
  { name: 'release', command: 'npm run --silent release:check -- --gate', alone: true },
  {
    name: 'every client and Node version',
    command: 'npm run --silent matrix',
    alone: true,
    counts: true,
  },
];
