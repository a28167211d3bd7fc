import { describe, expect, it } from 'vitest';
import { buildConfig } from '../../src/config.ts';
import { createAccountSource } from '../../src/credentials/account-source.ts';
import { KeychainError } from '../../src/credentials/keychain/keychain-failure.ts';
import { createMemoryStore } from '../../src/credentials/memory-store.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../../src/credentials/types.ts';
import { exchangeOnce, startIdentityProvider } from '../helpers/identity-provider.ts';

const addressesFor = () => ({ baseUrl: 'https://service.example', authUrl: 'https://auth.example' });
const first: StoredAccount = { clientId: 'i', clientSecret: 's', refreshToken: 'T0', region: 'na' };

function open(store: CredentialStore, env: Record<string, string> = {}) {
  const told: string[] = [];
  const clock = { ms: 0 };
  const source = createAccountSource({
    config: buildConfig({}, env),
    store,
    addressesFor,
    tell: (message) => told.push(message),
    now: () => clock.ms,
  });
  return { source, told, clock };
}

async function rotate(source: Accounts, next: string): Promise<void> {
  const { refreshToken } = await source.get('default');
  await source.rotated('default', refreshToken, next);
}

describe('rotation in the keychain', () => {
  it('keeps the new token and, beside it, the old one, which is good until the new one is used', async () => {
    const store = createMemoryStore({ default: { ...first, sellerId: 'S' } });
    const { source, told } = open(store);
    await rotate(source, 'T1');
    expect(await store.read('default')).toMatchObject({
      refreshToken: 'T1',
      previousRefreshToken: 'T0',
      sellerId: 'S',
    });
    await rotate(source, 'T2');
    expect(await store.read('default')).toMatchObject({ refreshToken: 'T2', previousRefreshToken: 'T1' });
    expect((await source.get('default')).refreshToken).toBe('T2');
    expect(told).toEqual([]);
  });

  it('after invalid_grant takes what another process wrote, then the older token, then gives up', async () => {
    const store = createMemoryStore({ default: first });
    const a = open(store).source;
    const b = open(store).source;
    await a.get('default');
    await rotate(b, 'T1');
    expect((await a.reread('default', 'T0'))?.refreshToken).toBe('T1');
    expect((await a.reread('default', 'T1'))?.refreshToken).toBeUndefined();
    const c = open(store).source;
    expect((await c.get('default')).refreshToken).toBe('T1');
    expect((await c.reread('default', 'T1'))?.refreshToken).toBe('T0');
    expect((await c.get('default')).refreshToken).toBe('T0');
    await c.rotated('default', 'T0', 'T2');
    // T1 was refused: it is not worth keeping.
    expect(await store.read('default')).toMatchObject({ refreshToken: 'T2', previousRefreshToken: 'T0' });
  });

  it('answers reread with the same refresh token when the client secret has changed', async () => {
    const store = createMemoryStore({ default: first });
    const { source } = open(store);
    await source.get('default');
    expect(await source.reread('default', 'T0')).toBeUndefined();
    await store.write('default', { ...first, clientSecret: 'renewed' });
    expect(await source.reread('default', 'T0')).toMatchObject({
      clientSecret: 'renewed',
      refreshToken: 'T0',
    });
  });

  it('never overwrites a later login, nor brings back an account that was removed', async () => {
    const store = createMemoryStore({ default: first });
    const { source, clock } = open(store);
    await rotate(source, 'T1');
    const { refreshToken } = await source.get('default');
    await store.write('default', { ...first, refreshToken: 'LOGIN' });
    await source.rotated('default', refreshToken, 'T2');
    expect(await store.read('default')).toEqual({ ...first, refreshToken: 'LOGIN' });
    clock.ms += 61_000;
    expect((await source.get('default')).refreshToken).toBe('LOGIN');
    await store.delete('default');
    await source.rotated('default', 'LOGIN', 'L1');
    expect(await store.read('default')).toBeUndefined();
  });

  it('keeps the token in memory while the keychain fails, tells it, and writes it later', async () => {
    const inner = createMemoryStore({ default: first });
    const state = { off: false };
    const fail = <T>(run: () => Promise<T>): Promise<T> =>
      state.off ? Promise.reject(new KeychainError('locked')) : run();
    const store: CredentialStore = {
      ...inner,
      read: (name) => fail(() => inner.read(name)),
      write: (name, value) => fail(() => inner.write(name, value)),
    };
    const { source, told, clock } = open(store);
    await source.get('default');
    state.off = true;
    await source.rotated('default', 'T0', 'T1');
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('locked');
    clock.ms += 61_000;
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect((await inner.read('default'))?.refreshToken).toBe('T0');
    state.off = false;
    clock.ms += 61_000;
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect((await inner.read('default'))?.refreshToken).toBe('T1');
    expect(told).toHaveLength(1);
  });
});

describe('rotation elsewhere', () => {
  const env = {
    SELLER_CLIENT_ID: 'i',
    SELLER_CLIENT_SECRET: 's',
    SELLER_REFRESH_TOKEN: 'T0',
    SELLER_REGION: 'na',
  };

  it('of an environment token stays in memory and is told once', async () => {
    const store = createMemoryStore({});
    const { source, told } = open(store, env);
    await rotate(source, 'T1');
    await rotate(source, 'T2');
    expect((await source.get('default')).refreshToken).toBe('T2');
    expect(await store.list()).toEqual([]);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('SELLER_REFRESH_TOKEN');
    expect(told[0]).not.toMatch(/T[012]/);
    expect((await source.reread('default', 'T2'))?.refreshToken).toBe('T1');
  });

  it('of an argument stays in memory; the stored account is as it was', async () => {
    const store = createMemoryStore({ default: first });
    const { source, told } = open(store);
    await source.override('default', { refreshToken: 'A0' });
    await rotate(source, 'A1');
    expect((await source.get('default')).refreshToken).toBe('A1');
    expect(await store.read('default')).toEqual(first);
    expect(told[0]).toContain('given as an argument');
  });

  it('of a keychain token used with an argument for the secret goes to the keychain too', async () => {
    const store = createMemoryStore({ default: first });
    const { source, told } = open(store);
    await source.override('default', { clientSecret: 'renewed' });
    await rotate(source, 'T1');
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect(await store.read('default')).toMatchObject({ refreshToken: 'T1', clientSecret: 's' });
    expect(told).toEqual([]);
  });
});

describe.each([
  { name: 'every token of a family good until one of them is used', onlyNewest: false },
  { name: 'only the newest of a family good', onlyNewest: true },
])('processes that rotate from the same token ($name)', ({ onlyNewest }) => {
  it('always leave a working token in the store, in whatever order they write', async () => {
    for (const order of ['ab', 'ba', 'at once'] as const) {
      const provider = await startIdentityProvider({ onlyNewest });
      try {
        const old = provider.authorise();
        const store = createMemoryStore({
          default: {
            ...first,
            refreshToken: old,
            authUrl: provider.url,
            baseUrl: provider.url,
          },
        });
        const sources = { a: open(store).source, b: open(store).source };
        for (const source of Object.values(sources)) await source.get('default');
        const bought = { a: await provider.exchange(old), b: await provider.exchange(old) };
        const write = (who: 'a' | 'b') => sources[who].rotated('default', old, bought[who]);
        if (order === 'at once') await Promise.all([write('a'), write('b')]);
        else
          for (const who of order === 'ab' ? (['a', 'b'] as const) : (['b', 'a'] as const)) await write(who);
        // Both may end here: a third process starts from the store alone, and again after that.
        for (let restart = 0; restart < 3; restart += 1) await exchangeOnce(open(store).source, 'default');
      } finally {
        await provider.close();
      }
    }
  });
});
