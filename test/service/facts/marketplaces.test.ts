import { expect, test } from 'vitest';
import { findMarketplace, marketplaces } from '../../../src/service/facts/marketplaces.ts';
import { addressesFor } from '../../../src/service/facts/regions.ts';

test('codes and ids are unique, and each finds its marketplace', () => {
  const all = marketplaces();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const marketplace of all) {
    expect(marketplace.id).toMatch(/^A[0-9A-Z]{11,13}$/);
    expect(findMarketplace(marketplace.country)).toEqual(marketplace);
    expect(findMarketplace(marketplace.id)).toEqual(marketplace);
  }
});

test.each([
  ['us', 'ATVPDKIKX0DER', 'na'],
  ['UK', 'A1F83G8C2ARO7P', 'eu'],
  ['GB', 'A1F83G8C2ARO7P', 'eu'],
  ['jp', 'A1VC38T7YXB528', 'fe'],
])('%s', (code, id, region) => {
  expect(findMarketplace(code)).toMatchObject({ id, region });
});

test('anything else is nothing', () => {
  expect(findMarketplace('XX')).toBeUndefined();
  expect(findMarketplace('constructor')).toBeUndefined();
});

test('addresses of a region and of its sandbox', () => {
  expect(addressesFor('eu', false)).toEqual({
    baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    authUrl: 'https://api.amazon.com',
  });
  expect(addressesFor('fe', true).baseUrl).toBe('https://sandbox.sellingpartnerapi-fe.amazon.com');
});
