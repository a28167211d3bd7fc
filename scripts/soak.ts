/** `npm run soak`: minutes of mixed faults through the spawned program; every call must end in time and nothing may leak. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf } from '../src/sandbox/environment.ts';
import { startSandbox } from '../src/sandbox/start-sandbox.ts';
import { describeMachine, machineText } from './bench/machine.ts';
import { Session } from './bench/session.ts';
import { bundle } from './bundle.ts';
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
} as const;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '20' } },
});
process.exitCode = await soak(Number(values.minutes), Number(values.rate));

async function soak(minutes: number, callsPerSecond: number): Promise<number> {
  await bundle('src/main.ts', PROGRAM_FOLDER);
  const stateDir = await mkdtemp(path.join(tmpdir(), 'soak-'));
  const sandbox = await startSandbox({ rateLimits: LIMITS, tokenLifetimeSeconds: 120, latencyMs: 5 });
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
    console.log(machineText(describeMachine(process.version)));
    console.log(`${minutes} min at ${callsPerSecond} calls/s, deadline ${DEADLINE_MS} ms`);
    for (const line of lines) console.log(line);
    for (const violation of violations) console.log(`VIOLATION: ${violation}`);
    if (violations.length === 0) console.log('Every call was answered in time; nothing leaked.');
    return violations.length === 0 ? 0 : 1;
  } finally {
    await session.close();
    await sandbox.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}
