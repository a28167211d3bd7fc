/** Point 14: a warm call over HTTP next to the same over stdio, and many people at once next to an empty server of the same SDK. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { callHttp, SELLERS, startHttp, startIssuer, writeAgency } from '../agency.ts';
import type { Context } from '../context.ts';
import { memoryMb } from '../process-facts.ts';
import { atMost, type Row, timesOf } from '../report.ts';
import { startService } from '../service.ts';
import { median, percentile, ratioOf, spreadOf } from '../statistics.ts';
import { measureNoisyPerson } from './noisy-person.ts';

const POINT = 14;
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
  return [
    ...(await measureWarmCall(context)),
    ...(await measureManyPeople(context)),
    ...(await measureNoisyPerson(context)),
  ];
}

async function measureWarmCall(context: Context): Promise<Row[]> {
  const stdio = await context.open(context.programs.ours, { args: ['--sandbox'] });
  const http = await startHttp(context.programs.ours, ['serve-http', '--sandbox', '--listen=127.0.0.1:0']);
  const agent = new Agent({ connections: 1 });
  const overHttp = () => callHttp(http.endpoint, agent, ...DESCRIBE);
  const overStdio = () => stdio.call(...DESCRIBE);
  const above: number[] = [];
  const [stdioMs, httpMs]: number[][] = [[], []];
  const timesOfCalls = async (call: () => Promise<boolean>) => {
    const times: number[] = [];
    for (let at = 0; at < (context.quick ? CALLS / 10 : CALLS); at++) {
      const before = performance.now();
      if (!(await call())) throw new Error('a call failed');
      times.push(performance.now() - before);
    }
    return median(times);
  };
  try {
    for (let round = -1; round < (context.quick ? 1 : ROUNDS); round++) {
      const [one, other] = [await timesOfCalls(overStdio), await timesOfCalls(overHttp)];
      if (round < 0) continue;
      stdioMs?.push(one);
      httpMs?.push(other);
      above.push(other - one);
    }
  } finally {
    await Promise.all([stdio.close(), http.close(), agent.close()]);
  }
  const measure = 'describe_operation, warm, p50';
  const ours = context.programs.ours.name;
  return [
    { point: POINT, measure, program: `${ours}, stdio`, value: spreadOf(stdioMs ?? []), unit: 'ms' },
    { point: POINT, measure, program: `${ours}, HTTP`, value: spreadOf(httpMs ?? []), unit: 'ms' },
    {
      point: POINT,
      measure: 'HTTP above stdio, in pairs',
      program: ours,
      value: spreadOf(above),
      unit: 'ms',
      target: atMost(spreadOf(above), MOST_ABOVE_MS, 'ms'),
    },
  ];
}

async function measureManyPeople(context: Context): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-people-'));
  const service = await startService(context);
  const issuer = await startIssuer();
  const flags = await writeAgency(folder, service, issuer.issuer);
  const ours = await startHttp(context.programs.ours, ['serve-http', ...flags]);
  const empty = await startHttp(context.programs.emptyHttpServer, []);
  const agents = [0, 1].map(() => new Agent({ connections: 32 }));
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, at) => issuer.token(`person-${at}`, ours.endpoint.href)),
  );
  const [oursAgent, emptyAgent] = agents;
  const [ownTimes, emptyTimes]: number[][] = [[], []];
  try {
    const call = (at: number) => {
      const account = `seller-${at % SELLERS}`;
      return callHttp(ours.endpoint, oursAgent, ...mixed(at, account), tokens[at % PEOPLE]);
    };
    const idle = () => callHttp(empty.endpoint, emptyAgent, 'idle', {});
    // Everybody's session is open, every seller has a token, and every tenth person has queried tables.
    for (let at = 0; at < PEOPLE; at++) await call(at * 5);
    for (let at = 0; at < PEOPLE; at += 10)
      await callHttp(
        ours.endpoint,
        oursAgent,
        'query_data',
        { sql: 'SELECT 1 AS one', account: `seller-${at % SELLERS}` },
        tokens[at],
      );
    const seconds = context.quick ? 2 : SECONDS;
    const inTurn = async (times: number[] | undefined, one: (at: number) => Promise<boolean>) => {
      const before: Promise<void>[] = [];
      for (let at = 0; at < seconds * CALLS_PER_SECOND; at++) {
        const due = performance.now() + 1000 / CALLS_PER_SECOND;
        const started = performance.now();
        before.push(
          one(at).then(
            (isGood) => void times?.push(isGood ? performance.now() - started : Number.POSITIVE_INFINITY),
          ),
        );
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      }
      await Promise.all(before);
    };
    // In turn, so that what else the machine does falls on both.
    for (let round = 0; round < ROUNDS_OF_MANY; round++) {
      await inTurn(emptyTimes, idle);
      await inTurn(ownTimes, call);
    }
    const memory = memoryMb(ours.pid) ?? Number.NaN;
    const [own, floor] = [percentile(ownTimes ?? [], 0.99), percentile(emptyTimes ?? [], 0.99)];
    const measure = `${PEOPLE} people, ${CALLS_PER_SECOND} calls/s, ${SELLERS} sellers, p99`;
    const memories = spreadOf([memory]);
    return [
      { point: POINT, measure, program: 'empty HTTP server', value: spreadOf([floor]), unit: 'ms' },
      {
        point: POINT,
        measure,
        program: context.programs.ours.name,
        value: spreadOf([own]),
        unit: 'ms',
        ...timesOf('empty HTTP server', ratioOf([own], [floor]), MOST_TIMES),
        note: 'of ten: six describe_operation, two list_known_operations, two reads of a listing',
      },
      {
        point: POINT,
        measure: 'the same: memory, every tenth person having queried tables',
        program: context.programs.ours.name,
        value: memories,
        unit: 'MB',
        target: atMost(memories, MOST_MB, 'MB'),
      },
    ];
  } finally {
    await Promise.all([
      ours.close(),
      empty.close(),
      service.close(),
      issuer.close(),
      ...agents.map((agent) => agent.close()),
    ]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What people do most: look things up, and read. */
function mixed(at: number, account: string): readonly [string, object] {
  if (at % 5 === 0)
    return ['read_operation', { operation: 'getListingsItem', parameters: { sku: 'LAMP-OAK-E27' }, account }];
  return at % 5 === 1 ? ['list_known_operations', { search: 'listings' }] : DESCRIBE;
}
