/** Tests how `status` describes where each value is stored, for complete, partial and missing accounts. */

import { expect, it } from 'vitest';
import type { CredentialStore, StoredAccount } from '../../src/accounts/account.ts';
import { createAccountSource } from '../../src/accounts/account-source.ts';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { buildConfig } from '../../src/base/config.ts';

const whole: StoredAccount = {
  clientId: 'i',
  clientSecret: 's',
  refreshToken: 'r',
  baseUrl: 'https://service.example',
  authUrl: 'https://auth.example',
  sellerId: 'SELLER',
  marketplaceId: 'MARKET',
};

async function describeIn(store: CredentialStore, env: Record<string, string>, name = 'default') {
  const source = createAccountSource({ config: buildConfig({}, env), store });
  const { origins, problem } = await source.describe(name);
  const described = Object.entries(origins).map(([field, origin]) => `${field}: ${origin}`);
  return { described, problem: problem?.message };
}

it('names the origin of every value that is there', async () => {
  expect(await describeIn(createMemoryStore({ default: whole }), {})).toEqual({
    described: [
      'clientId: keychain',
      'clientSecret: keychain',
      'refreshToken: keychain',
      'baseUrl: keychain',
      'authUrl: keychain',
      'sellerId: keychain',
      'marketplaceId: keychain',
    ],
    problem: undefined,
  });
});

it('takes addresses from one place whole, and ids one by one', async () => {
  const env = { SELLER_REGION: 'na', SELLER_ID: 'S', SELLER_MARKETPLACE_ID: 'M' };
  const { marketplaceId: _, authUrl: __, ...part } = whole;
  expect(await describeIn(createMemoryStore({ default: part }), env)).toEqual({
    described: [
      'clientId: keychain',
      'clientSecret: keychain',
      'refreshToken: keychain',
      'baseUrl: keychain',
      'sellerId: keychain',
      'marketplaceId: setting',
    ],
    problem: 'Account "default" has the address of the service, but not of the identity provider.',
  });
});

it('names the identity provider where only that is known', async () => {
  const { baseUrl: _, ...part } = whole;
  expect((await describeIn(createMemoryStore({ default: part }), {})).problem).toBe(
    'Account "default" has the address of the identity provider, but not of the service.',
  );
});

it('of an environment that gives a part of the three tells which, for its account alone', async () => {
  const env = { SELLER_CLIENT_SECRET: 's', SELLER_BASE_URL: 'https://x.example' };
  expect(await describeIn(createMemoryStore({ default: whole }), env)).toEqual({
    described: ['clientSecret: environment', 'baseUrl: setting'],
    problem: 'The environment gives SELLER_CLIENT_SECRET, but not SELLER_CLIENT_ID and SELLER_REFRESH_TOKEN.',
  });
  expect(await describeIn(createMemoryStore(), env, 'shop')).toEqual({
    described: [],
    problem: 'There is no account "shop". Accounts that exist: default.',
  });
  const complete = { ...env, SELLER_CLIENT_ID: 'i', SELLER_REFRESH_TOKEN: 'r' };
  expect((await describeIn(createMemoryStore(), complete, 'shop')).described).toEqual([]);
});

it('hides no defect', async () => {
  const store = { ...createMemoryStore(), read: () => Promise.reject(new Error('defect')) };
  const source = createAccountSource({ config: buildConfig({}, {}), store });
  await expect(source.describe('default')).rejects.toThrow('defect');
  await expect(source.profile('default')).rejects.toThrow('defect');
});
