/** Runs steps and tells how each ended: side by side, or alone where it says so; ends with the names of what failed, and the count. */

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type RunResult, run } from '../process/run.ts';
import { type Count, readTestReport } from '../process/test-report.ts';
import type { Step } from './steps.ts';

type Write = (text: string) => void;

/** @returns the exit code */
export async function runSteps(
  steps: readonly Step[],
  write: Write = (text) => process.stdout.write(text),
): Promise<number> {
  const started = performance.now();
  const counts = new Map<Step, Count>();
  const rows: string[] = [];
  const settle = async (step: Step, begun: number, result: RunResult) => {
    const counted = await count(step, result);
    counts.set(step, counted);
    const row = `${counted.failed === 0 ? 'ok      ' : 'FAILED  '}  ${step.name} (${secondsSince(begun)} s)`;
    rows.push(row);
    return row;
  };
  const beside = async (queue: Iterable<Step>) => {
    for (const step of queue) {
      const begun = performance.now();
      const result = await start(step);
      // One write keeps the output of other steps from mixing into it.
      write(`\n=== ${step.name}: ${step.command}\n${result.stdout}${result.stderr}`);
      write(`${await settle(step, begun, result)}\n`);
    }
  };
  const runnable = steps.filter(({ needs }) => needs === undefined || existsSync(needs));
  // One queue for all of them.
  const queue = runnable.filter(({ alone }) => alone !== true).values();
  await Promise.all(Array.from({ length: availableParallelism() }, () => beside(queue)));
  for (const step of runnable.filter(({ alone }) => alone === true)) {
    write(`\n=== ${step.name}: ${step.command}\n`);
    const begun = performance.now();
    await settle(step, begun, await start(step, write));
  }
  const leftOut = steps.filter((step) => !runnable.includes(step));
  rows.push(...leftOut.map(({ name, needs }) => `left out  ${name} (no ${needs} here)`));
  write(`\n${rows.join('\n')}\n${secondsSince(started)} s in all\n\n`);
  const failed = [...counts].filter(([, counted]) => counted.failed > 0);
  for (const [{ name }, { names }] of failed) {
    write(
      names.length === 0 ? `FAILED  ${name}\n` : names.map((one) => `FAILED  ${name}: ${one}\n`).join(''),
    );
  }
  const sum = (of: 'passed' | 'failed' | 'skipped') =>
    [...counts.values()].reduce((total, counted) => total + counted[of], 0);
  write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
  return sum('failed') === 0 ? 0 : 1;
}

const secondsSince = (begun: number) => ((performance.now() - begun) / 1000).toFixed(1);

async function start({ command, report }: Step, onOutput?: Write): Promise<RunResult> {
  // One of an earlier run must not speak for this one.
  if (report !== undefined) await rm(report, { force: true });
  const [program = '', ...args] = command.split(' ');
  return run(program, args, { timeoutMs: 0, onOutput });
}

/** A step that fails without reporting a failure (a test file that does not load) still counts as one. */
async function count({ report, counts }: Step, { code, stdout }: RunResult): Promise<Count> {
  const none = { passed: 0, failed: 0, skipped: 0, names: [] };
  if (report === undefined && counts !== true) return { ...none, [code === 0 ? 'passed' : 'failed']: 1 };
  const own = report === undefined ? readLast(stdout) : await readTestReport(report);
  if (own === undefined) return { ...none, failed: 1, names: [`no count, exit code ${code}`] };
  return { ...own, failed: own.failed === 0 && code !== 0 ? 1 : own.failed };
}

function readLast(output: string): Count | undefined {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const [, passed, failed, skipped = '0'] = lines.at(-1) ?? [];
  if (passed === undefined) return undefined;
  const names = [...output.matchAll(/^FAILED +(.*)$/gm)].map(([, name = '']) => name);
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), names };
}
