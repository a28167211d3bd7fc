/** A real store for tests: `redis-server` or `valkey-server` of this machine, on loopback, ended with the test. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './http-service.ts';

const SERVER = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], { timeout: 10_000 }).status === 0,
);

/** Whether tests of a real store run: for a newcomer where there is one, in CI always. */
export const mayUseStore = SERVER !== undefined || process.env.CI === 'true';
if (!mayUseStore) process.stderr.write('Skipped: replicas on a store (no redis-server or valkey-server)\n');
export const STORE_NAME = SERVER === undefined ? 'needs redis-server or valkey-server' : `real ${SERVER}`;

export interface Redis {
  port: number;
  address: string;
  /** Frozen, as a machine that swaps: it takes connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it; what it had is gone unless it is kept on disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** One command as words, for what a program of ours never does; the answer as it comes. */
  command(...words: string[]): Promise<string>;
}

const running = new Set<{ child: ChildProcess; folder: string }>();

/** @param args `--sentinel` makes it one, which watches nobody yet */
export async function startRedis(...args: string[]): Promise<Redis> {
  if (SERVER === undefined) throw new Error('redis-server is not installed (Debian: redis-server)');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const config = args.includes('--sentinel') ? [join(folder, 'sentinel.conf')] : [];
  for (const file of config) writeFileSync(file, '');
  let one: { child: ChildProcess; folder: string } | undefined;
  const redis: Redis = {
    port,
    address: `redis://127.0.0.1:${port}`,
    freeze: () => void one?.child.kill('SIGSTOP'),
    thaw: () => void one?.child.kill('SIGCONT'),
    async stop() {
      if (one !== undefined) await end(one.child);
    },
    async start() {
      const child = spawn(
        SERVER,
        [...config, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...args],
        { stdio: 'ignore' },
      );
      one = { child, folder };
      running.add(one);
      for (let tries = 0; tries < 200; tries++) {
        const answer = await redis.command('PING').catch(() => '');
        if (answer !== '') return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('The store did not start.');
    },
    command: (...words) => send(port, words),
  };
  await redis.start();
  return redis;
}

export async function stopAllRedis(): Promise<void> {
  for (const { child, folder } of running) {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
  running.clear();
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  });
}

function send(port: number, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      resolve(bytes.toString('utf8'));
      socket.end();
    });
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    socket.write(`*${words.length}\r\n${parts.join('')}`);
  });
}
