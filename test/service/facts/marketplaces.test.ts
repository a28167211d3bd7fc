import { expect, test } from 'vitest';
import {
  countryName,
  marketplaceById,
  marketplaceLabel,
  marketplaceName,
  marketplaces,
} from '../../../src/service/facts/marketplaces.ts';
import { addressesFor, regionOf } from '../../../src/service/facts/regions.ts';

test('codes, names and ids are unique, and each id has its country', () => {
  const all = marketplaces();
  expect(all).toHaveLength(23);
  for (const member of ['id', 'country', 'name'] as const) {
    expect(new Set(all.map((one) => one[member])).size).toBe(all.length);
  }
  for (const one of all) {
    expect(one.id).toMatch(/^A[0-9A-Z]{11,13}$/);
    expect(marketplaceById(one.id)).toBe(one);
  }
});

test.each([
  ['US', 'United States', 'ATVPDKIKX0DER', 'na'],
  ['GB', 'United Kingdom', 'A1F83G8C2ARO7P', 'eu'],
  ['JP', 'Japan', 'A1VC38T7YXB528', 'fe'],
])('%s', (country, name, id, region) => {
  expect(marketplaces()).toContainEqual(expect.objectContaining({ country, name, id, region }));
});

test('names are those of ISO 3166, as Node knows them too', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const others = marketplaces().filter(({ country, name }) => names.of(country) !== name);
  // Which of its two names Node gives depends on its version.
  expect(others.filter(({ country }) => country !== 'TR')).toEqual([]);
  expect(countryName('TR')).toBe('Türkiye');
  expect(countryName('AT')).toBe('Austria');
});

test('a name with its id, and as it stands in a sentence', () => {
  expect(marketplaceLabel('A1PA6795UKMFR9')).toBe('Germany (A1PA6795UKMFR9)');
  expect(marketplaceName('A1PA6795UKMFR9')).toBe('Germany');
  expect(marketplaceName('ATVPDKIKX0DER')).toBe('the United States');
});

test('anything else has no name', () => {
  expect(marketplaceName('XX')).toBeUndefined();
  expect(marketplaceName('constructor')).toBeUndefined();
  expect(marketplaceLabel('constructor')).toBeUndefined();
});

test('addresses of a region and of its sandbox, and back', () => {
  expect(addressesFor('eu', false)).toEqual({
    baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    authUrl: 'https://api.amazon.com',
  });
  expect(addressesFor('fe', true).baseUrl).toBe('https://sandbox.sellingpartnerapi-fe.amazon.com');
  expect(regionOf('https://sellingpartnerapi-eu.amazon.com')).toBe('eu');
  expect(regionOf('https://sandbox.sellingpartnerapi-fe.amazon.com')).toBe('fe');
  expect(regionOf('https://service.example')).toBeUndefined();
});
