/** Runs the conformance suite's applicable scenarios against the server over HTTP. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { closing } from '../process/closing.ts';
import { installOnce } from '../process/install.ts';
import { run } from '../process/run.ts';
import { startServing } from '../process/serving.ts';
import { CONFORMANCE } from './conformance-scenarios.ts';
import { notRun, type Row } from './row.ts';

const NAME = 'conformance suite';

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

export async function runConformance(program: string, folder: string): Promise<Row[]> {
  const installed = await installOnce(CONFORMANCE.suite).catch((error: unknown) => ({
    reason: String(error),
  }));
  if (typeof installed !== 'string') return [notRun(NAME, installed.reason)];
  const suite = join(installed, 'node_modules/.bin/conformance');
  // The sandbox on this machine: the suite logs in nowhere.
  const args = ['serve-http', '--sandbox', '--listen=127.0.0.1:0'];
  await using served = closing(await startServing(program, args, { HOME: folder }));
  const rows: Row[] = [];
  for (const version of CONFORMANCE.specVersions)
    rows.push(await runVersion(suite, served.endpoint, version, folder));
  return rows;
}

async function runVersion(suite: string, { href }: URL, version: string, folder: string): Promise<Row> {
  const output = join(folder, version);
  const what = ['--suite', 'all', '--spec-version', version, '--timeout', '15000', '-o', output];
  const args = [suite, 'server', '--url', href, ...what];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, timeoutMs: 240_000 });
  const results = await readResults(output);
  const row: Row = { name: `${NAME} at ${version}`, passed: 0, failed: 0, skipped: 0, failures: [] };
  if (results.size === 0) return { ...row, failed: 1, failures: [`${stdout}${stderr}`.trim().slice(-500)] };
  const left = new Set(CONFORMANCE.notApplicable.flatMap(({ scenarios }) => scenarios));
  for (const [scenario, checks] of results) {
    if (left.has(scenario)) row.skipped = (row.skipped ?? 0) + 1;
    else if (!CONFORMANCE.applicable.includes(scenario))
      fail(row, `${scenario}: neither listed as applicable nor as not`);
    else countScenario(row, scenario, checks);
  }
  return row;
}

function countScenario(row: Row, scenario: string, checks: z.infer<typeof checksSchema>): void {
  const counted = checks.filter(({ id }) => !Object.hasOwn(CONFORMANCE.checksLeftOut, id));
  const passed = counted.filter(({ status }) => status === 'SUCCESS').length;
  row.passed += passed;
  for (const { id, status, errorMessage } of counted) {
    if (status === 'FAILURE') fail(row, `${scenario}, ${id}: ${errorMessage}`);
  }
  if (passed === 0) fail(row, `${scenario}: nothing passed`);
}

function fail(row: Row, message: string): void {
  row.failed += 1;
  row.failures.push(message);
}

/** Reads the results by scenario: the suite names its folders `server-<scenario>-<time>`. */
async function readResults(folder: string): Promise<Map<string, z.infer<typeof checksSchema>>> {
  const results = new Map<string, z.infer<typeof checksSchema>>();
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const text = await readFile(join(folder, name, 'checks.json'), 'utf8');
    results.set(scenario, checksSchema.parse(JSON.parse(text)));
  }
  return results;
}
