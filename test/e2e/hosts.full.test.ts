/** Tests a server against desktop hosts: several at once, probes, pipes closed in any order, a kill, a slow reader. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { callModern } from '../helpers/modern-call.ts';
import { homeEnvironment, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect, PROGRAM } from '../helpers/sessions.ts';

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

it('three servers at once on one account all work, also after their tokens expired', async () => {
  const sessions = await Promise.all(
    CLIENT_KINDS.map((kind) =>
      connect({ kind, args: [...outside.args, '--writes=allow'], env: outside.env }),
    ),
  );
  try {
    for (const round of [1, 2]) {
      const calls = sessions.flatMap((session, at) => [
        session.call('get_catalog_item', { asin: 'B0SBX00002' }),
        session.call('read_operation', { operation: 'getSupplySources' }),
        session.call('update_supply_source', { supplySourceId: SHOP, alias: `Round ${round}, server ${at}` }),
      ]);
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
      outside.sandbox.expireTokens();
    }
    expect(await outside.journal()).toHaveLength(6);
    expect(outside.sandbox.stats().exchanges).toBeLessThanOrEqual(6);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
});

describe('probes', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  it('of the newer era first, then the older handshake on the same connection', async () => {
    const server = startRawServer(['--sandbox'], homeEnvironment(outside.folder));
    try {
      expect(await server.request('server/discover', { _meta })).toMatchObject({
        result: { supportedVersions: expect.arrayContaining(['2026-07-28']), capabilities: { tools: {} } },
      });
      expect(await server.initialize()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
      expect(await server.request('tools/list')).toMatchObject({
        result: { tools: { length: TOOL_LIST.length } },
      });
      const params = { name: 'get_catalog_item', arguments: { asin: 'B0SBX00001' } };
      expect(await server.request('tools/call', params)).toMatchObject({
        result: { content: expect.anything() },
      });
    } finally {
      await server.stop();
    }
  });

  it('of the newer era only: no handshake at all before the first call', async () => {
    const server = startRawServer(['--sandbox'], homeEnvironment(outside.folder));
    try {
      const { result } = await callModern(server, {
        name: 'get_catalog_item',
        arguments: { asin: 'B0SBX00001' },
      });
      expect(result).toMatchObject({ structuredContent: { account: 'default' } });
    } finally {
      await server.stop();
    }
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01'])(
    'handshake at %s ends in a version that the server speaks',
    async (protocolVersion) => {
      const server = startRawServer(['--sandbox'], homeEnvironment(outside.folder));
      try {
        const clientInfo = { name: 'old', version: '1' };
        const answer = await server.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
        const expected =
          protocolVersion === '1999-01-01' ? expect.stringMatching(/^20\d\d-/) : protocolVersion;
        expect(answer).toMatchObject({ result: { protocolVersion: expected } });
        await server.notify('notifications/initialized');
        expect(await server.request('tools/list')).toMatchObject({
          result: { tools: { length: TOOL_LIST.length } },
        });
      } finally {
        await server.stop();
      }
    },
  );

  it('by processes that are ended at once leave nothing running', async () => {
    for (let at = 0; at < 3; at++) {
      const server = startRawServer([], outside.env);
      server.child.stdin.end();
      server.child.stdout.destroy();
      expect(await server.exited).toBe(0);
    }
  });
});

describe('a host that closes stdout first', () => {
  it.each([
    ['and then stdin', true],
    ['and nothing else', false],
  ])('%s: the server ends, with status 0 and no crash', async (_case, thenStdin) => {
    const server = startRawServer(outside.args, outside.env);
    await server.initialize();
    server.child.stdout.destroy();
    for (let at = 0; at < 20; at++) void server.request('tools/list');
    if (thenStdin) setTimeout(() => server.child.stdin.end(), 100);
    expect(await within(server.exited, 5_000)).toBe(0);
    expect(server.stderr()).not.toMatch(/EPIPE|Unhandled|\bat /);
  });

  it('and stderr too', async () => {
    const server = startRawServer([...outside.args, '--log-level=debug'], outside.env);
    await server.initialize();
    server.child.stderr.destroy();
    const params = { name: 'get_catalog_item', arguments: { asin: 'B0SBX00001' } };
    expect(await server.request('tools/call', params)).toHaveProperty('result');
    await server.write('garbage\n');
    server.child.stdout.destroy();
    server.child.stdin.end();
    expect(await within(server.exited, 5_000)).toBe(0);
  });
});

// Windows has no signal that kills a host; the gate's Linux job always runs it.
const hasSignals = process.platform !== 'win32';
if (!hasSignals) process.stderr.write('Skipped: a host that is killed (Windows has no signals)\n');

// Skipped on Windows, never in the gate on Linux (see hasSignals).
describe.skipIf(!hasSignals)('a host that is killed (by a signal, which Windows has not)', () => {
  it.each(['idle', 'waiting for an answer'])('takes the server with it (%s)', async (state) => {
    const call = { name: 'get_catalog_item', arguments: { asin: 'B0SBX00001' } };
    const busy = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call });
    // A host in a process of its own: starts the server over pipes, tells its pid, and waits to be killed.
    const host = spawn(
      process.execPath,
      ['--input-type=module', '-e', HOST, PROGRAM, ...outside.args, ...(state === 'idle' ? [] : [busy])],
      { env: { PATH: process.env.PATH ?? '', ...outside.env }, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    outside.sandbox.faults.clear();
    if (state !== 'idle') outside.sandbox.faults.next({ operation: 'getCatalogItem', delayMs: 10_000 });
    const [pid] = await once(host.stdout, 'data');
    await sleep(400);
    expect(isRunning(Number(pid))).toBe(true);
    await kill(host);
    await expect.poll(() => isRunning(Number(pid)), { timeout: 4_000, interval: 50 }).toBe(false);
    outside.sandbox.faults.clear();
  });
});

const HOST = `
import { spawn } from 'node:child_process';
const [program, ...rest] = process.argv.slice(1);
const call = rest.at(-1).startsWith('{') ? rest.pop() : undefined;
const server = spawn(process.execPath, [program, ...rest], { stdio: ['pipe', 'pipe', 'ignore'] });
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }) + '\\n');
server.stdout.once('data', () => {
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) + '\\n');
  if (call !== undefined) server.stdin.write(call + '\\n');
  console.log(server.pid);
});
setInterval(() => {}, 1000);
`;

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | 'still running'> {
  return Promise.race([work, sleep(ms, 'still running' as const, { ref: false })]);
}
