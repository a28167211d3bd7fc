/** Steps of the check and of the gate: what failed is named last, and nothing that failed is counted as passed. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSteps } from '../../scripts/check/run-steps.ts';
import { STEPS, type Step } from '../../scripts/check/steps.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steps-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A step that runs this code. */
const step = async (name: string, code: string, more: Partial<Step> = {}): Promise<Step> => {
  const file = join(folder, `${name}.cjs`);
  await writeFile(file, code);
  return { name, command: `node ${file}`, ...more };
};
const runAll = async (steps: readonly Step[]) => {
  let text = '';
  const code = await runSteps(steps, (more) => {
    text += more;
  });
  return { code, text, lines: text.trim().split('\n') };
};

it('counts each, shows what it printed, and gives its seconds', async () => {
  const { code, text, lines } = await runAll([
    await step('fine', 'console.log("all is well")'),
    await step('alone', 'console.error("so is this")', { alone: true }),
    await step('absent', '', { needs: join(folder, 'missing') }),
  ]);
  expect(code).toBe(0);
  expect(lines.at(-1)).toBe('2 passed, 0 failed, 0 skipped');
  expect(text).toContain('all is well');
  expect(text).toContain('so is this');
  expect(text).toMatch(/^ok {8}fine \(\d+\.\d s\)$/m);
  expect(text).toContain('left out  absent');
  const bad = await runAll([await step('bad', 'process.exitCode = 1')]);
  expectOnlyIn('FAILED', bad.text, text);
});

it('names what failed last, the tests and files of a report too', async () => {
  const report = join(folder, 'report.json');
  const found = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'it holds', status: 'failed', failureMessages: ['Error: 1\n    at x'] },
        ],
      },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
    ],
  };
  const write = `require('fs').writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(JSON.stringify(found))});`;
  const { code, lines } = await runAll([
    await step('bad', 'process.exitCode = 3'),
    await step('tests', `${write} process.exitCode = 1`, { alone: true, report }),
    await step('cases', 'console.log("FAILED  one case\\n7 passed, 1 failed"); process.exitCode = 1', {
      counts: true,
      alone: true,
    }),
  ]);
  expect(code).toBe(1);
  expect(lines.slice(-5)).toEqual([
    'FAILED  bad',
    'FAILED  tests: a.test.ts: it holds (Error: 1)',
    'FAILED  tests: b.test.ts',
    'FAILED  cases: one case',
    '12 passed, 3 failed, 2 skipped',
  ]);
});

it('counts a failure where nothing was reported, or an earlier run was', async () => {
  const report = join(folder, 'old.json');
  await writeFile(report, '{"numPassedTests":9,"numFailedTests":0,"numPendingTests":0,"numTodoTests":0}');
  const { code, lines } = await runAll([
    await step('silent', '', { report }),
    await step('uncounted', '', { counts: true }),
    await step('late', 'console.log("3 passed, 0 failed"); process.exitCode = 1', { counts: true }),
    { name: 'missing', command: join(folder, 'no-such-program') },
  ]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe('3 passed, 4 failed, 0 skipped');
});

it('the check is part of the gate, and only the gate judges every regular expression', () => {
  const quick = STEPS.filter((each) => each.quick === true).map(({ command }) => command);
  expect(quick).toContain('npm run --silent check:regex');
  expect(quick.join()).not.toContain('--all');
  expect(STEPS.map(({ command }) => command)).toContain('npm run --silent check:regex -- --all');
});
