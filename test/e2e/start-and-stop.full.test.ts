/** Starting with nothing, with everything wrong, and stopping: on time, with status 0, without side effects. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { LAUNCH } from '../helpers/launch.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { runProgram } from '../helpers/run-program.ts';
import { connect } from '../helpers/sessions.ts';

/** The promise is one second; a loaded machine gets another. */
const PROMPTLY_MS = 2_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const timed = async (work: Promise<unknown>) => {
  const started = performance.now();
  const result = await work;
  expect(performance.now() - started).toBeLessThan(PROMPTLY_MS);
  return result;
};

describe('ends promptly with status 0', () => {
  it('when stdin closes', async () => {
    const server = startRawServer(['--sandbox']);
    await server.initialize();
    server.child.stdin.end();
    expect(await timed(server.exited)).toBe(0);
    expect(server.stderr()).toBe('');
  });

  it('when stdin is closed from the start', async () => {
    expect(await timed(runProgram([]))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('on %s', async (signal) => {
    const server = startRawServer(['--sandbox']);
    await server.initialize();
    server.child.kill(signal);
    expect(await timed(server.exited)).toBe(0);
  });

  it.each(['stdin', 'SIGTERM'] as const)('by %s with calls under way and sockets open', async (way) => {
    const server = startRawServer(['--sandbox']);
    await server.initialize();
    const call = { name: 'get_catalog_item', arguments: { asin: 'B0SBX00004' } };
    await server.request('tools/call', call);
    for (let at = 0; at < 30; at++) void server.request('tools/call', call);
    await sleep(50);
    if (way === 'stdin') server.child.stdin.end();
    else server.child.kill('SIGTERM');
    expect(await timed(server.exited)).toBe(0);
  });
});

describe('starts all the same', () => {
  const nothing = (): Record<string, string> => homeEnvironment(join(folder, 'nobody'));

  it('with nothing configured: lists its tools, opens no socket, writes nothing but what Node keeps of its code', async () => {
    const home = join(folder, 'untouched');
    const server = startRawServer([], homeEnvironment(home));
    await server.initialize();
    await server.request('tools/list');
    const sockets = await openSockets(server.child.pid);
    await server.stop();
    expect(sockets).toEqual([]);
    // Node 22 and newer leave the compile cache.
    expect((await readdir(home).catch(() => [])).filter((name) => name !== 'cache')).toEqual([]);
    expect(server.stderr()).toBe('');
  });

  it.each([
    ['no home', () => ({ HOME: '/nonexistent/home' })],
    [
      'no folder to write to',
      () => ({ ...nothing(), SELLER_STATE_DIR: '/dev/null/x', TMPDIR: '/dev/null/x' }),
    ],
    [
      'a network that leads nowhere',
      () => ({ ...nothing(), HTTPS_PROXY: 'http://127.0.0.1:9', SELLER_REGION: 'eu' }),
    ],
    ['a bus that is not there', () => ({ ...nothing(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' })],
  ])('with %s', async (_case, env) => {
    const session = await connect({ spawn: true, env: env() });
    try {
      expect((await session.client.listTools()).tools).toHaveLength(TOOL_LIST.length);
      const { isError, text } = await session.call('read_operation', { operation: 'getSupplySources' });
      expect(isError).toBe(true);
      expect(text).toMatch(/SELLER_CLIENT_ID|keychain|login/);
      expect((await session.call('describe_operation', { operation: 'getOrder' })).isError).toBe(false);
    } finally {
      await session.close();
    }
  });

  it('with wrong settings: each call says which and how to correct them', async () => {
    const env = {
      ...nothing(),
      SELLER_REGION: 'us',
      SELLER_WRITES: 'maybe',
      SELLER_CLIENT_SECRET: 'canary-secret-1',
    };
    const session = await connect({ spawn: true, env });
    try {
      expect((await session.client.listTools()).tools).toHaveLength(TOOL_LIST.length);
      for (const [name, args] of [
        ['get_catalog_item', { asin: 'B0SBX00001' }],
        ['read_operation', { operation: 'getSupplySources' }],
        ['exchange_token', {}],
      ] as const) {
        const { isError, text } = await session.call(name, args);
        expect(isError).toBe(true);
        expect(text).toMatch(/SELLER_REGION: .*SELLER_WRITES: .*/);
        expect(text).not.toContain('canary');
      }
    } finally {
      await session.close();
    }
  });

  it('where a desktop host left placeholders for settings that were not given', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the host leaves
    const env = { ...nothing(), SELLER_REGION: '${user_config.region}', SELLER_SANDBOX: 'true' };
    const session = await connect({ spawn: true, env });
    try {
      expect((await session.call('get_catalog_item', { asin: 'B0SBX00001' })).isError).toBe(false);
    } finally {
      await session.close();
    }
  });
});

describe('a wrong command line ends with status 2', () => {
  it.each([
    ['--sandbxo', ['--sandbox']],
    ['--state-dirr=/tmp', ['--state-dir']],
    ['--client-secret=canary-secret-2', ['Secrets are never flags']],
    ['--sandbox=yes', ['--sandbox']],
    ['srve', ['serve', 'login', 'history']],
  ])('%s', async (flag, words) => {
    const { code, stdout, stderr } = await runProgram([flag], { env: homeEnvironment(folder) });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const word of words) expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/canary|node:internal|\bat /);
  });
});

it.each(['--help', '-h', '--version'])('%s prints and ends with status 0', async (flag) => {
  const { code, stdout, stderr } = await runProgram([flag]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim()).not.toBe('');
});

it('runs when it is imported by a host instead of being the main file', async () => {
  const load = `await import(${JSON.stringify(LAUNCH.program)})`;
  const child = spawn(LAUNCH.node, ['--input-type=module', '-e', load], {
    env: homeEnvironment(folder),
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  const [answer] = await once(child.stdout, 'data');
  expect(JSON.parse(String(answer))).toMatchObject({ id: 1, result: {} });
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Network sockets that the process holds; its stdio may be sockets too, of another kind. Empty where there is no /proc. */
async function openSockets(pid: number | undefined): Promise<string[]> {
  const held = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(held.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) =>
      readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''),
    ),
  );
  return inodes.filter((inode) => tables.some((table) => table.includes(` ${inode} `)));
}
