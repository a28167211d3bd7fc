/** Translations between the versions of reading operations: each is a call that the checks accept, and none is forgotten. */

import { expect, it } from 'vitest';
import { knownValues } from '../../../src/service/describe/generated/known-values.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { otherVersions, versionedName, versionsOf } from '../../../src/service/facts/versions.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

/** Reading operations of groups with several versions that no other version can stand for, and why. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  'finance/getInvoice': 'the only version with invoices',
  'finance/getInvoiceHeaders': 'the only version with invoices',
  'finance/listBalances': 'the only version with balances',
  'finance/listFinancialEventGroups': 'the newer version lists no groups',
  'finance/listSummary': 'the only version with sums',
  'inbound-fulfilment/*': 'shipments of the versions are known by other ids',
  'orders/getOrderRegulatedInfo': 'the only version with regulated products',
  'outbound-fulfilment/*': 'the newer version has ids and bodies of its own',
  'product-pricing/getCompetitiveSummary': 'a list, for which an older version takes a call each',
  'product-pricing/getFeaturedOfferExpectedPriceBatch': 'the only version with expected prices',
  'product-pricing/getItemOffersBatch': 'a list; each of its requests has a call of its own',
  'product-pricing/getListingOffers': 'the newer version takes ASINs, no SKUs',
  'product-pricing/getListingOffersBatch': 'a list; each of its requests has a call of its own',
  'shipment-invoice/*': 'one version is for Brazil, the other for deliveries',
  'shipping/*': 'labels, rates and accounts of the versions are not the same',
  'vendor-direct-fulfilment/*': 'each operation has one version',
};

const registry = await loadRegistry();

const groupOf = ({ id }: Operation) => id.slice(0, id.indexOf('/'));

it('has a counterpart, or a reason for none, for each read of a group with several versions', () => {
  const reads = registry.operations.filter(({ effect }) => effect === 'read');
  const several = reads.filter(
    (one) =>
      new Set(reads.filter((other) => groupOf(other) === groupOf(one)).map(({ version }) => version)).size >
      1,
  );
  const forgotten = several.filter(
    (one) =>
      versionsOf(one.id).length === 0 &&
      WITHOUT_COUNTERPART[one.id] === undefined &&
      WITHOUT_COUNTERPART[`${groupOf(one)}/*`] === undefined,
  );
  expect(forgotten.map(({ id }) => id)).toEqual([]);
});

/** A value that fits the parameter. */
const sampleOf = ({ name, schema }: Operation['parameters'][number]): unknown => {
  if (/after|before|date/i.test(name)) return '2026-11-01T00:00:00Z';
  const value = schema.items?.enum?.[0] ?? schema.enum?.[0] ?? 'A1PA6795UKMFR9';
  return schema.type === 'array' ? [value] : schema.type === 'integer' ? 20 : value;
};

it('translates into parameters that the other version has, and gives it all that it requires', () => {
  const translated = registry.operations.filter(({ id }) => versionsOf(id).length > 0);
  expect(translated.length).toBeGreaterThan(10);
  const reached = new Set<string>();
  for (const operation of translated) {
    const required = operation.parameters.filter((parameter) => parameter.required);
    const names = [[], ...operation.parameters.map((parameter) => [parameter])];
    for (const more of names) {
      const given = Object.fromEntries([...required, ...more].map((one) => [one.name, sampleOf(one)]));
      const related = ['ORDER_ID', 'FINANCIAL_EVENT_GROUP_ID'].map((relatedIdentifierName) => ({
        ...given,
        relatedIdentifierName,
        relatedIdentifierValue: '1',
      }));
      const asked = operation.id === 'finance/listTransactions' ? [given, ...related] : [given];
      for (const call of asked.flatMap((parameters) => otherVersions(operation.id, parameters))) {
        reached.add(`${operation.id} ${call.operation}`);
        const other = registry.find(call.operation);
        const known = new Map(other.parameters.map((one) => [one.name, one]));
        for (const name of Object.keys(call.parameters)) expect([...known.keys()]).toContain(name);
        const missing = other.parameters
          .filter(({ name, required: isNeeded }) => isNeeded && call.parameters[name] === undefined)
          .map(({ name }) => name);
        // An account fills its marketplace in.
        expect(missing.filter((name) => name !== 'MarketplaceIds')).toEqual([]);
      }
    }
  }
  const pairs = translated.flatMap(({ id }) => versionsOf(id).map((to) => `${id} ${to}`));
  expect([...reached].sort()).toEqual([...new Set(pairs)].sort());
});

it.each([
  ['fulfillmentStatuses', 'OrderStatuses'],
  ['fulfilledBy', 'FulfillmentChannels'],
])('spells each value of %s as one that %s takes, and back', (now, before) => {
  const search = registry.find('orders/searchOrders');
  const asked = { [now]: search.parameters.find(({ name }) => name === now)?.schema.items?.enum };
  const [call] = otherVersions(search.id, asked);
  const taken = (knownValues['orders/getOrders']?.[before] ?? '').split(', ').map((one) => one.split(' ')[0]);
  expect(taken).toEqual(expect.arrayContaining([call?.parameters[before]].flat()));
  expect(otherVersions('orders/getOrders', call?.parameters ?? {})).toEqual([
    { operation: search.id, parameters: asked },
  ]);
});

it('offers nothing where a part of the question would get lost', () => {
  expect(otherVersions('orders/getOrders', { BuyerEmail: 'x', CreatedAfter: '2026-11-01' })).toEqual([]);
  expect(otherVersions('orders/searchOrders', { createdAfter: 'a', paginationToken: 'b' })).toEqual([]);
  expect(otherVersions('catalog-items/getCatalogItem', { asin: 'B0' })).toEqual([]);
});

it('names the version of an operation in a way that finds it', () => {
  for (const operation of registry.operations.filter(({ version }) => version !== undefined))
    expect(registry.find(versionedName(operation)).id).toBe(operation.id);
});
