/** Every command ends on SIGINT and on SIGTERM, whatever it is waiting for, and leaves no half-written file. */

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCH, RUNS_ALL } from '../helpers/launch.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';

/** The promise is a second; a loaded machine gets more, a hanging program is told from it all the same. */
const GONE_MS = 4_000;

const CREDENTIALS = { clientId: 'a', clientSecret: 'b', refreshToken: 'c' };

let folder: string;
let silent: Server;
let port: number;
let connections: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stop-signals-'));
  connections = 0;
  // Takes connections and says nothing.
  silent = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  silent.close();
  await rm(folder, { recursive: true, force: true });
});

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  child: ChildProcessWithoutNullStreams;
  said(): string;
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node: string[] = [],
): Started {
  const child = spawn(LAUNCH.node, [...node, LAUNCH.program, ...args], {
    env: { ...LAUNCH.env, ...homeEnvironment(folder), ...env },
  });
  children.push(child);
  child.stdin.on('error', () => {});
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  return { child, said: () => text };
}

/** Stops the process and returns how it ended. @throws where it still runs when its time is over */
async function stop({ child }: Started, signal: NodeJS.Signals): Promise<unknown[]> {
  const exited = once(child, 'exit');
  child.kill(signal);
  const late = sleep(GONE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`still running ${GONE_MS} ms after ${signal}`);
  });
  return Promise.race([exited, late]);
}

const network = () => ({
  SELLER_BASE_URL: `http://127.0.0.1:${port}`,
  SELLER_AUTH_URL: `http://127.0.0.1:${port}`,
  SELLER_CLIENT_ID: CREDENTIALS.clientId,
  SELLER_CLIENT_SECRET: CREDENTIALS.clientSecret,
  SELLER_REFRESH_TOKEN: CREDENTIALS.refreshToken,
});

/** Both go the same way; which of them it is is tried in full by test:all. */
const SIGNALS = RUNS_ALL ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const);

describe.runIf(process.platform !== 'win32').each(SIGNALS)('%s ends', (signal) => {
  it('sandbox, with status 0', async () => {
    const started = start(['sandbox']);
    await expect.poll(started.said).toContain('is running');
    await sleep(50);
    expect(await stop(started, signal)).toEqual([0, null]);
  });

  it('install while it waits for the lock, and nothing is written', async () => {
    const file = join(folder, '.cursor', 'mcp.json');
    await mkdir(`${file}.lock`, { recursive: true });
    const started = start(['install', 'cursor', '--yes']);
    await expect.poll(started.said).toContain('"command"');
    await utimes(`${file}.lock`, new Date(), new Date());
    await sleep(200);
    expect(await stop(started, signal)).toEqual([1, null]);
    expect(started.said()).toContain('Cancelled. Nothing was changed.');
    expect(await readdir(join(folder, '.cursor'))).toEqual(['mcp.json.lock']);
  });

  it('uninstall while it waits for the lock, and nothing is written', async () => {
    const file = join(folder, '.cursor', 'mcp.json');
    await mkdir(`${file}.lock`, { recursive: true });
    const text = '{"mcpServers":{"seller-commerce":{"command":"npx","args":["seller-commerce-mcp"]}}}';
    await writeFile(file, text);
    const started = start(['uninstall', 'cursor', '--yes']);
    await expect.poll(started.said).toContain('"mcpServers"');
    await sleep(200);
    await stop(started, signal);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('status while service and identity provider say nothing', async () => {
    const started = start(['status'], network());
    await expect.poll(() => connections).toBeGreaterThan(0);
    await stop(started, signal);
  });

  it('a server with a call under way, with status 0', async () => {
    const started = start([], network());
    const send = (message: object) =>
      started.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'a', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'exchange_token', arguments: {} } });
    await expect.poll(() => connections).toBeGreaterThan(0);
    expect(await stop(started, signal)).toEqual([0, null]);
  });

  it('history in the midst of a long calculation, when no listener is called', async () => {
    const state = join(folder, 'state');
    await mkdir(state);
    const line = (id: number) =>
      `{ "v":1,"kind":"intent","id":"${id}","time":"2026-11-20T12:00:00.000Z","account":"default","operation":"a/b"}\n`;
    const lines = Array.from({ length: 200_000 }, (_, id) => line(id)).join('');
    await writeFile(join(state, 'writes.jsonl'), lines);
    const started = start(['history', '--limit', 'all', '--state-dir', state]);
    await sleep(1_500);
    await stop(started, signal);
  });

  it('what waits for the system: a file or a name server that never answers', async () => {
    // A thread of the pool opens a pipe that nothing writes to; Node waits for such a thread when it exits.
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const preload = join(folder, 'preload.mjs');
    await writeFile(preload, `import { open } from 'node:fs'; open(${JSON.stringify(pipe)}, () => {});`);
    const started = start(['sandbox'], {}, ['--import', pathToFileURL(preload).href]);
    await expect.poll(started.said).toContain('is running');
    await sleep(50);
    // The signal itself ends it, since an orderly exit would wait.
    expect(await stop(started, signal)).toEqual([null, signal]);
    expect(started.said()).toContain('Stopped before everything was finished.');
  });
});
