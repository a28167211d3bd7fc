/**
 * Point 4: get_catalog_item and read_operation through stdio, compared with the same requests from a bare tool, and the first
 * with the same request from undici alone.
 */

import { Agent, request } from 'undici';
import { environmentOf } from '../../../sandbox/environment.ts';
import { ASIN, callCatalog } from '../catalog-call.ts';
import type { Context } from '../context.ts';
import { openBareReader, openReader, type Reader } from '../listing-call.ts';
import { type LoadResult, runLoad } from '../load.ts';
import { processorMs } from '../process-facts.ts';
import type { Row } from '../report.ts';
import { type RunningService, startService } from '../service.ts';
import { median, percentile, ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 7;
const LEAST_SHARE = 0.41;
const MOST_ABOVE_MS = 0.85;
/** It was 7.3 times at commit b2ea614: two thirds of the distance. */
const MOST_TIMES_LARGE = 5.2;

interface Level {
  inFlight: number;
  calls: number;
  /** In ms, where it is judged by that. */
  mostAbove?: number;
  /** The bare tool's p50, where it is judged by that. */
  mostTimes?: number;
  /** Of the bare tool's calls, where it is judged by that. */
  leastShare?: number;
}

const LEVELS: readonly Level[] = [
  { inFlight: 1, calls: 500, mostAbove: MOST_ABOVE_MS },
  { inFlight: 32, calls: 3000, leastShare: LEAST_SHARE },
];
const LARGE_LEVELS: readonly Level[] = [{ inFlight: 1, calls: 100, mostTimes: MOST_TIMES_LARGE }];
/** At a rate of 1,000 a second and bursts of 5 for each, of which at most four are in flight, none of them waits. */
const ACCOUNTS = 8;

/** With what the system's clock of the process says. */
interface Measured extends LoadResult {
  /** Milliseconds of its processors for each call. */
  processorMs: number;
}

interface Subject {
  name: string;
  /** Where it is a process of its own. */
  pid?: number;
  call(): Promise<boolean>;
}

export async function measureCalls(context: Context): Promise<Row[]> {
  const service = await startService(context);
  try {
    return [...(await measureCatalog(context, service)), ...(await measureListings(context, service))];
  } finally {
    await service.close();
  }
}

async function measureCatalog(context: Context, service: RunningService): Promise<Row[]> {
  const subjects = await openSubjects(context, service);
  try {
    const rows: Row[] = [];
    for (const level of LEVELS)
      rows.push(...(await measureLevel(context, 'get_catalog_item', subjects, level)));
    return rows;
  } finally {
    for (const subject of subjects) await subject.close();
  }
}

async function measureListings(context: Context, service: RunningService): Promise<Row[]> {
  const { bareTool, ours } = context.programs;
  const bare = await openBareReader(context, bareTool, service);
  const own = await openReader(context, ours, service, ACCOUNTS);
  const subjects = (pick: (reader: Reader) => () => Promise<boolean>): Subject[] => [
    { name: bareTool.name, pid: bare.session.pid, call: pick(bare) },
    { name: ours.name, pid: own.session.pid, call: pick(own) },
  ];
  try {
    const rows: Row[] = [];
    for (const level of LEVELS)
      rows.push(
        ...(await measureLevel(
          context,
          'a listing read',
          subjects(({ readOne }) => readOne),
          level,
        )),
      );
    for (const level of LARGE_LEVELS)
      rows.push(
        ...(await measureLevel(
          context,
          '300 KB read',
          subjects(({ readPage }) => readPage),
          level,
        )),
      );
    return rows;
  } finally {
    await bare.close();
    await own.close();
  }
}

/** In this order: undici, the bare tool, ours. */
async function openSubjects(
  context: Context,
  service: RunningService,
): Promise<(Subject & { close(): Promise<void> })[]> {
  const spawned = [context.programs.bareTool, context.programs.ours].map(async (program) => {
    const session = context.start(program, { env: { ...service.env, ...environmentOf(service.account) } });
    await session.initialize();
    const call = () => callCatalog(session, service.account.marketplaceId);
    return { name: program.name, pid: session.pid, call, close: () => session.close() };
  });
  return [openUndici(service), ...(await Promise.all(spawned))];
}

function openUndici({ account, accessToken }: RunningService) {
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
  what: string,
  subjects: readonly Subject[],
  level: Level,
): Promise<Row[]> {
  const calls = context.quick ? level.calls / 10 : level.calls;
  const results = subjects.map((): Measured[] => []);
  for (let round = -1; round < (context.quick ? 1 : ROUNDS); round++) {
    for (const [i, { name, pid = -1, call }] of subjects.entries()) {
      const before = processorMs(pid) ?? Number.NaN;
      const result = await runLoad(calls, level.inFlight, call);
      const used = (processorMs(pid) ?? Number.NaN) - before;
      if (result.failures > 0) throw new Error(`${result.failures} calls failed through ${name}`);
      if (round >= 0) results[i]?.push({ ...result, processorMs: used / calls });
    }
  }
  const bare = results[subjects.findIndex(({ name }) => name === context.programs.bareTool.name)] ?? [];
  return subjects.flatMap(({ name }, i) => describe(name, what, level, results[i] ?? [], bare));
}

function describe(
  program: string,
  what: string,
  { inFlight, mostAbove, mostTimes, leastShare }: Level,
  own: Measured[],
  bareTool: Measured[],
): Row[] {
  const row = { point: 4, program };
  const place = `${what}, ${inFlight} in flight`;
  const rates = own.map(({ callsPerSecond }) => callsPerSecond);
  const p50 = (all: LoadResult[]) => all.map(({ latencies }) => percentile(latencies, 0.5));
  const p99 = own.map(({ latencies }) => percentile(latencies, 0.99));
  const share = ratioOf(
    rates,
    bareTool.map(({ callsPerSecond }) => callsPerSecond),
  );
  const above = median(p50(own)) - median(p50(bareTool));
  const isJudged = program === 'seller-commerce-mcp';
  const calls: Row = { ...row, measure: `${place}: calls`, value: spreadOf(rates), unit: '/s' };
  if (own !== bareTool) calls.ratio = { to: 'bare tool', value: share };
  if (isJudged && leastShare !== undefined)
    calls.target = { text: `at least ${leastShare} x bare tool`, met: share.median >= leastShare };
  const middle: Row = { ...row, measure: `${place}: p50`, value: spreadOf(p50(own)), unit: 'ms' };
  if (isJudged && mostAbove !== undefined)
    middle.target = {
      text: `at most ${mostAbove} ms above bare tool (${above.toFixed(2)})`,
      met: above <= mostAbove,
    };
  if (own !== bareTool && mostTimes !== undefined) {
    const times = ratioOf(p50(own), p50(bareTool));
    middle.ratio = { to: 'bare tool', value: times };
    middle.target = { text: `at most ${mostTimes} x bare tool`, met: times.median <= mostTimes };
  }
  const last: Row = { ...row, measure: `${place}: p99`, value: spreadOf(p99), unit: 'ms' };
  const times = (all: Measured[]) => all.map((one) => one.processorMs);
  if (times(own).some(Number.isNaN)) return [calls, middle, last];
  const processor: Row = {
    ...row,
    measure: `${place}: processor time a call`,
    value: spreadOf(times(own)),
    unit: 'ms',
    ...(own === bareTool ? {} : { ratio: { to: 'bare tool', value: ratioOf(times(own), times(bareTool)) } }),
  };
  return [calls, middle, last, processor];
}
