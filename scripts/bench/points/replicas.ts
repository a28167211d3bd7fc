/** Point 15: four processes of one application call one seller's service as fast as they may, with a store that they share. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../../test/helpers/http-service.ts';
import * as postgres from '../../../test/helpers/postgres.ts';
import type { Context } from '../context.ts';
import { atMost, type Row } from '../report.ts';
import { exactly, median } from '../statistics.ts';

type Server = postgres.PostgresServer;
const REPLICAS = 4;

interface Case {
  what: string;
  rate: number;
  burst: number;
  seconds: number;
  least: number;
  most429: number;
  /** It happens on the way: `share` waits for a part of the time. */
  fault?: (
    server: Server,
    replicas: readonly ChildProcess[],
    share: (part: number) => Promise<void>,
  ) => unknown;
  /** How wrong the first replica's clock is, in milliseconds. */
  ahead?: number;
}

const OUTAGE = 1 / 3;
const outage =
  (lose: (server: Server) => unknown, recover: (server: Server) => unknown): Case['fault'] =>
  async (server, _replicas, share) => {
    await share(OUTAGE);
    await lose(server);
    await share(OUTAGE);
    await recover(server);
  };
const FAST = { rate: 5, burst: 10, seconds: 60 };
const SLOW = { rate: 0.5, burst: 1, seconds: 300 };

const CASES: readonly Case[] = [
  { what: '5/s burst 10', ...FAST, least: 95, most429: 0 },
  { what: '0.5/s burst 1', ...SLOW, least: 90, most429: 0 },
  {
    what: '5/s burst 10, one replica killed',
    ...FAST,
    least: 95,
    most429: 0,
    async fault(_server, replicas, share) {
      await share(OUTAGE);
      replicas[1]?.kill('SIGKILL');
    },
  },
  { what: '5/s burst 10, one clock 30 s ahead', ...FAST, least: 95, most429: 0, ahead: 30_000 },
  {
    what: '5/s burst 10, the store stopped for a third',
    ...FAST,
    least: 0,
    most429: 5,
    fault: outage(
      (server) => server.stop(),
      (server) => server.start(),
    ),
  },
  {
    what: '5/s burst 10, the store frozen for a third',
    ...FAST,
    least: 0,
    most429: 5,
    fault: outage(
      (server) => server.freeze(),
      (server) => server.thaw(),
    ),
  },
];

/** All at the same time, each with its own store and service: they spend it waiting. */
export async function measureReplicas(context: Context): Promise<Row[]> {
  if (!postgres.mayUseStore) {
    context.say('Point 15 needs a PostgreSQL server; left out.');
    return [];
  }
  try {
    // Before any of them begins: making a server stops this process, in which the services are.
    const made = await Promise.all(CASES.map(async (one) => ({ one, server: await startStore(context) })));
    const rows = await Promise.all(made.map(({ one, server }) => measureCase(context, one, server)));
    return [...rows.flat(), await measureOneCall(context)];
  } finally {
    await postgres.stopAllPostgres();
  }
}

async function measureCase(context: Context, one: Case, server: Server): Promise<Row[]> {
  const { what, rate, burst, least, most429, fault, ahead = 0 } = one;
  const seconds = context.quick ? 10 : one.seconds;
  const forMs = seconds * 1000;
  const service = await startCounting(rate, burst);
  const outputs: Promise<string>[] = [];
  const replicas = Array.from({ length: REPLICAS }, (_, n) => {
    const ours = [forMs, 8, n === 0 ? ahead : 0];
    const child = startReplica(context, server.address, service.url, rate, burst, ...ours);
    outputs.push(textOf(child));
    return child;
  });
  const share = (part: number) => new Promise<void>((resolve) => setTimeout(resolve, part * forMs));
  await fault?.(server, replicas, share);
  const texts = await Promise.all(outputs);
  service.close();
  const transactions = texts
    .filter((text) => text !== '')
    .map((text) => Object(JSON.parse(text)).transactions)
    .reduce((sum: number, count: number) => sum + count, 0);
  const allowed = burst + rate * (seconds + service.lateMs / 1000);
  const row = (measure: string, value: number, unit: string) => ({
    point: 15,
    measure: `${what}: ${measure}`,
    program: `${REPLICAS} replicas`,
    value: exactly(value),
    unit,
  });
  const succeeded = (100 * service.succeeded) / allowed;
  const calls = service.succeeded + service.refused;
  return [
    {
      ...row(`succeeded of ${Math.floor(allowed)} allowed in ${seconds} s`, succeeded, '%'),
      ...(least > 0 && { target: { text: `at least ${least} %`, met: succeeded >= least } }),
    },
    { ...row('429s', service.refused, ''), target: atMost(exactly(service.refused), most429, '') },
    {
      ...row('transactions in the store, a call', transactions / calls, ''),
      // An outage makes no transactions, so that the target holds only without one.
      ...(least > 0 && { target: atMost(exactly(transactions / calls), 1.2, '') }),
    },
  ];
}

/** One call at a time under a limit that holds nobody up: what asking the store adds. */
async function measureOneCall(context: Context): Promise<Row> {
  const server = await startStore(context);
  const service = await startCounting(1_000, 1_000);
  const forMs = context.quick ? 2_000 : 8_000;
  const medianOf = async (store: string) => {
    const text = await textOf(startReplica(context, store, service.url, 1_000, 1_000, forMs, 1));
    return median(Object(JSON.parse(text)).waits);
  };
  const alone = await medianOf('');
  const shared = await medianOf(server.address);
  service.close();
  const value = exactly(shared - alone);
  return {
    point: 15,
    measure: 'a turn under a limit that is free, above the limiter of one process, p50',
    program: 'one replica',
    value,
    unit: 'ms',
    target: atMost(value, 1, 'ms'),
  };
}

const startReplica = (context: Context, ...args: readonly (string | number)[]) =>
  spawn(process.execPath, [context.programs.replica.file, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Its tables are there, and empty: they are made once in the life of a store, by one process while the others wait. */
async function startStore(context: Context): Promise<Server> {
  const server = await postgres.startPostgres();
  await textOf(startReplica(context, server.address, '', 1, 1, 0, 0));
  await server.clear();
  return server;
}

/** A service that counts as a token bucket does, from the first call on. */
async function startCounting(rate: number, burst: number) {
  const counts = { succeeded: 0, refused: 0, lateMs: 0, url: '', close: () => {} };
  let tokens = burst;
  let last: number | undefined;
  const server = createServer((_request, response) => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) / 1000) * rate);
    last = now;
    const isRefused = tokens < 1;
    if (isRefused) counts.refused += 1;
    else {
      counts.succeeded += 1;
      tokens -= 1;
    }
    response.writeHead(isRefused ? 429 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  counts.url = `http://127.0.0.1:${portOf(server.address())}/`;
  counts.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return counts;
}

/** Returns all that it says until its end. */
async function textOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  return text;
}
