import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { firstError, NOON, type SignedIn, signIn, US } from '../helpers.ts';

const BASE = '/fba/inventory/v1/summaries?granularityType=Marketplace';
const path = `${BASE}&granularityId=${US}&marketplaceIds=${US}`;
const quantities = z.looseObject({
  fulfillableQuantity: z.int(),
  inboundWorkingQuantity: z.int(),
  inboundShippedQuantity: z.int(),
  inboundReceivingQuantity: z.int(),
  reservedQuantity: z.looseObject({ totalReservedQuantity: z.int() }),
  unfulfillableQuantity: z.looseObject({ totalUnfulfillableQuantity: z.int() }),
});
const pageSchema = z.looseObject({
  pagination: z.looseObject({ nextToken: z.string() }).optional(),
  payload: z.looseObject({
    inventorySummaries: z.array(
      z.looseObject({
        sellerSku: z.string(),
        totalQuantity: z.int(),
        inventoryDetails: quantities.optional(),
      }),
    ),
  }),
});
const readPage = (body: unknown) => {
  const { payload, pagination } = pageSchema.parse(body);
  return { items: payload.inventorySummaries, next: pagination?.nextToken };
};
const all = ({ pages }: SignedIn, query = '') => pages(`${path}${query}`, 'nextToken', readPage);

describe('getInventorySummaries', () => {
  it('gives every product in the warehouses once, over several pages', async () => {
    const { items, calls } = await all(await signIn());
    expect(new Set(items.map(({ sellerSku }) => sellerSku)).size).toBe(items.length);
    expect(items.length).toBeGreaterThan(100);
    expect(calls).toBe(Math.ceil(items.length / 50));
    expect(items[0]).not.toHaveProperty('inventoryDetails');
  });

  it('gives quantities that add up, and those that a listing states itself', async () => {
    const { items } = await all(await signIn(), '&details=true');
    for (const { totalQuantity, inventoryDetails: details } of items) {
      const parts = quantities.parse(details);
      const inbound =
        parts.inboundWorkingQuantity + parts.inboundShippedQuantity + parts.inboundReceivingQuantity;
      const held =
        parts.reservedQuantity.totalReservedQuantity + parts.unfulfillableQuantity.totalUnfulfillableQuantity;
      expect(parts.fulfillableQuantity + inbound + held).toBe(totalQuantity);
    }
    const mug = items.find(({ sellerSku }) => sellerSku === 'MUG-SAND-350');
    expect(mug?.inventoryDetails?.fulfillableQuantity).toBe(240);
  });

  it('takes a token for 30 seconds', async () => {
    let now = NOON;
    const { get } = await signIn({ now: () => now });
    const { next } = readPage((await get(path)).body);
    now += 30_000;
    expect((await get(`${path}&nextToken=${next}`)).status).toBe(200);
    now += 1;
    const late = await get(`${path}&nextToken=${next}`);
    expect(late.status).toBe(400);
    expect(firstError(late).details).toBe('nextToken: has expired 30 seconds after it was given out.');
  });

  it('narrows by SKU', async () => {
    const { items } = await all(await signIn(), '&sellerSkus=MUG-SAND-350,SHLF-OAK-S,KETL-OAK-S');
    expect(items.map(({ sellerSku }) => sellerSku)).toEqual(['MUG-SAND-350', 'SHLF-OAK-S']);
  });

  it.each([
    `${BASE}&granularityId=${US}`,
    `${BASE}&granularityId=X&marketplaceIds=${US}`,
    `/fba/inventory/v1/summaries?granularityId=${US}&marketplaceIds=${US}`,
    `${path}&nextToken=abc`,
  ])('refuses %s', async (wrong) => {
    const { get } = await signIn();
    expect((await get(wrong)).status).toBe(400);
  });
});
