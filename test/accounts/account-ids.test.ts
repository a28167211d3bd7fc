/** Seller ID and marketplace: checked, and added to an account that may have changed meanwhile. */

import { describe, expect, it } from 'vitest';
import { parseAccountIds, storeAccountIds } from '../../src/accounts/account-ids.ts';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { grantOf } from '../../src/accounts/rotation.ts';

describe('checking', () => {
  it('trims, and takes an empty one for none', () => {
    expect(parseAccountIds({ sellerId: ' A2 ', marketplaceId: ' ' }, [])).toEqual({
      ok: true,
      value: { sellerId: 'A2' },
    });
  });

  it('tells one problem of each, and never the value', () => {
    const checked = parseAccountIds({ sellerId: 'a canary', marketplaceId: 'canary' }, [
      'a canary',
      'canary',
    ]);
    expect(checked).toMatchObject({
      ok: false,
      problems: [
        { path: 'sellerId', message: expect.stringContaining('1 to 64') },
        { path: 'marketplaceId' },
      ],
    });
    expect(JSON.stringify(checked)).not.toContain('canary');
  });

  it('takes a country for its marketplace, and never repeats what is none', () => {
    expect(parseAccountIds({ marketplaceId: ' uk ' }, [])).toEqual({
      ok: true,
      value: { marketplaceId: 'A1F83G8C2ARO7P' },
    });
    const refused = parseAccountIds({ marketplaceId: 'Germny' }, []);
    expect(refused).toMatchObject({
      ok: false,
      problems: [{ path: 'marketplaceId', message: expect.stringContaining('did you mean Germany?') }],
    });
    expect(JSON.stringify(parseAccountIds({ marketplaceId: 'my canary' }, []))).not.toContain('canary');
  });

  it('gives no marketplace as the example of a seller ID', () => {
    expect(JSON.stringify(parseAccountIds({ sellerId: '?' }, []))).toContain('Merchant Token');
    expect(JSON.stringify(parseAccountIds({ sellerId: '?' }, []))).not.toContain('A1F83G8C2ARO7P');
  });
});

describe('storing', () => {
  const account = { clientId: 'id', clientSecret: 'secret', refreshToken: 'first', region: 'eu' } as const;
  const ids = { sellerId: 'A2', marketplaceId: 'M1' };

  it('keeps a refresh token that was rotated meanwhile', async () => {
    const rotated = { ...account, refreshToken: 'second', grantId: grantOf(account) };
    const store = createMemoryStore({ shop: rotated });
    expect(await storeAccountIds('shop', ids, account, store)).toBe(true);
    expect(await store.read('shop')).toEqual({ ...rotated, ...ids });
  });

  it('leaves what is not given as it is', async () => {
    const store = createMemoryStore({ shop: { ...account, sellerId: 'A1' } });
    await storeAccountIds('shop', { marketplaceId: 'M1' }, account, store);
    expect(await store.read('shop')).toEqual({ ...account, sellerId: 'A1', marketplaceId: 'M1' });
  });

  it.each([
    ['another application', { ...account, clientId: 'other' }],
    ['another login', { ...account, refreshToken: 'other' }],
  ])('adds nothing to the account of %s', async (_whose, stored) => {
    const store = createMemoryStore({ shop: stored });
    expect(await storeAccountIds('shop', ids, account, store)).toBe(false);
    expect(await store.read('shop')).toEqual(stored);
  });

  it('does not bring back an account that was removed', async () => {
    const store = createMemoryStore();
    expect(await storeAccountIds('shop', ids, account, store)).toBe(false);
    expect(await store.list()).toEqual([]);
  });
});
