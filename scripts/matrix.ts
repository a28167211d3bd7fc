/** Runs the built program under every Node version and with every client, and prints one table; --quick for part of it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { runClients } from './matrix/clients.ts';
import { runConformance } from './matrix/conformance.ts';
import { LONG_FILES, type Part, runEndToEnd, SESSION_FILES } from './matrix/end-to-end.ts';
import { runPackages } from './matrix/packages.ts';
import { notRun, type Row } from './matrix/row.ts';
import { pack } from './pack.ts';
import { installNode } from './process/install.ts';
import { run } from './process/run.ts';

const OLDEST = '24.10.0';
const NEWEST = '26';
/** This version lacks what the program calls at its start. */
const REFUSED = '20';
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const isQuick = values.quick;
const SESSIONS = { only: SESSION_FILES };
const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'seller matrix ü '));
try {
  const packed = await pack('build/matrix/packed');
  const program = resolve(packed.program, 'main.mjs');
  const rows = [await withNode(OLDEST, (node) => onNode(node, program, SESSIONS))];
  rows.push(await withNode(REFUSED, (node) => refuse(node, program)));
  // Lists and feeds take minutes, and the gate has them under the Node that is pinned.
  const rest = (node: string) => onNode(node, program, { leftOut: LONG_FILES });
  if (!isQuick) rows.push(await withNode(NEWEST, rest));
  rows.push(...(await runPackages(packed, folder)));
  rows.push(...(await runClients(program, folder)), ...(await runConformance(program, folder)));
  report(rows);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function withNode(version: string, work: (node: string) => Promise<Row>): Promise<Row> {
  const node = await installNode(version).catch((error: unknown) => ({ reason: String(error) }));
  return typeof node === 'string' ? work(node) : notRun(`Node ${version}`, node.reason);
}

/** A Node that is too old is told in one line what to install. */
async function refuse(node: string, program: string): Promise<Row> {
  const { stdout, stderr } = await run(node, [program, '--version']);
  const isRefused = /^seller-commerce-mcp needs Node .*\n$/.test(`${stdout}${stderr}`);
  const failures = isRefused ? [] : [`${stdout}${stderr}`];
  return { name: 'an older Node is refused', passed: Number(isRefused), failed: failures.length, failures };
}

/** The suite under one Node. */
async function onNode(node: string, program: string, part: Part): Promise<Row> {
  const { stdout } = await run(node, ['--version']);
  const suite = part.leftOut === undefined ? 'end-to-end suite' : 'end-to-end suite but lists and feeds';
  const title = `Node ${stdout.trim().slice(1)}: ${part.only === undefined ? suite : 'sessions'}`;
  console.log(`=== ${title}`);
  return runEndToEnd(title, { node, program }, part);
}

function report(rows: readonly Row[]): void {
  const table = new Table({
    head: ['client or Node version', 'passed', 'failed', 'left out'],
    style: { head: [], border: [] },
  });
  for (const { name, passed, failed, skipped = 0, notRun: reason } of rows) {
    if (reason !== undefined) table.push([name, { colSpan: 3, content: `not run: ${reason.slice(0, 60)}` }]);
    else table.push([name, passed, failed, skipped || '']);
  }
  console.log(table.toString());
  for (const { name, failures } of rows) {
    for (const failure of failures) console.log(`FAILED ${name}: ${failure}`);
  }
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const missing = rows.filter((row) => row.notRun !== undefined).length;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`${minutes} minutes; ${missing} not run`);
  console.log(`${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`);
  process.exitCode = sum(({ failed }) => failed) === 0 ? 0 : 1;
}
