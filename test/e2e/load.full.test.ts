/** Much at once on the spawned program: big arguments, many requests, a slow reader, storms of cancellations. */

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { startRawServer } from '../helpers/raw-server.ts';
import { CLIENT_KINDS, connect, type Session } from '../helpers/sessions.ts';

const WAREHOUSE = 'c81d4e2e-0b6f-4f57-8a3d-91e7d5b20c44';
let outside: Outside;
beforeAll(async () => {
  outside = await startOutside({ rotate: false });
});
afterAll(() => outside.close());

const withSession = async (
  use: (session: Session) => Promise<void>,
  more: Parameters<typeof connect>[0] = {},
) => {
  const session = await connect({ spawn: true, args: outside.args, env: outside.env, ...more });
  try {
    await use(session);
  } finally {
    await session.close();
  }
};

it('arguments of 1 MB: previewed within the budget, written whole, the server responsive', async () => {
  await withSession(
    async (session) => {
      const alias = `${'A very long name. '.repeat(58_000)}!`;
      const preview = await session.call('update_supply_source', {
        supplySourceId: SHOP,
        alias,
        dryRun: true,
      });
      expect(preview.isError).toBe(false);
      expect(Buffer.byteLength(preview.text) / 3).toBeLessThan(10_000);
      const done = await session.call('update_supply_source', { supplySourceId: SHOP, alias });
      expect(done.structured).toMatchObject({ outcome: 'done', read_back: { matches: true } });
      expect(outside.sandbox.written(SHOP)).toEqual({ alias });
    },
    { args: [...outside.args, '--writes=allow'] },
  );
});

describe('1 MB in the wrong place', () => {
  let session: Session;
  beforeAll(async () => {
    session = await connect({ spawn: true, args: outside.args, env: outside.env });
  });
  afterAll(() => session.close());

  it.each([
    ['get_catalog_item', { asin: 'B'.repeat(1_000_000) }],
    ['read_operation', { operation: 'x'.repeat(1_000_000) }],
    [
      'read_operation',
      { operation: 'getSupplySource', parameters: { supplySourceId: '/'.repeat(1_000_000) } },
    ],
    ['read_operation', { operation: 'getSupplySources', select: ['a.'.repeat(500_000)] }],
    ['list_known_operations', { search: 'x y '.repeat(250_000) }],
    ['update_supply_source', { supplySourceId: SHOP, changes: { alias: { x: 'y'.repeat(1_000_000) } } }],
    ['update_supply_source', { supplySourceId: SHOP, confirmationCode: 'x'.repeat(1_000_000), alias: 'a' }],
    ['exchange_token', { account: 'x'.repeat(1_000_000) }],
  ])('%s answers shortly and promptly', async (name, args) => {
    const started = performance.now();
    const { text, structured } = await session.call(name, args);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(text.length + JSON.stringify(structured).length).toBeLessThan(60_000);
  });
});

it.each(CLIENT_KINDS)('1,000 requests in flight from %s are all answered', async (kind) => {
  await withSession(
    async (session) => {
      const parameters = { supplySourceId: WAREHOUSE };
      const calls = Array.from({ length: 1_000 }, (_, at) =>
        at % 2 === 0
          ? session.call('read_operation', { operation: 'getSupplySource', parameters })
          : session.call('describe_operation', { operation: 'getListingsItem' }),
      );
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([]);
      expect(outcomes[0]?.structured).toMatchObject({ value: { supplySourceId: WAREHOUSE } });
      expect(outcomes[999]?.structured).toMatchObject({ id: 'listings-items/getListingsItem' });
    },
    { kind },
  );
});

it('a reader that stops while 500 answers are due gets all of them, whole and once, when it goes on', async () => {
  const server = startRawServer(outside.args, outside.env);
  try {
    await server.initialize();
    server.child.stdout.pause();
    const before = server.lines.length;
    const params = { name: 'list_known_operations', arguments: { search: 'get', limit: 60 } };
    const answers = Array.from({ length: 500 }, () => server.request('tools/call', params));
    await sleep(1_500);
    expect(server.lines.length - before).toBeLessThan(500);
    expect(server.child.exitCode).toBeNull();
    server.child.stdout.resume();
    const all = await Promise.all(answers);
    const sizes = all.map((answer) => JSON.stringify(answer).length);
    expect(Math.min(...sizes)).toBeGreaterThan(15_000);
    expect(new Set(all.map((answer) => JSON.stringify(answer.result))).size).toBe(1);
    expect(server.lines.length - before).toBe(500);
  } finally {
    await server.stop();
  }
});

it('of a client that asks 5,000 times and never reads, no more is read than fits; then all are answered', {
  timeout: 240_000,
}, async () => {
  const server = startRawServer(outside.args, outside.env);
  try {
    await server.initialize();
    server.child.stdout.pause();
    const params = { name: 'list_known_operations', arguments: { search: 'get', limit: 60 } };
    const answers = Array.from({ length: 5_000 }, () => server.request('tools/call', params));
    // Once the program has read what it reads, what it left stays where it is.
    let left = -1;
    await vi.waitFor(
      () => {
        const before = left;
        left = server.child.stdin.writableLength;
        expect(left).toBe(before);
      },
      { timeout: 20_000, interval: 1_000 },
    );
    expect(left).toBeGreaterThan(200_000);
    expect(memoryOf(server.child.pid)).toBeLessThan(350);
    server.child.stdout.resume();
    await Promise.all(answers);
    expect(server.stderr()).toBe('');
  } finally {
    await server.stop();
  }
});

/** Most memory that a process ever held, in MB; 0 where the system does not tell. */
function memoryOf(pid = 0): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

it.each(CLIENT_KINDS)(
  'storms of cancellations from %s: every open call is closed at the service',
  async (kind) => {
    let opened = 0;
    let closed = 0;
    let slow = false;
    const service: HttpService = await startHttpService(({ path }, response) => {
      if (path === '/auth/o2/token')
        return { body: { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 } };
      if (!slow) return { body: { supplySources: [] } };
      opened += 1;
      response.once('close', () => {
        closed += 1;
      });
      return undefined;
    });
    const env = { ...outside.env, SELLER_BASE_URL: service.url, SELLER_AUTH_URL: service.url };
    const call = (session: Session, signal?: AbortSignal) =>
      session.call(
        'read_operation',
        { operation: 'getSupplySources' },
        signal === undefined ? {} : { signal },
      );
    try {
      await withSession(
        async (session) => {
          expect((await call(session)).isError).toBe(false);
          slow = true;
          for (let storm = 1; storm <= 3; storm++) {
            const callers = Array.from({ length: 200 }, () => new AbortController());
            const calls = callers.map(({ signal }) => call(session, signal));
            await expect.poll(() => opened).toBeGreaterThanOrEqual(64 * storm);
            for (const caller of callers) caller.abort(new Error('enough'));
            const outcomes = await Promise.allSettled(calls);
            expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
            await expect.poll(() => opened - closed).toBe(0);
          }
          slow = false;
          expect((await call(session)).isError).toBe(false);
          expect(session.stderr()).toBe('');
        },
        { kind, env },
      );
      // The calls that waited for a socket when they were cancelled never reached the service.
      expect(opened).toBeLessThan(3 * 200);
    } finally {
      await service.close();
    }
  },
);

it('calls cancelled before, during and after their answers leave the server healthy', async () => {
  await withSession(async (session) => {
    const calls = Array.from({ length: 300 }, async (_, at) => {
      const caller = new AbortController();
      const pending = session.call('get_catalog_item', { asin: 'B0SBX00002' }, { signal: caller.signal });
      setTimeout(() => caller.abort(), at % 60);
      return pending.then(
        () => 'answered',
        () => 'cancelled',
      );
    });
    expect((await Promise.all(calls)).length).toBe(300);
    expect((await session.call('get_catalog_item', { asin: 'B0SBX00002' })).isError).toBe(false);
    expect(session.stderr()).toBe('');
  });
});
