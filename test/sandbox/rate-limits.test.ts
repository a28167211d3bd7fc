import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimits, formatRate, refill } from '../../sandbox/rate-limits.ts';
import { call, catalogPath, firstError, start, tokens } from './helpers.ts';

describe('over HTTP', () => {
  it('lets the burst through, answers 429, and lets one through when its time has come', async () => {
    let now = 1_000_000;
    const limit = { requestsPerSecond: 0.5, burst: 3 };
    const sandbox = await start({ rateLimits: { getCatalogItem: limit }, now: () => now });
    const { access: token } = await tokens(sandbox);
    const get = () => call(sandbox, catalogPath('B0SBX00001'), { token });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await get()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    now += 1999;
    const limited = await get();
    expect([limited.status, firstError(limited).code]).toEqual([429, 'QuotaExceeded']);
    expect(limited.headers.get('x-svc-RateLimit-Limit')).toBe('0.5');
    expect(limited.headers.get('retry-after')).toBeNull();
    now += 1;
    expect((await get()).status).toBe(200);
    const counts = { calls: 7, succeeded: 4, rateLimited: 3, failed: 0 };
    expect(sandbox.stats()).toMatchObject({ rateLimited: 3, operations: { getCatalogItem: counts } });
  });

  it('limits each operation by itself', async () => {
    const rateLimits = { '*': { requestsPerSecond: 0.1, burst: 1 } };
    const sandbox = await start({ rateLimits, now: () => 5 });
    const { access: token } = await tokens(sandbox);
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token })).status).toBe(200);
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token })).status).toBe(429);
    expect((await call(sandbox, '/sellers/v1/marketplaceParticipations', { token })).status).toBe(200);
  });

  it('limits an operation as the facts say, unless the sandbox has a limit of its own', async () => {
    const sandbox = await start({ now: () => 5 });
    const { access: token } = await tokens(sandbox);
    const limitAt = async (path: string, method = 'GET') =>
      (await call(sandbox, path, { token, method })).headers.get('x-svc-RateLimit-Limit');
    expect(await limitAt('/shipping/v2/oneClickShipment', 'POST')).toBe('80.0');
    expect(await limitAt('/feeds/2021-06-30/feeds')).toBe('0.0222');
    expect(await limitAt(catalogPath('B0SBX00001'))).toBe('5.0');
    expect(await limitAt('/supplySources/2020-07-01/supplySources')).toBe('5.0');
    expect(await limitAt('/tax/invoices/2024-06-19/invoices')).toBeNull();
  });

  it('limits nothing when told so, and a call with a bad token costs nothing', async () => {
    const free = await start({ rateLimits: false });
    const { access: token } = await tokens(free);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => call(free, catalogPath('B0SBX00001'), { token })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies[0]?.headers.get('x-svc-RateLimit-Limit')).toBeNull();

    const tight = await start({ rateLimits: { getCatalogItem: { requestsPerSecond: 0.01, burst: 1 } } });
    await call(tight, catalogPath('B0SBX00001'), { token: 'bad' });
    const { access } = await tokens(tight);
    expect((await call(tight, catalogPath('B0SBX00001'), { token: access })).status).toBe(200);
  });
});

describe('the bucket', () => {
  it('never lets more through than burst plus refill, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 60 }),
        (requestsPerSecond, burst, steps) => {
          let now = 1_000_000;
          let forward = 0;
          let passed = 0;
          const limits = createRateLimits({ op: { requestsPerSecond, burst } }, () => now);
          for (const step of steps) {
            now += step;
            forward += Math.max(0, step);
            if (limits.take('op')) passed += 1;
          }
          expect(passed).toBeLessThanOrEqual(burst + (forward / 1000) * requestsPerSecond + 1e-6);
        },
      ),
    );
  });

  it('refills to its burst and no further', () => {
    const limit = { requestsPerSecond: 2, burst: 4 };
    expect(refill({ tokens: 0, at: 0 }, limit, 500)).toEqual({ tokens: 1, at: 500 });
    expect(refill({ tokens: 0, at: 0 }, limit, 60_000)).toEqual({ tokens: 4, at: 60_000 });
    expect(refill({ tokens: 1, at: 1_000 }, limit, 0)).toEqual({ tokens: 1, at: 0 });
  });

  it('prefers a name given over `*`, and `*` over a default', () => {
    const slow = { requestsPerSecond: 0.1, burst: 1 };
    const own = { requestsPerSecond: 9, burst: 9 };
    const limits = createRateLimits({ '*': slow, getSupplySource: own }, () => 0);
    expect(limits.limitOf('getSupplySource')).toBe(own);
    expect(limits.limitOf('getCatalogItem')).toBe(slow);
    expect(createRateLimits({}, () => 0).limitOf('createReportSchedule')).toBeUndefined();
  });

  it('tells whole rates with a fraction, as the public service does', () => {
    const format = (requestsPerSecond: number) => formatRate({ requestsPerSecond, burst: 1 });
    expect([format(5), format(0.0167), format(0.5)]).toEqual(['5.0', '0.0167', '0.5']);
  });
});
