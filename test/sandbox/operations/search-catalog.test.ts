import { expect, it } from 'vitest';
import * as z from 'zod';
import { firstError, type SignedIn, signIn, US } from '../helpers.ts';
import { findUndocumented } from './documented-answer.ts';

const ITEMS = '/catalog/2022-04-01/items';
const path = `${ITEMS}?marketplaceIds=${US}`;
const pageSchema = z.object({
  numberOfResults: z.int(),
  pagination: z.object({ nextToken: z.string().optional(), previousToken: z.string().optional() }),
  items: z.array(
    z.object({
      asin: z.string(),
      summaries: z.array(z.object({ itemName: z.string(), brand: z.string().optional() })),
    }),
  ),
});
const search = async ({ get }: SignedIn, query: string) =>
  pageSchema.parse((await get(`${path}&${query}`)).body);

it('finds products by all of their words, over pages', async () => {
  const signedIn = await signIn();
  const { items, calls } = await signedIn.pages(`${path}&keywords=oak&pageSize=5`, 'pageToken', (body) => {
    const page = pageSchema.parse(body);
    return { items: page.items, next: page.pagination.nextToken };
  });
  expect(calls).toBe(Math.ceil(items.length / 5));
  expect(new Set(items.map(({ asin }) => asin)).size).toBe(items.length);
  for (const { summaries } of items) expect(summaries[0]?.itemName).toMatch(/oak/i);
  const both = await search(signedIn, 'keywords=KETTLE%20oak');
  expect(both.numberOfResults).toBeGreaterThan(0);
  expect(both.numberOfResults).toBeLessThan(items.length);
});

it('narrows by brand, and finds what an ASIN or SKU names', async () => {
  const signedIn = await signIn();
  const ofBrand = await search(signedIn, 'keywords=oak&brandNames=Sandbox%20Home%20Goods');
  expect(ofBrand.items.map(({ asin }) => asin)).toEqual(['B0SBX00002']);
  expect((await search(signedIn, 'keywords=oak&brandNames=Nobody')).numberOfResults).toBe(0);
  const { get, sandbox } = signedIn;
  for (const query of [
    'identifiersType=ASIN&identifiers=B0SBX00001,B0NOSUCH01',
    `identifiersType=SKU&identifiers=MUG-SAND-350&sellerId=${sandbox.sellerId}`,
  ]) {
    const { items } = await search(signedIn, query);
    expect(items.map(({ asin }) => asin)).toEqual(['B0SBX00001']);
  }
  const parts = 'attributes,images,productTypes,relationships,salesRanks,summaries';
  const item = await get(`${ITEMS}/B0SBX00001?marketplaceIds=${US}&includedData=${parts}`);
  expect(await findUndocumented('catalog-items/getCatalogItem', item.body)).toEqual([]);
  expect(Object.keys(Object(item.body))).toEqual(['asin', ...parts.split(',')]);
  const found = await get(`${path}&keywords=mug&includedData=${parts}`);
  expect(await findUndocumented('catalog-items/searchCatalogItems', found.body)).toEqual([]);
});

it('has no product that an issue of the listing says was removed from the catalog', async () => {
  const signedIn = await signIn();
  const query = `identifiersType=SKU&sellerId=${signedIn.sandbox.sellerId}&identifiers`;
  for (const [sku, count] of [
    ['MIRR-STL-L', 0],
    ['MIRR-STL-S', 1],
  ] as const) {
    expect((await search(signedIn, `${query}=${sku}`)).numberOfResults, sku).toBe(count);
  }
});

it.each([
  [path, 400],
  [`${path}&keywords=oak&identifiers=B0SBX00001&identifiersType=ASIN`, 400],
  [`${path}&identifiers=4006381333931&identifiersType=EAN`, 501],
  [`${path}&identifiers=MUG-SAND-350&identifiersType=SKU`, 403],
  [`${path}&keywords=oak&classificationIds=1`, 501],
  [`${ITEMS}/B0NOSUCH01?marketplaceIds=${US}`, 404],
])('refuses %s with %i', async (wrong, status) => {
  const { get } = await signIn();
  const reply = await get(wrong);
  expect([reply.status, firstError(reply).code]).toEqual([status, expect.any(String)]);
});
