/** Runs all cases: several operations in parallel, the cases of one operation one after another. */

import type { RecordedRequest, Sandbox } from '../../sandbox/sandbox.ts';
import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { groupBy } from '../../src/base/group-by.ts';
import { type ListedCase, listReplayCases } from '../../src/definitions/cases/replay-cases.ts';
import type { Compiled } from '../../src/definitions/store/compiled.ts';
import { buildUserOperations } from '../../src/definitions/store/user-operations.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { connect } from '../../test/helpers/sessions.ts';
import { type Judge, openJudge } from './judge.ts';
import { ALLOWED } from './raw-schemas.ts';
import { type CaseContext, type Result, runCase } from './run-case.ts';
import { withRequest } from './sample-request.ts';

export interface RunOptions {
  dataDir: string;
  stateDir: string;
  /** Budget of one answer, in tokens. */
  budget: number;
  /** Program to run instead of the built one. */
  entry?: string;
}

export interface CheckedCase {
  listed: ListedCase;
  result: Result | { kind: 'unusable'; reason: string };
}

const LANES = 12;
/** Retries of declared 5xx answers are part of the program's work, but need not take their full time. */
const CALL_TIMEOUT_MS = 8_000;

export async function runAll(files: readonly Compiled[], options: RunOptions): Promise<CheckedCase[]> {
  const { operations } = await loadRegistry(buildUserOperations(files));
  const prepared = await Promise.all(listReplayCases(files, operations).map(withRequest));
  const cases = prepared.flatMap((one) => ('reason' in one ? [] : [one]));
  const unusable = prepared.flatMap((one) =>
    'reason' in one
      ? [{ listed: one.listed, result: { kind: 'unusable' as const, reason: one.reason } }]
      : [],
  );
  const judges = await openJudges(files);
  const sandbox = await startSandbox({
    replay: cases.map(({ replayed }) => replayed),
    replayFirst: true,
    record: true,
    rateLimits: { '*': { requestsPerSecond: 1000, burst: 10_000 } },
  });
  const session = await connect({
    args: argumentsOf(sandbox, options),
    env: credentialsOf(sandbox),
    entry: options.entry,
    spawn: true,
  });
  try {
    const byId = new Map(cases.map((listed) => [listed.replayed.id, listed]));
    const find = (id: string) => byId.get(id);
    const context = { session, arrivals: watch(sandbox), find, budget: options.budget };
    // A write reads what it changes first: what arrives then at a reading operation is not of its own cases.
    const [reads, writes] = [cases.filter(isRead), cases.filter((one) => !isRead(one))];
    const checked = [
      ...(await runGroups(groupByEndpoint(reads), context, judges)),
      ...(await runGroups(groupByEndpoint(writes), context, judges)),
    ];
    return [...unusable, ...checked];
  } finally {
    await session.close();
    await sandbox.close();
  }
}

async function openJudges(files: readonly Compiled[]): Promise<ReadonlyMap<string, Judge>> {
  const opened = files.map(async ({ name, source }) => [name, await openJudge(source)] as const);
  return new Map(await Promise.all(opened));
}

function argumentsOf({ baseUrl, authUrl }: Sandbox, { dataDir, stateDir, budget }: RunOptions): string[] {
  const settings = {
    'base-url': baseUrl,
    'auth-url': authUrl,
    writes: 'allow',
    // What is masked could not be compared.
    'personal-data': 'show',
    'data-dir': dataDir,
    'state-dir': stateDir,
    'answer-tokens': budget,
    'call-timeout-ms': CALL_TIMEOUT_MS,
  };
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}

function credentialsOf({ credentials }: Sandbox): Record<string, string> {
  const { clientId, clientSecret, refreshToken } = credentials;
  return {
    SELLER_CLIENT_ID: clientId,
    SELLER_CLIENT_SECRET: clientSecret,
    SELLER_REFRESH_TOKEN: refreshToken,
  };
}

/** What arrived at a case's method and path since the last time this was called. */
function watch(sandbox: Sandbox): CaseContext['arrivals'] {
  const seen = new WeakSet<RecordedRequest>();
  return ({ operation }) => {
    const shape = operation.path
      .split(/\{[^{}]+\}/)
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const path = new RegExp(`^${shape.join('[^/]*')}$`);
    const fresh = sandbox
      .recorded()
      .filter((one) => !seen.has(one) && one.method === operation.method && path.test(one.path));
    for (const one of fresh) seen.add(one);
    return fresh;
  };
}

/** Groups the cases by method and path; operations that the program calls by itself for others come first. */
function groupByEndpoint(cases: readonly ListedCase[]): ListedCase[][] {
  const groups = groupBy(cases, ({ operation }) => `${operation.method} ${operation.path}`);
  return [...groups.values()].sort(
    (a, b) => Number(isHelper(b)) - Number(isHelper(a)) || b.length - a.length,
  );
}

const PURCHASE = 'createRestrictedDataToken';

/** Other calls get tokens from the one, and a call that lacks a marketplace asks the other. */
const HELPERS: readonly (string | undefined)[] = [PURCHASE, 'getMarketplaceParticipations'];

const isHelper = ([first]: readonly ListedCase[]) => HELPERS.includes(first?.operation.name);

const isRead = ({ operation }: ListedCase) => operation.effect === 'read' || operation.name === PURCHASE;

async function runGroups(
  groups: readonly ListedCase[][],
  context: CaseContext,
  judges: ReadonlyMap<string, Judge>,
): Promise<CheckedCase[]> {
  const checked: CheckedCase[] = [];
  const waiting = [...groups];
  const runGroup = async (group: readonly ListedCase[]) => {
    checked.push(
      ...(await runInTurn(group, (listed) =>
        runCase(context, listed, judges.get(listed.file)?.judge(listed) ?? ALLOWED),
      )),
    );
  };
  while (waiting[0] !== undefined && isHelper(waiting[0])) await runGroup(waiting.shift() ?? []);
  const lane = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await runGroup(group);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return checked;
}

const MOST_ROUNDS = 10;

/** Cases with the same request must each have a turn; those skipped are called again. */
async function runInTurn(
  group: readonly ListedCase[],
  run: (listed: ListedCase) => Promise<Result>,
): Promise<CheckedCase[]> {
  const results = new Map<ListedCase, Result>();
  const answered = new Set<ListedCase>();
  let pending = [...group];
  for (let round = 0; pending.length > 0 && round < MOST_ROUNDS; round += 1) {
    for (const listed of pending) {
      const result = await run(listed);
      results.set(listed, result);
      if (result.kind === 'passed') for (const one of result.answered) answered.add(one);
    }
    pending = pending.filter((listed) => results.get(listed)?.kind === 'passed' && !answered.has(listed));
  }
  for (const listed of pending)
    results.set(listed, { kind: 'failed', problems: ['the service never answered with this case'] });
  return [...results].map(([listed, result]) => ({ listed, result }));
}
