/** `npm run soak`: minutes of mixed faults (`--minutes`, `--rate`) through the spawned program: every call must end in time. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf } from '../sandbox/environment.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { describeMachine, machineText } from './bench/machine.ts';
import { Session } from './bench/session.ts';
import { bundleWithWorkers } from './bundle.ts';
import { runSoak } from './soak/run.ts';

const PROGRAM_FOLDER = 'build/soak';
const DEADLINE_MS = 8000;
/** Tight enough that some calls wait and some are refused. */
const LIMITS = {
  getCatalogItem: { requestsPerSecond: 10, burst: 10 },
  getListingsItem: { requestsPerSecond: 8, burst: 10 },
  getSupplySources: { requestsPerSecond: 5, burst: 10 },
  getSupplySource: { requestsPerSecond: 5, burst: 10 },
  updateSupplySource: { requestsPerSecond: 1, burst: 5 },
  // The rate at which reports are collected here; the service allows one a minute.
  createReport: { requestsPerSecond: 1, burst: 5 },
  getReport: { requestsPerSecond: 5, burst: 15 },
  getReportDocument: { requestsPerSecond: 1, burst: 15 },
} as const;
const REPORT_SPEED = 5;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
  },
});
process.exitCode = await soak(Number(values.minutes), Number(values.rate));

async function soak(minutes: number, callsPerSecond: number): Promise<number> {
  await bundleWithWorkers('src/main.ts', PROGRAM_FOLDER);
  const stateDir = await mkdtemp(path.join(tmpdir(), 'soak-'));
  const sandbox = await startSandbox({
    rateLimits: LIMITS,
    tokenLifetimeSeconds: 120,
    latencyMs: 5,
    reportSpeed: REPORT_SPEED,
  });
  const program = {
    name: 'program',
    file: `${PROGRAM_FOLDER}/main.mjs`,
    args: ['--writes=allow', '--log-level=error'],
  };
  const session = new Session(program, {
    env: {
      ...environmentOf(sandbox),
      SELLER_CALL_TIMEOUT_MS: String(DEADLINE_MS),
      SELLER_STATE_DIR: stateDir,
      SELLER_DATA_DIR: stateDir,
    },
  });
  try {
    await session.initialize();
    const input = { sandbox, session, minutes, callsPerSecond, deadlineMs: DEADLINE_MS };
    const { lines, violations } = await runSoak(input);
    await session.close();
    violations.push(...(await findLeftovers(stateDir)));
    const machine = machineText(await describeMachine());
    const report = [
      `${minutes} min at ${callsPerSecond} calls/s, deadline ${DEADLINE_MS} ms`,
      ...lines,
      ...violations.map((violation) => `VIOLATION: ${violation}`),
      ...(violations.length === 0 ? ['Every call was answered in time; nothing leaked.'] : []),
    ].join('\n');
    console.log(`${machine}\n${report}`);
    return violations.length === 0 ? 0 : 1;
  } finally {
    await session.close();
    await sandbox.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Lists files of readers and of half-built collections, which must be gone once the program has ended. */
async function findLeftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const left = names.filter((name) => /(?:^|[\\/])(?:loading|readers)[\\/]/.test(name));
  return left.map((name) => `left behind: ${name}`);
}
