/** Runs the conformance suite's applicable scenarios against the server over HTTP. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { installOnce } from '../process/install.ts';
import { run } from '../process/run.ts';
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
  const port = await freePort();
  const server = startServer(port, program, folder);
  try {
    await waitForPort(port, server);
    const rows: Row[] = [];
    for (const version of CONFORMANCE.specVersions) rows.push(await runVersion(suite, port, version, folder));
    return rows;
  } finally {
    server.kill();
  }
}

/** Of the sandbox, on this machine: the suite logs in nowhere. */
function startServer(port: number, program: string, folder: string): ChildProcess {
  const args = [program, 'serve-http', '--sandbox', `--listen=127.0.0.1:${port}`];
  return spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: folder },
    cwd: folder,
    stdio: 'ignore',
  });
}

async function runVersion(suite: string, port: number, version: string, folder: string): Promise<Row> {
  const output = join(folder, version);
  const what = ['--suite', 'all', '--spec-version', version, '--timeout', '15000', '-o', output];
  const args = [suite, 'server', '--url', `http://127.0.0.1:${port}/mcp`, ...what];
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

/** By scenario: the suite names its folders `server-<scenario>-<time>`. */
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port was assigned');
  return address.port;
}

async function waitForPort(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`serve-http ended with ${server.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const opened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (opened) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('serve-http is not listening');
}
