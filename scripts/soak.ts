/** `npm run soak`: minutes of mixed faults, or with `--hostile` of random inputs (`--minutes`, `--seed`, `--cases`, `--kind`; `--write-docs` without it), through the spawned program: every call must end in time. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environmentOf } from '../sandbox/environment.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { type Answer, startHttpService } from '../test/helpers/http-service.ts';
import { accountAt, TOKEN_ANSWER, TOKEN_PATH } from './bench/account.ts';
import { describeMachine, machineText } from './bench/machine.ts';
import { Session } from './bench/session.ts';
import { writePart } from './bench/write-document.ts';
import { bundleWithWorkers } from './bundle.ts';
import { loadCases } from './soak/hostile/cases.ts';
import { runHostile } from './soak/hostile/run.ts';
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
  // As often as reports are collected here; the service allows one a minute.
  createReport: { requestsPerSecond: 1, burst: 5 },
  getReport: { requestsPerSecond: 5, burst: 15 },
  getReportDocument: { requestsPerSecond: 1, burst: 15 },
} as const;
const REPORT_SPEED = 5;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    hostile: { type: 'boolean', default: false },
    // Of the first hostile case; those after it have the next ones.
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    cases: { type: 'string', default: 'Infinity' },
    kind: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
process.exitCode = values.hostile
  ? await soakHostile(minutes, Number(values.seed), Number(values.cases), values.kind)
  : await soak(minutes, Number(values.rate));

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
    const machine = machineText(await describeMachine(PROGRAM_FOLDER));
    const told = [
      `${minutes} min at ${callsPerSecond} calls/s, deadline ${DEADLINE_MS} ms`,
      ...lines,
      ...violations.map((violation) => `VIOLATION: ${violation}`),
      ...(violations.length === 0 ? ['Every call was answered in time; nothing leaked.'] : []),
    ].join('\n');
    console.log(`${machine}\n${told}`);
    if (values['write-docs']) await writePart('soak', `${machine}\n\n\`\`\`\n${told}\n\`\`\``);
    return violations.length === 0 ? 0 : 1;
  } finally {
    await session.close();
    await sandbox.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** What readers and half-built collections keep their files in is empty once the program has ended. */
async function findLeftovers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const left = names.filter((name) => /(?:^|[\\/])(?:loading|readers)[\\/]/.test(name));
  return left.map((name) => `left behind: ${name}`);
}

/** Answers, statements and arguments within the limits that do the most harm that chance finds. */
async function soakHostile(
  minutes: number,
  seed: number,
  cases: number,
  kind: string | undefined,
): Promise<number> {
  await bundleWithWorkers('src/main.ts', PROGRAM_FOLDER);
  const folder = await mkdtemp(path.join(tmpdir(), 'soak-'));
  let answer: Answer = {};
  const service = await startHttpService(({ path: asked }) => (asked === TOKEN_PATH ? TOKEN_ANSWER : answer));
  const env = {
    ...accountAt(service.url, 'ATVPDKIKX0DER'),
    HOME: folder,
    SELLER_CALL_TIMEOUT_MS: String(DEADLINE_MS),
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: folder,
    SELLER_FILES_DIR: path.join(folder, 'files'),
  };
  let session: Session | undefined;
  console.log(machineText(await describeMachine(PROGRAM_FOLDER)));
  console.log(`hostile cases from seed ${seed}, ${minutes} min, deadline ${DEADLINE_MS} ms`);
  try {
    const { lines, violations } = await runHostile({
      makeCase: await loadCases(),
      seed,
      minutes,
      cases,
      kind,
      deadlineMs: DEADLINE_MS,
      async start() {
        const program = { name: 'program', file: `${PROGRAM_FOLDER}/main.mjs`, args: ['--log-level=error'] };
        session = new Session(program, { env });
        await session.initialize();
        return session;
      },
      answer({ status, body }) {
        answer = {
          status,
          body,
          headers: { 'content-type': 'application/json', 'x-amzn-ratelimit-limit': '1000' },
        };
      },
    });
    for (const line of lines) console.log(line);
    console.log(
      violations.length === 0 ? 'Nothing hung.' : `${violations.length} violations, as told above.`,
    );
    return violations.length === 0 ? 0 : 1;
  } finally {
    await session?.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}
