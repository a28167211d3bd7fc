/** Tests how account input is trimmed and checked: each field reports its first problem and never a value. */

import { describe, expect, it } from 'vitest';
import { parseAccountInput } from '../../src/accounts/account-input.ts';

const good = {
  clientId: 'amzn1.application-oa2-client.canary-id',
  clientSecret: 'amzn1.oa2-cs.v1.canary-secret',
  refreshToken: 'Atzr|canary-refresh',
};

const problemsOf = (given: unknown) => {
  const checked = parseAccountInput(given);
  if (checked.ok) throw new Error('expected problems');
  return checked.problems.map(({ path, message }) => [path, message]);
};

it('trims values, and takes empty optional ones as not given', () => {
  const padded = {
    ...good,
    clientId: ` ${good.clientId}\n`,
    region: 'na',
    sellerId: ' A1B2 ',
    marketplaceId: ' ',
  };
  expect(parseAccountInput(padded)).toEqual({
    ok: true,
    value: { ...good, region: 'na', sellerId: 'A1B2', marketplaceId: undefined },
  });
  expect(parseAccountInput(good)).toMatchObject({ ok: true, value: good });
});

it.each([
  ['clientId', undefined, 'The client ID is missing'],
  ['clientId', 7, 'The client ID is missing'],
  ['clientId', ' ', 'The client ID is missing'],
  ['clientSecret', undefined, 'The client secret is missing'],
  ['refreshToken', '', 'The refresh token is missing'],
  ['clientId', 'a b', 'The client ID holds a space, a line break or an unusual character; copy it once more'],
  [
    'clientSecret',
    'schlüssel',
    'The client secret holds a space, a line break or an unusual character; copy it once more',
  ],
  [
    'refreshToken',
    'a\nb',
    'The refresh token holds a space, a line break or an unusual character; copy it once more',
  ],
  ['clientId', 'x'.repeat(4097), 'The client ID is longer than 4096 characters, so it cannot be right'],
  ['clientId', 'amzn1.oa2-cs.v1.x', 'This is the client secret, not the client ID'],
  ['clientId', 'Atzr|x', 'This is the refresh token, not the client ID'],
  ['clientSecret', 'amzn1.application-oa2-client.x', 'This is the client ID, not the client secret'],
  ['clientSecret', 'Atzr|x', 'This is the refresh token, not the client secret'],
  [
    'refreshToken',
    'Atza|x',
    'This is an access token, which lasts an hour; the refresh token begins with Atzr|',
  ],
  ['refreshToken', 'amzn1.oa2-cs.v1.x', 'This is the client ID or the client secret, not the refresh token'],
  ['region', 'moon', 'The region is na (North America), eu (Europe) or fe (Far East)'],
  [
    'sellerId',
    'a b',
    'The seller ID has 1 to 64 letters and digits; Seller Central calls it Merchant Token and shows it under Account Info',
  ],
  [
    'sellerId',
    'x'.repeat(65),
    'The seller ID has 1 to 64 letters and digits; Seller Central calls it Merchant Token and shows it under Account Info',
  ],
  [
    'sellerId',
    'a/b',
    'The seller ID has 1 to 64 letters and digits; Seller Central calls it Merchant Token and shows it under Account Info',
  ],
  [
    'marketplaceId',
    '/ab',
    expect.stringContaining('a country name (DE, Germany). Known: United States, Canada,'),
  ],
])('tells what is wrong with %s: %j', (field, value, message) => {
  expect(problemsOf({ ...good, [field]: value })).toEqual([[field, message]]);
});

it('takes values of the greatest length', () => {
  const longest = { ...good, refreshToken: 'x'.repeat(4096), sellerId: 'x'.repeat(64) };
  expect(parseAccountInput(longest)).toMatchObject({ ok: true });
});

it('tells one problem a field, in their order', () => {
  expect(problemsOf({ clientId: `Atzr| ${'x'.repeat(5000)}`, clientSecret: good.clientSecret })).toEqual([
    ['clientId', 'The client ID is longer than 4096 characters, so it cannot be right'],
    ['refreshToken', 'The refresh token is missing'],
  ]);
  expect(problemsOf(undefined)).toHaveLength(1);
});

describe('the same value in two fields', () => {
  const twice = [['clientId', 'The same value stands in two fields']];

  it('is told for the client ID, whichever the other is', () => {
    expect(problemsOf({ ...good, clientId: 'same', clientSecret: 'same' })).toEqual(twice);
    expect(problemsOf({ ...good, clientId: 'same', refreshToken: 'same ' })).toEqual(twice);
  });
});

it('takes no member that is not asked for', () => {
  expect(parseAccountInput({ ...good, baseUrl: 'https://x.example' }).ok).toBe(false);
});
