/** Real processes with one list and a real disk: killed at any point, two at once, a disk that is full. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { stop } from '../../../../src/program/commands/stop.ts';
import { createTestOutside } from '../../../helpers/outside.ts';

const LIMIT_MS = 60_000;
const PROGRAM = join(inject('programs'), 'batches-process.mjs');

let folder: string;
let service: Service;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  service = await startService();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  service.server.closeAllConnections();
  service.server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Service {
  server: Server;
  url: string;
  /** What was sent, in order, with the answer that it got. */
  sent: { key: string; body: string; status: number }[];
  applied: Set<string>;
  /** Called when something was sent, before and after it is applied. */
  onSent(when: 'before' | 'after', count: number): void;
}

/** Takes prices; says 429 to every fifth, and no to prices that end in 7. */
async function startService(): Promise<Service> {
  const server = createServer(async (request, response) => {
    const key = request.url?.split('/').at(-1) ?? '';
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET') {
      response.end(JSON.stringify({ isApplied: service.applied.has(key) }));
      return;
    }
    service.onSent('before', service.sent.length + 1);
    const status = service.sent.length % 5 === 4 ? 429 : body.endsWith('7}') ? 400 : 200;
    service.sent.push({ key, body, status });
    if (status === 200) service.applied.add(key);
    service.onSent('after', service.sent.length);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { server, url: `http://127.0.0.1:${port}`, sent: [], applied: new Set(), onSent: () => {} };
}

/** @param limit most bytes of one file, in 512 byte blocks */
function start(count: number, limit?: number) {
  const args = [PROGRAM, folder, service.url, String(count)];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child =
    limit === undefined
      ? spawn(process.execPath, args, { stdio })
      : spawn('sh', ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args], { stdio });
  children.push(child);
  const told: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
  return { child, told, ended: once(child, 'close') };
}

/** What was sent is what the list holds, each at most once, and again only after 429. */
function checkSent(count: number) {
  const ended = new Set<string>();
  for (const { key, body, status } of service.sent) {
    const number = Number(key.split('-')[1]);
    expect(number).toBeLessThan(count);
    expect(JSON.parse(body)).toEqual({ price: number });
    expect(ended.has(key), `${key} was sent again`).toBe(false);
    if (status !== 429) ended.add(key);
  }
}

test(
  'killed again and again, before and after the service has applied something: each item once, and an outcome for each',
  async () => {
    const count = 40;
    const kills = [
      ['before', 1],
      ['after', 4],
      ['before', 9],
      ['after', 17],
      ['after', 18],
    ] as const;
    for (const [when, number] of kills) {
      const one = start(count);
      service.onSent = (now, sent) => {
        if (now === when && sent >= number) one.child.kill('SIGKILL');
      };
      await one.ended;
      expect(one.told.at(-1)).not.toHaveProperty('ended');
      checkSent(count);
    }
    service.onSent = () => {};
    const last = start(count);
    await last.ended;
    const { counts } = z
      .object({ ended: z.literal('ended'), counts: z.record(z.string(), z.number()) })
      .parse(last.told.at(-1));
    checkSent(count);
    expect(counts.pending).toBe(0);
    expect(counts.accepted).toBe(service.applied.size);
    // What was killed before it was applied is told as failed, and was not sent again.
    expect(Number(counts.accepted) + Number(counts.not_accepted) + Number(counts.failed)).toBe(count);
    const file = (await readdir(join(folder, 'batches'))).filter((name) => name.endsWith('.jsonl'));
    expect(file).toHaveLength(1);
    expect((await stat(join(folder, 'batches', file[0] ?? ''))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(folder, 'batches', file[0] ?? ''), 'utf8');
    expect(text.split('\n').filter((line) => line.includes('"t":"end"'))).toHaveLength(count);
  },
  LIMIT_MS,
);

test(
  'two processes with the same list: one works on it, both tell how it ended',
  async () => {
    const [one, other] = [start(30), start(30)];
    await Promise.all([one.ended, other.ended]);
    checkSent(30);
    expect(service.sent.filter(({ status }) => status !== 429)).toHaveLength(30);
    for (const { told } of [one, other])
      expect(told.at(-1)).toMatchObject({ ended: 'ended', counts: { accepted: 27, not_accepted: 3 } });
    expect((await readdir(join(folder, 'batches'))).filter((name) => name.endsWith('.jsonl'))).toHaveLength(
      1,
    );
  },
  LIMIT_MS,
);

test(
  'the command stops a list that a server works on, between two items, and tells what was done',
  async () => {
    const one = start(2000);
    await new Promise<void>((resolve) => {
      service.onSent = (_, count) => count > 5 && resolve();
    });
    const io = createTestOutside({ flags: { 'state-dir': folder } });
    await stop.run({ positionals: [], values: {} }, io);
    const { sent } = service;
    await one.ended;
    const done = sent.filter(({ status }) => status !== 429).length;
    expect(one.told.at(-1)).toMatchObject({ ended: 'stopped', counts: { not_sent: 2000 - done } });
    expect(io.out()).toMatch(
      /^Stopped: 2000 items \(change_listings, account shop, batch [0-9a-f]{8}\): \d+ accepted, .*\d+ not sent\.\n$/,
    );
    expect(io.out()).toContain(`${2000 - done} not sent.`);
    const again = createTestOutside({ flags: { 'state-dir': folder } });
    await stop.run({ positionals: [], values: {} }, again);
    expect(again.out()).toBe('No list of writes is under way or unfinished.\n');
  },
  LIMIT_MS,
);

test(
  'a disk that is full before the first item: nothing is sent, and that is said',
  async () => {
    const one = start(2000, 64);
    await one.ended;
    expect(one.told).toEqual([
      { error: expect.stringMatching(/^The confirmed list could not be written to .* nothing was sent\.$/) },
    ]);
    expect(service.sent).toEqual([]);
    expect(await readdir(join(folder, 'batches'))).toEqual([]);
  },
  LIMIT_MS,
);
