import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { firstError, type SignedIn, signIn, US } from '../helpers.ts';

const pageSchema = z.looseObject({
  numberOfResults: z.int(),
  pagination: z
    .looseObject({ nextToken: z.string().optional(), previousToken: z.string().optional() })
    .optional(),
  items: z.array(
    z.looseObject({
      sku: z.string(),
      summaries: z.array(z.looseObject({ status: z.array(z.string()).optional() })).optional(),
      issues: z.array(z.looseObject({ severity: z.string() })).optional(),
    }),
  ),
});

const pathOf = ({ sandbox }: SignedIn, query: string, marketplaceId = US): string =>
  `/listings/2021-08-01/items/${sandbox.sellerId}?marketplaceIds=${marketplaceId}${query}`;

const readPage = (body: unknown) => {
  const { items, pagination } = pageSchema.parse(body);
  return { items, next: pagination?.nextToken };
};

async function search(signedIn: SignedIn, query: string) {
  return pageSchema.parse((await signedIn.get(pathOf(signedIn, query))).body);
}

describe('searchListingsItems', () => {
  it('gives every listing once, ten a page or as many as asked for up to 20', async () => {
    const signedIn = await signIn();
    const first = await search(signedIn, '');
    expect([first.items.length, first.numberOfResults]).toEqual([10, 259]);
    expect(first.pagination?.previousToken).toBeUndefined();
    const { items, calls } = await signedIn.pages(pathOf(signedIn, '&pageSize=20'), 'pageToken', readPage);
    expect([new Set(items.map(({ sku }) => sku)).size, items.length, calls]).toEqual([259, 259, 13]);
  });

  it('goes back by the previous token', async () => {
    const signedIn = await signIn();
    const first = await search(signedIn, '&pageSize=5');
    const second = await search(signedIn, `&pageSize=5&pageToken=${first.pagination?.nextToken}`);
    const back = await search(signedIn, `&pageSize=5&pageToken=${second.pagination?.previousToken}`);
    expect(back.items).toEqual(first.items);
  });

  it('finds what getListingsItem has, in the parts asked for', async () => {
    const signedIn = await signIn();
    const parts = '&includedData=summaries,issues,offers,fulfillmentAvailability,attributes';
    const { items } = await search(
      signedIn,
      `&identifiers=LAMP-OAK-E27,000925,NOT-THERE&identifiersType=SKU${parts}`,
    );
    expect(items.map(({ sku }) => sku).sort()).toEqual(['000925', 'LAMP-OAK-E27']);
    for (const item of items) {
      const path = `/listings/2021-08-01/items/${signedIn.sandbox.sellerId}/${item.sku}?marketplaceIds=${US}${parts}`;
      expect((await signedIn.get(path)).body).toEqual(item);
    }
  });

  it('finds by ASIN and FNSKU, and each made listing in the catalog', async () => {
    const signedIn = await signIn();
    const byAsin = await search(signedIn, '&identifiers=B0SBW00003&identifiersType=ASIN');
    const byFnSku = await search(signedIn, '&identifiers=X0SBW00003&identifiersType=FNSKU');
    expect(byAsin.items).toEqual(byFnSku.items);
    expect(byAsin.items).toHaveLength(1);
    const catalog = await signedIn.get(`/catalog/v0/items/B0SBW00003?MarketplaceId=${US}`);
    expect(catalog.body).toMatchObject({ payload: { sku: byAsin.items[0]?.sku } });
  });

  it('filters by severity and status, and sorts', async () => {
    const signedIn = await signIn();
    const all = (query: string) =>
      signedIn.pages(
        pathOf(signedIn, `${query}&pageSize=20&includedData=summaries,issues`),
        'pageToken',
        readPage,
      );
    const { items: errors } = await all('&withIssueSeverity=ERROR');
    expect(errors.length).toBeGreaterThan(30);
    for (const { issues = [] } of errors) expect(issues.map(({ severity }) => severity)).toContain('ERROR');
    const { items: sold } = await all('&withStatus=BUYABLE');
    const { items: unsold } = await all('&withoutStatus=BUYABLE');
    expect(sold.length + unsold.length).toBe(259);
    const { items: sorted } = await all('&sortBy=sku&sortOrder=ASC');
    const skus = sorted.map(({ sku }) => sku);
    expect(skus).toEqual(skus.toSorted((a, b) => (a < b ? -1 : 1)));
    const { items: recent } = await all('&lastUpdatedAfter=2026-11-15T00:00:00Z');
    expect(recent.length).toBeGreaterThan(20);
    expect(recent.length).toBeLessThan(100);
  });

  it.each([
    ['&pageSize=21', 'pageSize'],
    ['&pageSize=0', 'pageSize'],
    ['&includedData=everything', 'includedData'],
    ['&identifiers=A', 'identifiersType'],
    ['&identifiersType=SKU', 'identifiersType'],
    [`&identifiersType=SKU&identifiers=${Array.from({ length: 21 }, (_, i) => `S${i}`)}`, '21'],
    ['&createdAfter=yesterday', 'createdAfter'],
    ['&pageToken=abc', 'pageToken'],
  ])('refuses %s', async (query, told) => {
    const signedIn = await signIn();
    const reply = await signedIn.get(pathOf(signedIn, query));
    expect([reply.status, firstError(reply).code]).toEqual([400, 'InvalidInput']);
    expect(firstError(reply).details).toContain(told);
  });

  it.each([
    ['&variationParentSku=A', 'with variationParentSku'],
    ['&identifiersType=EAN&identifiers=4006381333931', 'with identifiersType EAN'],
  ])('does not play %s', async (query, told) => {
    const signedIn = await signIn();
    const reply = await signedIn.get(pathOf(signedIn, query));
    expect([reply.status, firstError(reply).code]).toEqual([501, 'NotPlayed']);
    expect(firstError(reply).message).toContain(told);
  });

  it('refuses another seller, and finds nothing where the seller does not sell', async () => {
    const signedIn = await signIn();
    expect((await signedIn.get(`/listings/2021-08-01/items/A9OTHER?marketplaceIds=${US}`)).status).toBe(403);
    const { body } = await signedIn.get(pathOf(signedIn, '', 'A1F83G8C2ARO7P'));
    expect(body).toEqual({ numberOfResults: 0, items: [] });
  });

  it('sells in Germany where it was started so', async () => {
    const signedIn = await signIn({ countries: ['DE', 'US'] });
    const DE = signedIn.sandbox.marketplaceId;
    const { numberOfResults } = pageSchema.parse((await signedIn.get(pathOf(signedIn, '', DE))).body);
    expect(numberOfResults).toBe(250);
    const { body } = await signedIn.get('/sellers/v1/marketplaceParticipations');
    expect(body).toMatchObject({
      payload: { length: 5, 4: { marketplace: { id: DE, defaultCurrencyCode: 'EUR' } } },
    });
  });
});
