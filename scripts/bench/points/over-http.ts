/** Point 14: a warm call over HTTP next to the same over stdio, and many people at once next to an empty server of the same SDK. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { startTokenIssuer } from '../../../test/helpers/token-issuer.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import { callHttp, SELLERS, startHttp, writeAgency } from '../agency.ts';
import type { Context } from '../context.ts';
import { runLoad } from '../load.ts';
import { memoryMb } from '../process-facts.ts';
import { atMost, type Row, timesOf } from '../report.ts';
import { startService } from '../service.ts';
import { exactly, median, percentile, spreadOf } from '../statistics.ts';

const ROUNDS = 7;
const CALLS = 200;
const MOST_ABOVE_MS = 1.5;

const PEOPLE = 200;
const CALLS_PER_SECOND = 50;
const SECONDS = 5;
const ROUNDS_OF_MANY = 4;
const MOST_TIMES = 2;
const MOST_MB = 500;

const DESCRIBE = ['describe_operation', { operation: 'getListingsItem' }] as const;

export async function measureOverHttp(context: Context): Promise<Row[]> {
  return [...(await measureWarmCall(context)), ...(await measureManyPeople(context))];
}

async function measureWarmCall(context: Context): Promise<Row[]> {
  const { ours } = context.programs;
  await using stdio = await context.open(ours, { args: ['--sandbox'] });
  await using http = closing(await startHttp(ours, ['serve-http', '--sandbox', '--listen=127.0.0.1:0']));
  await using agent = closing(new Agent({ connections: 1 }));
  const p50 = async (call: () => Promise<boolean>) => {
    const { latencies, failures } = await runLoad(context.quick ? CALLS / 10 : CALLS, 1, call);
    if (failures > 0) throw new Error('a call failed');
    return median(latencies);
  };
  const [stdioMs, httpMs]: [number[], number[]] = [[], []];
  for (let round = -1; round < (context.quick ? 1 : ROUNDS); round++) {
    const one = await p50(() => stdio.call(...DESCRIBE));
    const other = await p50(() => callHttp(http.endpoint, agent, ...DESCRIBE));
    if (round < 0) continue;
    stdioMs.push(one);
    httpMs.push(other);
  }
  const above = spreadOf(httpMs.map((ms, round) => ms - (stdioMs[round] ?? Number.NaN)));
  const row = { point: 14, measure: 'describe_operation, warm, p50', unit: 'ms' };
  return [
    { ...row, program: `${ours.name}, stdio`, value: spreadOf(stdioMs) },
    { ...row, program: `${ours.name}, HTTP`, value: spreadOf(httpMs) },
    {
      ...row,
      measure: 'HTTP above stdio, in pairs',
      program: ours.name,
      value: above,
      target: atMost(above, MOST_ABOVE_MS, 'ms'),
    },
  ];
}

async function measureManyPeople(context: Context): Promise<Row[]> {
  const { ours, emptyHttpServer } = context.programs;
  await using folder = await tempFolder('bench-people-');
  await using service = closing(await startService(context));
  let audience = '';
  await using issuer = closing(await startTokenIssuer(() => audience));
  const flags = await writeAgency(folder.path, service, issuer.issuer);
  await using served = closing(await startHttp(ours, ['serve-http', ...flags]));
  await using empty = closing(await startHttp(emptyHttpServer, []));
  await using agent = closing(new Agent({ connections: 32 }));
  audience = served.endpoint.href;
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, at) => issuer.token({ sub: `person-${at}`, groups: ['all'] })),
  );
  const callAs = (at: number, [name, args]: readonly [string, object]) =>
    callHttp(served.endpoint, agent, name, args, tokens[at % PEOPLE]);
  const call = (at: number) => callAs(at, mixed(at));
  // Everybody's session is open, every seller has a token, and every tenth person has queried tables.
  for (let at = 0; at < PEOPLE; at++) await call(at * 5);
  for (let at = 0; at < PEOPLE; at += 10)
    await callAs(at, ['query_data', { sql: 'SELECT 1 AS one', account: sellerOf(at) }]);
  const seconds = context.quick ? 2 : SECONDS;
  const [emptyTimes, ownTimes]: [number[], number[]] = [[], []];
  // In turn, so that what else the machine does falls on both.
  for (let round = 0; round < ROUNDS_OF_MANY; round++) {
    emptyTimes.push(...(await timeSteadily(seconds, () => callHttp(empty.endpoint, agent, 'idle', {}))));
    ownTimes.push(...(await timeSteadily(seconds, call)));
  }
  const [own, floor] = [percentile(ownTimes, 0.99), percentile(emptyTimes, 0.99)];
  const memory = exactly(memoryMb(served.pid) ?? Number.NaN);
  const row = {
    point: 14,
    measure: `${PEOPLE} people, ${CALLS_PER_SECOND} calls/s, ${SELLERS} sellers, p99`,
  };
  const to = emptyHttpServer.name;
  return [
    { ...row, program: to, value: exactly(floor), unit: 'ms' },
    {
      ...row,
      program: ours.name,
      value: exactly(own),
      unit: 'ms',
      ...timesOf(to, exactly(own / floor), MOST_TIMES),
    },
    {
      ...row,
      measure: 'the same: memory, every tenth person having queried tables',
      program: ours.name,
      value: memory,
      unit: 'MB',
      target: atMost(memory, MOST_MB, 'MB'),
    },
  ];
}

const sellerOf = (at: number) => `seller-${at % SELLERS}`;

/** The mix of a usual day: of ten calls six describe an operation, two look one up, and two read a listing. */
function mixed(at: number): readonly [string, object] {
  const read = { operation: 'getListingsItem', parameters: { sku: 'LAMP-OAK-E27' }, account: sellerOf(at) };
  if (at % 5 === 0) return ['read_operation', read];
  return at % 5 === 1 ? ['list_known_operations', { search: 'listings' }] : DESCRIBE;
}

/** By the clock, whether those before have been answered or not. @returns a time for each, without end for a failure */
async function timeSteadily(seconds: number, call: (at: number) => Promise<boolean>): Promise<number[]> {
  const calls: Promise<number>[] = [];
  for (let at = 0; at < seconds * CALLS_PER_SECOND; at++) {
    const started = performance.now();
    calls.push(call(at).then((isGood) => (isGood ? performance.now() - started : Number.POSITIVE_INFINITY)));
    await sleep(Math.max(0, started + 1000 / CALLS_PER_SECOND - performance.now()));
  }
  return Promise.all(calls);
}
