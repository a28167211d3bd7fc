import { expect, test } from 'vitest';
import { groups } from '../../../src/service/facts/generated/groups.ts';
import { documentEntries } from '../../../src/service/facts/groups.ts';

const documentGroups = groups.filter(({ names }) => names !== undefined);

test('27 groups with 203 entries, every one of them read from the notation', () => {
  expect(documentGroups).toHaveLength(27);
  expect(documentEntries).toHaveLength(203);
  expect(documentEntries.filter(({ name }) => !/^[A-Za-z]+$/.test(name))).toEqual([]);
});

test('slugs and names of groups are unique, and slugs are fit for ids', () => {
  expect(new Set(documentGroups.map(({ slug }) => slug)).size).toBe(27);
  expect(new Set(documentGroups.map(({ name }) => name)).size).toBe(27);
  expect(documentGroups.filter(({ slug }) => !/^[a-z0-9-]+$/.test(slug))).toEqual([]);
});

test('only the three Shipping names stand twice', () => {
  const keys = documentEntries.map(({ group, name }) => `${group.slug}/${name}`);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index).sort();
  expect(twice).toEqual(['shipping/cancelShipment', 'shipping/getRates', 'shipping/purchaseShipment']);
});

test('methods where the document gives them, deprecation and withdrawal as section 4.2 says', () => {
  expect(documentEntries.filter(({ method }) => method !== undefined)).toHaveLength(16);
  const catalog = documentEntries.filter(({ group }) => group.slug === 'catalog-v0');
  expect(catalog.map(({ name, deprecated, withdrawn }) => [name, deprecated, withdrawn])).toEqual([
    ['listCatalogItems', true, true],
    ['getCatalogItem', true, true],
    ['listCatalogCategories', false, false],
  ]);
  const pricing = documentEntries.filter(({ group }) => group.slug === 'product-pricing');
  expect(pricing.filter(({ deprecated }) => deprecated)).toHaveLength(6);
});

test('version markers of section 9', () => {
  const marked = documentGroups.filter(({ version }) => version !== undefined);
  expect(marked.map(({ slug, version }) => [slug, version])).toEqual([
    ['catalog-items', '2022-04-01'],
    ['catalog-v0', 'v0'],
    ['supply-sources', '2020-07-01'],
  ]);
});
