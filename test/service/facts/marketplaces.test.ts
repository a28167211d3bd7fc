import { expect, test } from 'vitest';
import { marketplaceName, marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { addressesFor } from '../../../src/service/facts/regions.ts';

test('codes and ids are unique, and each id has its country', () => {
  const all = marketplaces();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ country }) => country)).size).toBe(all.length);
  for (const { id, country } of all) {
    expect(id).toMatch(/^A[0-9A-Z]{11,13}$/);
    expect(marketplaceName(id)).toBe(country);
  }
});

test.each([
  ['US', 'ATVPDKIKX0DER', 'na'],
  ['GB', 'A1F83G8C2ARO7P', 'eu'],
  ['JP', 'A1VC38T7YXB528', 'fe'],
])('%s', (country, id, region) => {
  expect(marketplaces()).toContainEqual({ country, id, region });
});

test('anything else has no name', () => {
  expect(marketplaceName('XX')).toBeUndefined();
  expect(marketplaceName('constructor')).toBeUndefined();
});

test('addresses of a region and of its sandbox', () => {
  expect(addressesFor('eu', false)).toEqual({
    baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    authUrl: 'https://api.amazon.com',
  });
  expect(addressesFor('fe', true).baseUrl).toBe('https://sandbox.sellingpartnerapi-fe.amazon.com');
});
