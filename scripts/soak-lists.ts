/** `npx tsx scripts/soak-lists.ts --minutes 10 --seed 1`: lists of writes in a store while replicas are killed and frozen, clocks are wrong, connections cut and the store stopped; what the service got is held against what was agreed to. With `--on computer` the processes share a folder instead. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createSocketServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { systemClock } from '../src/base/clock.ts';
import { parseJson } from '../src/base/json.ts';
import { startPostgres, stopAllPostgres } from '../test/helpers/postgres.ts';
import { createRandom } from '../test/helpers/random.ts';
import { bundle } from './bundle.ts';

const PROGRAM_FOLDER = 'build/soak-lists';
const REPLICAS = 3;
const ITEMS = 150;
const HOUR_MS = 3_600_000;
/** A list that takes longer has come to a standstill, and whoever works on it is ended. */
const LIST_MS = 180_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    on: { type: 'string', default: 'store' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const random = createRandom(Number(values.seed));
const between = (from: number, to: number) => from + random() * (to - from);
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const reportSchema = z.object({
  begun: z.string().optional(),
  ended: z.string().optional(),
  counts: z.record(z.string(), z.number()).optional(),
  error: z.string().optional(),
});

const service = await startService();
if (values.on !== 'store' && values.on !== 'computer') throw new Error('--on is store or computer.');
const database = values.on === 'computer' ? undefined : await startPostgres();
const proxy = database && (await startProxy(database.port));
await bundle('test/helpers/batches-process.ts', PROGRAM_FOLDER);
const folder = await mkdtemp(path.join(tmpdir(), 'soak-lists-'));
const faults = new Map<string, number>();
const violations: string[] = [];
const replicas = new Set<ChildProcess>();
/** Only a code that is good once keeps a process from beginning a list anew that ended while it stood still, and there is none here. */
const begun = new Set<ChildProcess>();
let lists = 0;
let started = 0;
let inDoubt = 0;

console.log(
  `${values.minutes} min on one ${values.on}, seed ${values.seed}, ${REPLICAS} processes, lists of ${ITEMS} prices`,
);
const until = performance.now() + Number(values.minutes) * 60_000;
const troubles = makeTrouble();
while (performance.now() < until && violations.length === 0) await playList(`list-${++lists}`);
await troubles;
for (const child of replicas) child.kill('SIGKILL');
for (const [name, count] of [...faults].sort()) console.log(`${name}: ${count}`);
console.log(
  `${lists} lists, ${started} processes started, ${service.sent} prices sent, ${inDoubt} told as unknown`,
);
for (const violation of violations) console.log(`VIOLATION: ${violation}`);
if (violations.length === 0) console.log('Nothing was sent twice, and every item was told.');
proxy?.close();
service.server.closeAllConnections();
service.server.close();
await stopAllPostgres();
await rm(folder, { recursive: true, force: true });
process.exitCode = violations.length === 0 ? 0 : 1;

/** A process that dies has a successor, until one has reported the end. */
async function playList(name: string): Promise<void> {
  const late = performance.now() + LIST_MS;
  let ended: z.output<typeof reportSchema> | undefined;
  const ids = new Set<string>();
  const serve = async () => {
    while (ended === undefined && performance.now() < late) {
      const replicaOutput = await runReplica(name, late, ids);
      if (replicaOutput?.ended === 'ended') ended = replicaOutput;
      else await pause(200);
    }
  };
  await Promise.all(Array.from({ length: REPLICAS }, serve));
  if (ids.size > 1) violations.push(`${name}: begun as ${[...ids].join(' and ')}`);
  const { sent, applied } = service.of(name);
  const twice = [...sent].filter(([, count]) => count > 1).map(([key]) => key);
  if (twice.length > 0) violations.push(`${name}: sent twice: ${twice.join(', ')}`);
  if (ended?.counts === undefined) {
    violations.push(`${name}: came to no end`);
    return;
  }
  const { accepted = 0, unknown = 0, pending = 0 } = ended.counts;
  const all = Object.values(ended.counts).reduce((sum, count) => sum + count, 0);
  inDoubt += unknown;
  const isReported = accepted <= applied.size && applied.size <= accepted + unknown;
  if (pending > 0 || all !== ITEMS || !isReported)
    violations.push(`${name}: applied ${applied.size}, told ${JSON.stringify(ended.counts)}`);
}

async function runReplica(
  name: string,
  late: number,
  ids: Set<string>,
): Promise<z.output<typeof reportSchema> | undefined> {
  started += 1;
  // Processes of a computer have the same clock.
  const ahead = Math.round(proxy === undefined || random() < 0.5 ? 0 : between(-HOUR_MS, HOUR_MS));
  const at = proxy === undefined ? '' : `postgres://seller@127.0.0.1:${proxy.port}/postgres`;
  const args = [folder, `${service.url}/${name}`, String(ITEMS), at, name, String(ahead)];
  const child = spawn(process.execPath, [`${PROGRAM_FOLDER}/main.mjs`, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  replicas.add(child);
  const stopTimer = systemClock.after(late - performance.now(), () => child.kill('SIGKILL'));
  let last: z.output<typeof reportSchema> | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = reportSchema.safeParse(parseJson(line)).data;
    if (last?.begun === undefined) return;
    ids.add(last.begun);
    begun.add(child);
  });
  await once(child, 'close');
  stopTimer();
  replicas.delete(child);
  begun.delete(child);
  return last;
}

async function makeTrouble(): Promise<void> {
  const anyOf = (some: ReadonlySet<ChildProcess>) => [...some][Math.floor(random() * some.size)];
  type Kind = [name: string, weight: number, make: () => Promise<void>];
  const ofProcesses: Kind[] = [
    ['killed', 6, async () => void anyOf(replicas)?.kill('SIGKILL')],
    [
      'frozen',
      4,
      async () => {
        const one = anyOf(begun);
        one?.kill('SIGSTOP');
        await pause(between(300, 4_000));
        one?.kill('SIGCONT');
      },
    ],
  ];
  const ofStore: Kind[] = [
    ['connections cut', 3, async () => proxy?.cut()],
    ['connections held up', 3, async () => proxy?.hold(between(100, 2_000))],
    [
      'store frozen',
      2,
      async () => {
        database?.freeze();
        await pause(between(100, 2_000));
        database?.thaw();
      },
    ],
    [
      'store killed and started again',
      2,
      async () => {
        await database?.stop();
        await pause(between(100, 1_000));
        await database?.start();
      },
    ],
  ];
  const kinds = [...ofProcesses, ...(database === undefined ? [] : ofStore)];
  const weight = kinds.reduce((sum, [, one]) => sum + one, 0);
  while (performance.now() < until) {
    await pause(between(500, 3_000));
    let rest = random() * weight;
    for (const [name, one, make] of kinds) {
      rest -= one;
      if (rest > 0) continue;
      faults.set(name, (faults.get(name) ?? 0) + 1);
      await make();
      break;
    }
  }
}

/** Slow, refuses some for their limit, and answers some not at all: before or after they are applied. */
async function startService() {
  const known = new Map<string, { sent: Map<string, number>; applied: Set<string> }>();
  const of = (name: string) => {
    const one = known.get(name) ?? { sent: new Map<string, number>(), applied: new Set<string>() };
    known.set(name, one);
    return one;
  };
  const counter = { sent: 0 };
  const server: Server = createServer(async (request, response) => {
    const [, name = '', , key = ''] = request.url?.split('/') ?? [];
    const { sent, applied } = of(name);
    for await (const _ of request);
    if (request.method === 'GET') {
      response.end(JSON.stringify({ isApplied: applied.has(key) }));
      return;
    }
    await pause(between(5, 60));
    if (random() < 0.05) {
      response.writeHead(429).end();
      return;
    }
    counter.sent += 1;
    sent.set(key, (sent.get(key) ?? 0) + 1);
    if (random() < 0.01) {
      request.socket.destroy();
      return;
    }
    applied.add(key);
    if (random() < 0.02) request.socket.destroy();
    else response.writeHead(200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    of,
    get sent() {
      return counter.sent;
    },
  };
}

/** Between the replicas and the store. */
async function startProxy(to: number) {
  const pairs = new Set<[Socket, Socket]>();
  const server = createSocketServer((near) => {
    const far = connect({ port: to, host: '127.0.0.1' });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    port,
    cut() {
      for (const pair of pairs) for (const one of pair) one.destroy();
    },
    /** Bytes that are sent meanwhile arrive afterwards. */
    async hold(ms: number) {
      const held = [...pairs].flat();
      for (const one of held) one.pause();
      await pause(ms);
      for (const one of held) one.resume();
    },
    close: () => server.close(),
  };
}
