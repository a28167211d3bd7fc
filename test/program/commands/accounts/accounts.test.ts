/** accounts and logout: what there is, where it comes from, and that it goes when it is told to. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { CredentialStore } from '../../../../src/accounts/account.ts';
import { createMemoryStore } from '../../../../src/accounts/memory-store.ts';
import { CredentialError } from '../../../../src/base/errors.ts';
import { accounts } from '../../../../src/program/commands/accounts/accounts.ts';
import { logout } from '../../../../src/program/commands/accounts/logout.ts';
import { canary, createTestOutside, type TestOutside } from '../../../helpers/outside.ts';

let store: CredentialStore;
beforeEach(() => {
  store = createMemoryStore({
    shop: { ...canary, region: 'eu', sellerId: 'A2SELLER', marketplaceId: 'A1F83G8C2ARO7P' },
    bare: { ...canary },
  });
});

const environment = {
  SELLER_CLIENT_ID: canary.clientId,
  SELLER_CLIENT_SECRET: canary.clientSecret,
  SELLER_REFRESH_TOKEN: canary.refreshToken,
  SELLER_REGION: 'na',
};

function unreachable(): CredentialStore {
  const fail = async () => {
    throw new CredentialError('unreachable', 'The keychain is locked.', 'Unlock it.');
  };
  return { ...createMemoryStore(), list: fail, read: fail, delete: fail };
}

describe('accounts', () => {
  const run = (io: TestOutside, values = {}) =>
    accounts.run({ values, positionals: [] }, Object.assign(io, { keychain: store }));

  it('shows each account with its service and where it comes from', async () => {
    const io = createTestOutside({ env: environment });
    expect(await run(io)).toBe(0);
    expect(io.out()).toMatch(/default .* sellingpartnerapi-na\.amazon\.com .* environment/);
    expect(io.out()).toMatch(
      /shop .* sellingpartnerapi-eu\.amazon\.com .*A2SELLER .*United Kingdom .* keychain/,
    );
    expect(io.out()).toMatch(/bare .* not known .* keychain/);
    expect(io.out()).toContain('bare: Account "bare" has no region and no addresses.');
    expect(io.leaked()).toEqual([]);
  });

  it('says the same in JSON', async () => {
    const io = createTestOutside();
    expect(await run(io, { json: true })).toBe(0);
    expect(JSON.parse(io.out())).toEqual({
      accounts: [
        { name: 'bare', from: 'keychain', problem: 'Account "bare" has no region and no addresses.' },
        {
          name: 'shop',
          baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
          sellerId: 'A2SELLER',
          marketplaceId: 'A1F83G8C2ARO7P',
          marketplace: 'United Kingdom',
          from: 'keychain',
        },
      ],
      keychain: { reachable: true },
    });
    expect(io.leaked()).toEqual([]);
  });

  it('says how to add the first one', async () => {
    store = createMemoryStore();
    const io = createTestOutside();
    expect(await run(io)).toBe(0);
    expect(io.out()).toContain('seller-commerce-mcp login');
  });

  it('shows an environment that gives only a part, with what is missing', async () => {
    store = createMemoryStore();
    const io = createTestOutside({ env: { SELLER_CLIENT_ID: 'x' } });
    await run(io);
    expect(io.out()).toContain('SELLER_CLIENT_SECRET');
  });

  it('goes on without the keychain when the environment defines an account, and fails when nothing does', async () => {
    store = unreachable();
    const io = createTestOutside({ env: environment });
    expect(await run(io)).toBe(0);
    expect(io.out()).toContain('default');
    expect(io.err()).toContain('The keychain is locked.');
    await expect(run(createTestOutside())).rejects.toThrow('The keychain is locked.');
  });

  it('with --sandbox lists its account, without a word about the keychain', async () => {
    store = unreachable();
    const io = createTestOutside({ flags: { sandbox: 'true' } });
    expect(await run(io)).toBe(0);
    expect(io.out()).toMatch(/default .*127\.0\.0\.1.* United States .*sandbox/);
    expect(io.err()).toBe('');
  });
});

describe('accounts set', () => {
  const set = async (words: readonly string[], flags: Record<string, string>, env = {}) => {
    const io = createTestOutside({ flags, env });
    const args = { values: {}, positionals: ['set', ...words], flags };
    const code = await accounts.run(args, Object.assign(io, { keychain: store }));
    expect(io.leaked()).toEqual([]);
    return { code, out: io.out() };
  };

  it('adds or replaces seller ID and marketplace, and leaves all else', async () => {
    const { out } = await set(['bare'], { 'seller-id': 'A2NEW', 'marketplace-id': 'Germany' });
    expect(out).toContain('seller ID: A2NEW\n  marketplace: Germany (A1PA6795UKMFR9)');
    expect(await store.read('bare')).toEqual({
      ...canary,
      sellerId: 'A2NEW',
      marketplaceId: 'A1PA6795UKMFR9',
    });
    await set([], { account: 'bare', 'seller-id': 'A3' });
    expect(await store.read('bare')).toMatchObject({ sellerId: 'A3', marketplaceId: 'A1PA6795UKMFR9' });
  });

  it('takes nothing of the environment', async () => {
    await set(['bare'], { 'marketplace-id': 'DE' }, { SELLER_ID: 'A2OTHER' });
    expect((await store.read('bare'))?.sellerId).toBeUndefined();
  });

  it.each([
    [['bare'], {}, 'What is to be set is not given'],
    [['bare'], { 'seller-id': 'A1PA6795UKMFR9' }, 'Nothing was changed'],
    [['bare'], { 'seller-id': canary.clientSecret }, 'Nothing was changed'],
    [['bare'], { account: 'shop', 'seller-id': 'A2' }, 'given two names'],
    [['shpo'], { 'seller-id': 'A2' }, 'There is no account "shpo". Accounts that exist: bare, shop.'],
    [['no such'], { 'seller-id': 'A2' }, 'Accounts that exist'],
  ])('%j %j: %s', async (words, flags, message) => {
    await expect(set(words, flags)).rejects.toThrow(message);
    expect(await store.read('bare')).toEqual(canary);
  });

  it('says of the account of the environment where its ids go', async () => {
    await expect(set([], { 'seller-id': 'A2' }, environment)).rejects.toMatchObject({
      hint: expect.stringContaining('SELLER_ID'),
    });
  });

  it('no other word is taken for the list', async () => {
    const io = createTestOutside();
    const run = accounts.run({ values: {}, positionals: ['sett'] }, Object.assign(io, { keychain: store }));
    await expect(run).rejects.toThrow('This is not understood: accounts sett');
  });
});

describe('logout', () => {
  const run = (io: TestOutside) =>
    logout.run({ values: {}, positionals: [] }, Object.assign(io, { keychain: store }));

  it('deletes the account and its access token', async () => {
    await store.writeToken('shop', { accessToken: 'x', expiresAt: 1, boughtWith: 'y' });
    const io = createTestOutside({ flags: { account: 'shop' } });
    expect(await run(io)).toBe(0);
    expect(io.out()).toContain('"shop" and its access token are deleted');
    expect(await store.list()).toEqual(['bare']);
    expect(await store.readToken('shop')).toBeUndefined();
  });

  it('exits with 1 and names the others when there was none', async () => {
    const io = createTestOutside({ flags: { account: 'shpo' } });
    expect(await run(io)).toBe(1);
    expect(io.err()).toContain('no account "shpo"');
    expect(io.err()).toContain('bare, shop');
    expect(io.out()).toBe('');
  });

  it('tells that the environment still defines the account', async () => {
    const io = createTestOutside({ env: environment });
    expect(await run(io)).toBe(1);
    expect(io.err()).toContain('the environment still defines "default"');
  });

  it('fails with the reason when the keychain does not answer', async () => {
    store = unreachable();
    await expect(run(createTestOutside())).rejects.toThrow('The keychain is locked.');
  });
});
