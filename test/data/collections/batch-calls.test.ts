/** Many asked for at once: of any answer, in any order and with gaps, each gets its own or a reason. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildBatch, type One, readBatch } from '../../../src/data/collections/batch-calls.ts';
import { type BatchForm, batchForm } from '../../../src/service/facts/batches.ts';

const IDS = [
  'product-pricing/getListingOffers',
  'product-pricing/getItemOffers',
  'product-pricing/getFeaturedOfferExpectedPriceBatch',
  'fees/getMyFeesEstimateForSKU',
  'fees/getMyFeesEstimateForASIN',
  'listings-items/getListingsItem',
  'catalog-items/getCatalogItem',
];

const formOf = (id: string): BatchForm => {
  const form = batchForm(id);
  if (form === undefined) throw new Error(`${id} has no form for many`);
  return form;
};

/** The answer to one that was asked for, as the service gives it. */
function answerTo({ by, key }: BatchForm, id: string, isRefused: boolean): object {
  if (by.kind === 'identifiers') return { [key]: id, seen: id };
  if (by.kind === 'estimates') {
    return {
      Status: isRefused ? 'ClientError' : 'Success',
      FeesEstimateIdentifier: { IdValue: id },
      seen: id,
    };
  }
  const status = { statusCode: isRefused ? 400 : 200 };
  const value = isRefused ? { errors: [{ code: 'X', message: 'No' }] } : { payload: { seen: id } };
  return { request: { [key]: id }, status, body: isRefused ? value : { ...value, seen: id } };
}

it('each has its own answer, whatever their order and whatever is missing', () => {
  const one = fc.record({ at: fc.nat(1_000), fate: fc.constantFrom('answered', 'refused', 'missing') });
  const world = fc.record({
    id: fc.constantFrom(...IDS),
    asked: fc.uniqueArray(one, { minLength: 1, maxLength: 20, selector: ({ at }) => at }),
    order: fc.infiniteStream(fc.nat()),
  });
  fc.assert(
    fc.property(world, ({ id, asked, order }) => {
      const form = formOf(id);
      const { by } = form;
      const all: One[] = asked.map(({ at }) => ({
        parameters: { [form.key]: `S ${at}/x` },
        body: undefined,
        marketplaceId: 'A1PA6795UKMFR9',
      }));
      const told = asked
        .filter(({ fate }) => fate === 'answered' || (fate === 'refused' && by.kind !== 'identifiers'))
        .map(({ at, fate }) => ({
          at: order.next().value,
          answer: answerTo(form, `S ${at}/x`, fate === 'refused'),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ answer }) => answer);
      const body =
        by.kind === 'identifiers' ? { items: told } : by.kind === 'estimates' ? told : { responses: told };
      const outcomes = readBatch(form, body, all);
      expect(outcomes).toHaveLength(all.length);
      for (const [at, { fate, ...each }] of asked.entries()) {
        const outcome = outcomes[at];
        if (fate !== 'answered') expect(outcome).toHaveProperty('problem');
        else expect(outcome).toMatchObject({ items: [{ seen: `S ${each.at}/x` }] });
      }
    }),
  );
});

it('asks as the definitions say: addresses encoded, what is given before what is filled in', () => {
  const one = (parameters: One['parameters'], body?: unknown): One => ({
    parameters,
    body,
    marketplaceId: 'M',
  });
  expect(
    buildBatch(formOf('product-pricing/getListingOffers'), [
      one({ SellerSKU: 'A/1', MarketplaceId: 'N', ItemCondition: 'New' }),
    ]).body,
  ).toEqual({
    requests: [
      {
        MarketplaceId: 'N',
        ItemCondition: 'New',
        uri: '/products/pricing/v0/listings/A%2F1/offers',
        method: 'GET',
      },
    ],
  });
  expect(
    buildBatch(formOf('product-pricing/getCompetitiveSummary'), [one({}, { asin: 'B0' })]).body,
  ).toMatchObject({
    requests: [
      { asin: 'B0', marketplaceId: 'M', includedData: ['featuredBuyingOptions', 'referencePrices'] },
    ],
  });
  expect(
    buildBatch(formOf('listings-items/getListingsItem'), [
      one({ sku: 'A', marketplaceIds: ['M'] }),
      one({ sku: 'B', marketplaceIds: ['M'] }),
    ]).parameters,
  ).toEqual({ marketplaceIds: ['M'], identifiers: ['A', 'B'], identifiersType: 'SKU', pageSize: 20 });
});
