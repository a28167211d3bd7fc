import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { HOSTILE_MESSAGES } from '../../../sandbox/fixtures/hostile-listing.ts';
import { buildListings } from '../../../sandbox/fixtures/listings.ts';
import { call, catalogPath, firstError, start, tokens, US } from '../helpers.ts';
import { itemSchema } from './documented-item.ts';

const bodySchema = z.object({ payload: itemSchema.optional(), errors: z.array(z.unknown()).optional() });

describe('getCatalogItem', () => {
  it('answers every listing in the documented shape, with the documented headers', async () => {
    const sandbox = await start({ rateLimits: { getCatalogItem: { requestsPerSecond: 5, burst: 100 } } });
    const { access: token } = await tokens(sandbox);
    for (const { asin, marketplaceIds, item } of buildListings(Date.now())) {
      const reply = await call(sandbox, catalogPath(asin, marketplaceIds[0]), { token });
      expect([asin, reply.status]).toEqual([asin, 200]);
      expect(bodySchema.parse(reply.body).payload?.sku).toBe(item.sku);
      expect(reply.headers.get('x-svc-RateLimit-Limit')).toBe('5.0');
      expect(reply.headers.get('x-svc-RequestId')).toMatch(/^[0-9a-f-]{36}$/);
      expect(reply.headers.get('content-type')).toBe('application/json');
    }
  });

  it('names its headers as the public service does', async () => {
    const sandbox = await start({ headerStyle: 'public' });
    const { access: token } = await tokens(sandbox);
    const { headers } = await call(sandbox, catalogPath('B0SBX00001'), { token });
    expect(headers.get('x-amzn-RequestId')).toMatch(/./);
    expect(headers.get('x-amzn-RateLimit-Limit')).toBe('5.0');
    expect(headers.get('x-svc-RateLimit-Limit')).toBeNull();
  });

  it.each([400, 401, 403, 404, 429, 500, 503])('answers %i to the ASIN that asks for it', async (status) => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    const reply = await call(sandbox, catalogPath(`B0ERROR${status}`), { token });
    expect(reply.status).toBe(status);
    expect(firstError(reply)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(JSON.stringify(reply.body)).not.toContain('expired');
  });

  it.each([
    ['an unknown ASIN', catalogPath('B0NOTTHERE'), 404],
    ['a listing that is not sold there', catalogPath('B0SBX00001', 'A1VC38T7YXB528'), 404],
    ['no MarketplaceId', '/catalog/v0/items/B0SBX00001', 400],
    ['an empty ASIN', `/catalog/v0/items/?MarketplaceId=${US}`, 400],
    ['an ASIN that cannot be one', `/catalog/v0/items/..%2Fx?MarketplaceId=${US}`, 400],
  ])('refuses %s', async (_what, path, status) => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    expect((await call(sandbox, path, { token })).status).toBe(status);
  });

  it('shows a suppressed listing with an exemption that still runs', async () => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    const { body } = await call(sandbox, catalogPath('B0SBX00002'), { token });
    const issues = bodySchema.parse(body).payload?.issues ?? [];
    expect(issues.map(({ severity }) => severity)).toEqual(['ERROR', 'ERROR', 'WARNING', 'WARNING']);
    const { actions, exemption } = issues[1]?.enforcements ?? {};
    expect(actions).toEqual([{ action: 'LISTING_SUPPRESSED' }]);
    expect(exemption?.status).toBe('EXEMPT');
    const days = (Date.parse(exemption?.expiryDate ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(20 - 1);
    expect(days).toBeLessThanOrEqual(21);
  });

  it('keeps the size, the errors, the hostile text and the digits of the special ones', async () => {
    const sandbox = await start();
    const { access } = await tokens(sandbox);
    const text = async (asin: string, marketplaceId?: string): Promise<string> => {
      const headers = { 'x-amz-access-token': access };
      return (await fetch(sandbox.baseUrl + catalogPath(asin, marketplaceId), { headers })).text();
    };
    const large = await text('B0SBX00004');
    expect(large.length).toBeGreaterThan(150 * 1024);
    expect(large.length).toBeLessThan(160 * 1024);
    expect(await text('B0SBX00004')).toBe(large);
    expect(JSON.parse(await text('B0SBX00005'))).toMatchObject({ payload: {}, errors: [{}, {}] });
    const hostile = bodySchema.parse(JSON.parse(await text('B0SBX00007'))).payload;
    expect(hostile?.issues?.map(({ message }) => message)).toEqual(HOSTILE_MESSAGES);
    const exact = await text('B0SBX00010', 'A1VC38T7YXB528');
    expect(exact).toContain('"value":9007199254740993');
    expect(exact).toContain('"value":0.12345678901234567890123');
  });
});
