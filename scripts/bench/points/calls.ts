/** Point 4: get_catalog_item through stdio, compared with the same request from a bare tool and from undici alone. */

import { Agent, request } from 'undici';
import { environmentOf } from '../../../sandbox/environment.ts';
import { ASIN, callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import { type LoadResult, runLoad } from '../load.ts';
import type { Row } from '../report.ts';
import { type RunningService, startService } from '../service.ts';
import { median, percentile, ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 7;
const LEVELS = [
  { inFlight: 1, calls: 500 },
  { inFlight: 32, calls: 3000 },
] as const;
const LEAST_SHARE = 0.6;
const MOST_ABOVE_MS = 1;

interface Subject {
  name: string;
  call(): Promise<boolean>;
  close(): Promise<void>;
}

export async function measureCalls(context: Context): Promise<Row[]> {
  const service = await startService(context);
  const subjects = await openSubjects(context, service);
  try {
    const rows: Row[] = [];
    for (const level of LEVELS) rows.push(...(await measureLevel(context, subjects, level)));
    return rows;
  } finally {
    for (const subject of subjects) await subject.close();
    await service.close();
  }
}

/** In this order: undici, the bare tool, ours. */
async function openSubjects(context: Context, service: RunningService): Promise<Subject[]> {
  const spawned = [context.programs.bareTool, context.programs.ours].map(
    async (program): Promise<Subject> => {
      const session = context.start(program, { env: { ...service.env, ...environmentOf(service.account) } });
      await session.initialize();
      const call = () => callCatalog(session, service.account.marketplaceId);
      return { name: program.name, call, close: () => session.close() };
    },
  );
  return [openUndici(service), ...(await Promise.all(spawned))];
}

function openUndici({ account, accessToken }: RunningService): Subject {
  const dispatcher = new Agent({ connections: 64 });
  const url = `${account.baseUrl}/catalog/v0/items/${ASIN}?MarketplaceId=${account.marketplaceId}`;
  const headers = { accept: 'application/json', 'x-amz-access-token': accessToken };
  return {
    name: 'undici alone, no stdio',
    async call() {
      const { statusCode, body } = await request(url, { headers, dispatcher });
      await body.text();
      return statusCode === 200;
    },
    close: () => dispatcher.close(),
  };
}

async function measureLevel(
  context: Context,
  subjects: Subject[],
  level: (typeof LEVELS)[number],
): Promise<Row[]> {
  const calls = context.quick ? level.calls / 10 : level.calls;
  const results = subjects.map((): LoadResult[] => []);
  for (let round = -1; round < (context.quick ? 1 : ROUNDS); round++) {
    for (const [i, { name, call }] of subjects.entries()) {
      const result = await runLoad(calls, level.inFlight, call);
      if (result.failures > 0) throw new Error(`${result.failures} calls failed through ${name}`);
      if (round >= 0) results[i]?.push(result);
    }
  }
  return subjects.flatMap(({ name }, i) =>
    describe(name, level.inFlight, results[i] ?? [], results[1] ?? []),
  );
}

function describe(program: string, inFlight: number, own: LoadResult[], bareTool: LoadResult[]): Row[] {
  const row = { point: 4, program };
  const rates = own.map(({ callsPerSecond }) => callsPerSecond);
  const p50 = (all: LoadResult[]) => all.map(({ latencies }) => percentile(latencies, 0.5));
  const p99 = own.map(({ latencies }) => percentile(latencies, 0.99));
  const share = ratioOf(
    rates,
    bareTool.map(({ callsPerSecond }) => callsPerSecond),
  );
  const above = median(p50(own)) - median(p50(bareTool));
  const judged = program === 'seller-commerce-mcp';
  return [
    {
      ...row,
      measure: `calls at ${inFlight} in flight`,
      value: spreadOf(rates),
      unit: '/s',
      ...(own === bareTool ? {} : { ratio: { to: 'bare tool', value: share } }),
      ...(judged && inFlight > 1
        ? { target: { text: `at least ${LEAST_SHARE} x bare tool`, met: share.median >= LEAST_SHARE } }
        : {}),
    },
    {
      ...row,
      measure: `p50 at ${inFlight} in flight`,
      value: spreadOf(p50(own)),
      unit: 'ms',
      ...(judged && inFlight === 1
        ? {
            target: {
              text: `at most ${MOST_ABOVE_MS} ms above bare tool (${above.toFixed(2)})`,
              met: above <= MOST_ABOVE_MS,
            },
          }
        : {}),
    },
    { ...row, measure: `p99 at ${inFlight} in flight`, value: spreadOf(p99), unit: 'ms' },
  ];
}
