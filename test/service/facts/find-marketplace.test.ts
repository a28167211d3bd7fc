/** A marketplace by id, code or name; what is none is refused, or goes out with a warning. */

import { describe, expect, it } from 'vitest';
import { findMarketplace } from '../../../src/service/facts/find-marketplace.ts';
import { marketplaces } from '../../../src/service/facts/marketplaces.ts';

const countryOf = (text: string) => {
  const found = findMarketplace(text);
  return found.kind === 'known' ? found.marketplace.country : found.kind;
};

describe('every marketplace is found', () => {
  it.each(marketplaces().map((one) => [one.country, one] as const))('%s', (_, one) => {
    const codes = new Intl.DisplayNames(['en'], { type: 'region' });
    const names = [one.id, one.id.toLowerCase(), one.country, one.country.toLowerCase(), one.name];
    const more = [one.name.toUpperCase(), ` ${one.name} `, codes.of(one.country) ?? one.name];
    for (const name of [...names, ...more]) expect([name, countryOf(name)]).toEqual([name, one.country]);
  });

  it.each([
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['Great Britain', 'GB'],
    ['the United Kingdom', 'GB'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['United States of America', 'US'],
    ['united-states', 'US'],
    ['UAE', 'AE'],
    ['Turkey', 'TR'],
    ['TURKIYE', 'TR'],
    ['Holland', 'NL'],
    ['The Netherlands', 'NL'],
    ['deu', 'DE'],
    ['España', 'ES'],
    ['espana', 'ES'],
    ['Deutschland', 'DE'],
    ['Alemania', 'DE'],
    ['Francia', 'FR'],
    ['Estados Unidos', 'US'],
    ['Vereinigtes Königreich', 'GB'],
    ['Royaume-Uni', 'GB'],
    ['Italia', 'IT'],
    ['日本', 'JP'],
    ['スペイン', 'ES'],
    ['Polska', 'PL'],
    ['Nederland', 'NL'],
    ['Sverige', 'SE'],
    ['الإمارات العربية المتحدة', 'AE'],
  ])('%s', (name, country) => expect(countryOf(name)).toBe(country));
});

describe('what is plainly no marketplace is refused, with what may be meant', () => {
  it.each([
    ['Germny', 'Did you mean Germany (DE)?'],
    ['germny', 'Did you mean Germany (DE)?'],
    ['Untied Kingdom', 'Did you mean United Kingdom (GB)?'],
    ['Austria', 'names a country without a marketplace known here: "Austria". Known: United States,'],
    ['CH', 'names a country without a marketplace known here: "CH" (Switzerland).'],
    ['SWITZERLAND', 'without a marketplace'],
    ['Atlantis', '"Atlantis" is none. Known: United States,'],
    ['north of the wall', 'is none. Known:'],
    ['Österreich', 'names a country without a marketplace known here: "Österreich" (Austria).'],
    ['日曜日', 'is none. Known:'],
    ['XQ', 'is none. Known:'],
  ])('%s', (text, words) => {
    expect(findMarketplace(text)).toMatchObject({ kind: 'refused', problem: expect.stringContaining(words) });
  });
});

describe('what may be an id goes out as it is, with a warning', () => {
  it.each([
    'A2XZLSVIQ0F4JT',
    'AXXXXXXXXXER',
    'WRNGMRKTPLCE',
    'MARKETPLACE_ID',
    'TEST_CASE_400',
    '12345',
    '1',
    'invalid',
    'badMarketplace',
    'an-invalid-marketplace-id',
    'constructor',
    'A'.repeat(100_000),
  ])('%.40s', (text) => {
    const found = findMarketplace(text);
    expect(found.kind).toBe('unknown');
    expect(found).toHaveProperty('warning', expect.stringMatching(/^".{1,60}" is no marketplace known here/));
  });

  it('an id with a slip names the one that may be meant', () => {
    expect(findMarketplace('ATVPDKIKX0DEX')).toMatchObject({
      kind: 'unknown',
      warning:
        '"ATVPDKIKX0DEX" is no marketplace known here and is sent as it is. Did you mean United States (ATVPDKIKX0DER)?',
    });
  });
});
