/** Point 4: reads of a listing and of 300 KB of listings through stdio, compared with the same requests from a bare tool. */

import { closing } from '../../process/closing.ts';
import type { Context } from '../context.ts';
import { openBareReader, openReader, type Reader } from '../listing-call.ts';
import { runLoad } from '../load.ts';
import { processorMs } from '../process-facts.ts';
import { atMost, type Row, timesOf } from '../report.ts';
import { startService } from '../service.ts';
import { median, percentile, ratioOf, spreadOf } from '../statistics.ts';

const ROUNDS = 7;
/** Eight accounts keep each below its limit (1,000 a second, bursts of 5) with at most four calls in flight, so that none waits. */
const ACCOUNTS = 8;

interface Level {
  what: string;
  inFlight: number;
  calls: number;
  call(reader: Reader): Promise<boolean>;
  /** Each judges our program against the bare tool: p50 above it, p50 in times of it, and its share of the calls. */
  mostAboveMs?: number;
  mostTimes?: number;
  leastShare?: number;
}

const ONE = { what: 'a listing read', call: (reader: Reader) => reader.readOne() };
const PAGE = { what: '300 KB read', call: (reader: Reader) => reader.readPage() };
const LEVELS: readonly Level[] = [
  { ...ONE, inFlight: 1, calls: 500, mostAboveMs: 1.5 },
  { ...ONE, inFlight: 32, calls: 3000, leastShare: 0.25 },
  { ...PAGE, inFlight: 1, calls: 100, mostTimes: 5.2 },
];

interface Measured {
  callsPerSecond: number;
  p50: number;
  p99: number;
  /** Milliseconds of its processors for each call; NaN where the system does not tell it. */
  processorMs: number;
}

export async function measureCalls(context: Context): Promise<Row[]> {
  const { bareTool, ours } = context.programs;
  await using service = closing(await startService(context));
  await using bare = closing(await openBareReader(context, bareTool, service));
  await using own = closing(await openReader(context, ours, service, ACCOUNTS));
  const rows: Row[] = [];
  for (const level of LEVELS) {
    const [bares, owns]: [Measured[], Measured[]] = [[], []];
    for (let round = -1; round < (context.quick ? 1 : ROUNDS); round++) {
      for (const [reader, measured] of [[bare, bares] as const, [own, owns] as const]) {
        const one = await measureRound(context, reader, level);
        if (round >= 0) measured.push(one);
      }
    }
    rows.push(...rowsOf(level, bareTool.name, bares), ...judgedRows(level, ours.name, owns, bares));
  }
  return rows;
}

async function measureRound({ quick }: Context, reader: Reader, level: Level): Promise<Measured> {
  const calls = quick ? level.calls / 10 : level.calls;
  const { pid } = reader.session;
  const before = processorMs(pid) ?? Number.NaN;
  const { callsPerSecond, latencies, failures } = await runLoad(calls, level.inFlight, () =>
    level.call(reader),
  );
  const used = (processorMs(pid) ?? Number.NaN) - before;
  if (failures > 0) throw new Error(`${failures} calls of ${level.what} failed`);
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { callsPerSecond, p50, p99, processorMs: used / calls };
}

const FIGURES = [
  ['callsPerSecond', 'calls', '/s'],
  ['p50', 'p50', 'ms'],
  ['p99', 'p99', 'ms'],
  ['processorMs', 'processor time a call', 'ms'],
] as const;

function rowsOf({ what, inFlight }: Level, program: string, own: Measured[], bare?: Measured[]): Row[] {
  return FIGURES.flatMap(([figure, name, unit]) => {
    const values = own.map((one) => one[figure]);
    if (values.some(Number.isNaN)) return [];
    const base = bare?.map((one) => one[figure]);
    const row = { point: 4, measure: `${what}, ${inFlight} in flight: ${name}`, program, unit };
    return { ...row, value: spreadOf(values), ...(base && timesOf('bare tool', ratioOf(values, base))) };
  });
}

function judgedRows(level: Level, program: string, own: Measured[], bare: Measured[]): Row[] {
  const { mostAboveMs, mostTimes, leastShare } = level;
  const [calls, p50, ...others] = rowsOf(level, program, own, bare);
  if (calls?.ratio === undefined || p50?.ratio === undefined) return [];
  if (leastShare !== undefined) {
    const met = calls.ratio.value.median >= leastShare;
    calls.target = { text: `at least ${leastShare} x bare tool`, met };
  }
  if (mostTimes !== undefined) p50.target = atMost(p50.ratio.value, mostTimes, 'x bare tool');
  if (mostAboveMs !== undefined) {
    const above = p50.value.median - median(bare.map((one) => one.p50));
    const text = `at most ${mostAboveMs} ms above bare tool (${above.toFixed(2)})`;
    p50.target = { text, met: above <= mostAboveMs };
  }
  return [calls, p50, ...others];
}
