/** Which settings belong to which account, what they complete, and where each value then comes from. */

import { describe, expect, it } from 'vitest';
import type { StoredAccount } from '../../src/accounts/account.ts';
import { missingAccountError } from '../../src/accounts/missing-account.ts';
import {
  environmentAccount,
  hasAddresses,
  ignoresSettings,
  isEnvironmentUsed,
  mergePlain,
  originsOf,
  type ResolveContext,
  resolveAccount,
  resolveProfile,
  settingsFor,
} from '../../src/accounts/resolve-account.ts';
import { buildConfig } from '../../src/base/config.ts';

const secrets = { clientId: 'i', clientSecret: 's', refreshToken: 'r' };
const variables = { SELLER_CLIENT_ID: 'i', SELLER_CLIENT_SECRET: 's', SELLER_REFRESH_TOKEN: 'r' };
const plain = {
  SELLER_REGION: 'eu',
  SELLER_BASE_URL: 'https://b.example',
  SELLER_AUTH_URL: 'https://a.example',
  SELLER_ID: 'SELLER',
  SELLER_MARKETPLACE_ID: 'MARKET',
};
const values = {
  region: 'eu',
  baseUrl: 'https://b.example',
  authUrl: 'https://a.example',
  sellerId: 'SELLER',
  marketplaceId: 'MARKET',
} as const;
const config = (env: Record<string, string>) => buildConfig({}, env);

describe('the environment', () => {
  it('defines an account only whole', () => {
    expect(isEnvironmentUsed(config({}))).toBe(false);
    expect(environmentAccount(config(plain))).toBeUndefined();
    expect(environmentAccount(config({ ...variables, ...plain }))).toEqual(secrets);
    for (const [name, value] of Object.entries(variables)) {
      expect(isEnvironmentUsed(config({ [name]: value }))).toBe(true);
      expect(() => environmentAccount(config({ [name]: value }))).toThrow(
        `The environment gives ${name}, but not`,
      );
    }
  });

  it('tells a part with what to add or to remove', () => {
    const part = config({ SELLER_CLIENT_ID: 'i', SELLER_REFRESH_TOKEN: 'r' });
    expect(() => environmentAccount(part)).toThrow(
      expect.objectContaining({
        reason: 'missing',
        message:
          'The environment gives SELLER_CLIENT_ID and SELLER_REFRESH_TOKEN, but not SELLER_CLIENT_SECRET.',
        hint: expect.stringContaining('remove SELLER_CLIENT_ID and SELLER_REFRESH_TOKEN to use the keychain'),
      }),
    );
  });
});

describe('addresses and ids of the settings', () => {
  it('belong to default where the environment defines it, else to the account in use, and to no other', () => {
    expect(settingsFor('default', config(plain))).toEqual(values);
    expect(settingsFor('shop', config(plain))).toEqual({});
    const shop = { ...plain, SELLER_ACCOUNT: 'shop' };
    expect(settingsFor('shop', config(shop))).toEqual(values);
    expect(settingsFor('default', config(shop))).toEqual({});
    expect(settingsFor('default', config({ ...shop, ...variables }))).toEqual(values);
    expect(settingsFor('shop', config({ ...shop, ...variables }))).toEqual({});
  });

  it.each([
    ['Germany', 'A1PA6795UKMFR9'],
    [' uk ', 'A1F83G8C2ARO7P'],
    ['A1NEWMARKET42', 'A1NEWMARKET42'],
  ])('the marketplace may be a country: %s', (given, id) => {
    expect(settingsFor('default', config({ SELLER_MARKETPLACE_ID: given })).marketplaceId).toBe(id);
    expect(settingsFor('default', buildConfig({ 'marketplace-id': given }, {})).marketplaceId).toBe(id);
  });

  it('a marketplace that is none is refused with what may be meant, and never repeated', () => {
    const refused = (given: string) => () => settingsFor('default', config({ SELLER_MARKETPLACE_ID: given }));
    expect(refused('Germny')).toThrow('did you mean Germany?');
    expect(refused('my canary')).toThrow(/^(?!.*canary).*must be a marketplace's ID, a country code/);
  });

  it.each(['region', 'baseUrl', 'authUrl'] as const)('are left out whole where %s is stored', (field) => {
    const stored = { [field]: values[field] };
    expect(hasAddresses(stored)).toBe(true);
    const other = { region: 'na', baseUrl: 'https://o.example', authUrl: 'https://o.example' } as const;
    expect(mergePlain(stored, { ...other, sellerId: 'S' })).toEqual({
      region: undefined,
      baseUrl: undefined,
      authUrl: undefined,
      marketplaceId: undefined,
      sellerId: 'S',
      ...stored,
    });
  });

  it('complete ids one by one, and addresses where none are stored', () => {
    expect(hasAddresses({ sellerId: 'S' })).toBe(false);
    expect(mergePlain({ sellerId: 'OWN' }, values)).toEqual({ ...values, sellerId: 'OWN' });
    expect(mergePlain({ marketplaceId: 'OWN' }, values)).toEqual({ ...values, marketplaceId: 'OWN' });
  });

  it('are ignored only where both sides have addresses, and others', () => {
    expect(ignoresSettings({ region: 'eu' }, { region: 'na' })).toBe(true);
    expect(ignoresSettings({ region: 'eu' }, { region: 'eu' })).toBe(false);
    expect(ignoresSettings({ region: 'eu' }, { region: 'eu', authUrl: 'https://a.example' })).toBe(true);
    expect(ignoresSettings({}, { region: 'na' })).toBe(false);
    expect(ignoresSettings({ region: 'eu' }, { sellerId: 'S' })).toBe(false);
  });
});

describe('an account', () => {
  const context: ResolveContext = {
    name: 'shop',
    origin: 'keychain',
    settings: {},
    spApiSandbox: true,
  };
  const stored: StoredAccount = { ...secrets, region: 'fe', sellerId: 'S', marketplaceId: 'M' };

  it('is its values, and the addresses of its region', () => {
    expect(resolveAccount(stored, context)).toEqual({
      name: 'shop',
      ...secrets,
      baseUrl: 'https://sandbox.sellingpartnerapi-fe.amazon.com',
      authUrl: 'https://api.amazon.com',
      sellerId: 'S',
      marketplaceId: 'M',
    });
  });

  it('takes single addresses before those of its region', () => {
    expect(resolveProfile({ region: 'na', baseUrl: 'https://own.example' }, context)).toEqual({
      name: 'shop',
      baseUrl: 'https://own.example',
      authUrl: 'https://api.amazon.com',
    });
  });

  it.each([
    [{}, 'Account "shop" has no region and no addresses.'],
    [
      { baseUrl: 'https://b.example' },
      'Account "shop" has the address of the service, but not of the identity provider.',
    ],
    [
      { authUrl: 'https://a.example' },
      'Account "shop" has the address of the identity provider, but not of the service.',
    ],
  ])('without its addresses is told with what is missing: %j', (addresses, message) => {
    expect(() => resolveAccount({ ...secrets, ...addresses }, context)).toThrow(
      expect.objectContaining({
        reason: 'missing',
        message,
        hint: expect.stringContaining('--account shop'),
      }),
    );
  });

  it('has the origin of each value: stored or set', () => {
    const settings = { region: 'eu', sellerId: 'S', marketplaceId: 'M' } as const;
    expect(originsOf({ ...secrets, marketplaceId: 'OWN' }, { origin: 'environment', settings })).toEqual({
      clientId: 'environment',
      clientSecret: 'environment',
      refreshToken: 'environment',
      region: 'setting',
      sellerId: 'setting',
      marketplaceId: 'environment',
    });
    expect(originsOf({ authUrl: 'x' }, { origin: 'keychain', settings })).toEqual({
      authUrl: 'keychain',
      sellerId: 'setting',
      marketplaceId: 'setting',
    });
    expect(originsOf({}, { origin: 'keychain', settings: {} })).toEqual({});
  });
});

describe('an account that is not there', () => {
  it('is told with those that are, and how to add it', () => {
    expect(missingAccountError('shop', ['a', 'b'])).toMatchObject({
      reason: 'missing',
      message: 'There is no account "shop". Accounts that exist: a, b.',
      hint: 'Use one of these names. To add the account: Run `seller-commerce-mcp login --account shop`.',
    });
    expect(missingAccountError('default', ['a']).hint).toMatch(/`seller-commerce-mcp login`\.$/);
    expect(missingAccountError('shop', [])).toMatchObject({
      message: expect.stringContaining('There are no credentials for account "shop"'),
      hint: 'Run `seller-commerce-mcp login --account shop`.',
    });
    expect(missingAccountError('default', []).hint).toContain('or set SELLER_CLIENT_ID');
    expect(missingAccountError('shop', ['default'], true)).toMatchObject({
      message: 'The sandbox has no account "shop".',
      hint: 'Accounts: default.',
    });
  });
});
