import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { call, type Reply, start, tokens, US } from '../helpers.ts';

const CA = 'A2EUQ1WTGCTBG2';
const MX = 'A1AM78C64UM0Y8';

async function get(
  sandbox: Sandbox,
  sku: string,
  query: string,
  sellerId = sandbox.sellerId,
): Promise<Reply> {
  const { access: token } = await tokens(sandbox);
  const path = `/listings/2021-08-01/items/${sellerId}/${encodeURIComponent(sku)}?${query}`;
  return call(sandbox, path, { token });
}

describe('getListingsItem', () => {
  it('answers with summaries unless told otherwise', async () => {
    const { status, body } = await get(await start(), 'MUG-SAND-350', `marketplaceIds=${US}`);
    expect(status).toBe(200);
    expect(Object.keys(Object(body))).toEqual(['sku', 'summaries']);
  });

  it('answers with what includedData names, as a list or repeated', async () => {
    const sandbox = await start();
    for (const included of ['includedData=issues,offers', 'includedData=issues&includedData=offers']) {
      const { body } = await get(sandbox, 'LAMP-OAK-E27', `marketplaceIds=${US}&${included}`);
      expect(Object.keys(Object(body))).toEqual(['sku', 'issues', 'offers']);
    }
    const { body } = await get(sandbox, 'LAMP-OAK-E27', `marketplaceIds=${US}&includedData=productTypes`);
    expect(body).toMatchObject({ productTypes: [{ marketplaceId: US, productType: 'LAMP' }] });
  });

  it('narrows everything to the marketplaces asked for', async () => {
    const sandbox = await start();
    const included = 'includedData=summaries,issues,offers';
    const ca = await get(sandbox, 'THROW-HB-130', `marketplaceIds=${CA}&${included}`);
    expect(ca.body).toMatchObject({ issues: [{ code: '100521' }], offers: [{ marketplaceId: CA }] });
    const both = await get(sandbox, 'THROW-HB-130', `marketplaceIds=${CA},${MX}&${included}`);
    expect(both.body).toMatchObject({
      summaries: [{ marketplaceId: CA }, { marketplaceId: MX }],
      issues: [{ code: '90220' }, { code: '100521' }],
    });
  });

  it('finds a SKU that has to be encoded', async () => {
    const { body } = await get(await start(), 'SET/KNIFE 6+1', `marketplaceIds=${US}&includedData=issues`);
    expect(body).toMatchObject({ sku: 'SET/KNIFE 6+1', issues: { length: 60 } });
  });

  it('refuses what the public service refuses', async () => {
    const sandbox = await start();
    const status = async (...args: [string, string, string?]): Promise<number> =>
      (await get(sandbox, ...args)).status;
    expect(await status('NOT-THERE', `marketplaceIds=${US}`)).toBe(404);
    expect(await status('MUG-SAND-350', `marketplaceIds=${CA}`)).toBe(404);
    expect(await status('MUG-SAND-350', '')).toBe(400);
    expect(await status('MUG-SAND-350', `marketplaceIds=${US}&includedData=everything`)).toBe(400);
    expect(await status('MUG-SAND-350', `marketplaceIds=${US}`, 'A9SOMEONEELSE')).toBe(403);
  });
});

describe('getMarketplaceParticipations', () => {
  it('lists where the seller sells', async () => {
    const sandbox = await start();
    const { access: token } = await tokens(sandbox);
    const { body } = await call(sandbox, '/sellers/v1/marketplaceParticipations', { token });
    expect(body).toMatchObject({ payload: { length: 4, 0: { marketplace: { id: sandbox.marketplaceId } } } });
  });
});
