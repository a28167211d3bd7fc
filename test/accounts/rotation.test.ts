import { describe, expect, it } from 'vitest';
import type { Accounts, CredentialStore, StoredAccount } from '../../src/accounts/account.ts';
import { createAccountSource } from '../../src/accounts/account-source.ts';
import { KeychainError } from '../../src/accounts/keychain/keychain-failure.ts';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { credentialKey, findUsableCredentials, grantOf, withNewToken } from '../../src/accounts/rotation.ts';
import { buildConfig } from '../../src/base/config.ts';
import { exchangeOnce, startIdentityProvider } from '../helpers/identity-provider.ts';

const first: StoredAccount = { clientId: 'i', clientSecret: 's', refreshToken: 'T0', region: 'na' };

function open(store: CredentialStore, env: Record<string, string> = {}) {
  const messages: string[] = [];
  const clock = { ms: 0 };
  const source = createAccountSource({
    config: buildConfig({}, env),
    store,
    tell: (message) => messages.push(message),
    now: () => clock.ms,
  });
  return { source, messages, clock };
}

async function rotate(source: Accounts, next: string): Promise<void> {
  const { refreshToken } = await source.get('default');
  await source.rotated('default', refreshToken, next);
}

describe('rotation in the keychain', () => {
  it('keeps the new token and, beside it, the old one, which is good until the new one is used', async () => {
    const store = createMemoryStore({ default: { ...first, sellerId: 'S' } });
    const { source, messages } = open(store);
    await rotate(source, 'T1');
    expect(await store.read('default')).toMatchObject({
      refreshToken: 'T1',
      previousRefreshToken: 'T0',
      sellerId: 'S',
    });
    await rotate(source, 'T2');
    expect(await store.read('default')).toMatchObject({ refreshToken: 'T2', previousRefreshToken: 'T1' });
    expect((await source.get('default')).refreshToken).toBe('T2');
    expect(messages).toEqual([]);
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
    const { source, messages, clock } = open(store);
    await source.get('default');
    state.off = true;
    await source.rotated('default', 'T0', 'T1');
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('locked');
    clock.ms += 61_000;
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect((await inner.read('default'))?.refreshToken).toBe('T0');
    state.off = false;
    clock.ms += 61_000;
    expect((await source.get('default')).refreshToken).toBe('T1');
    expect((await inner.read('default'))?.refreshToken).toBe('T1');
    expect(messages).toHaveLength(1);
  });
});

/** A store whose every step waits until the test lets it go on. */
function heldStore(inner: CredentialStore) {
  const waiting: { step: string; go: () => void }[] = [];
  const hold = <T>(step: string, run: () => Promise<T>): Promise<T> =>
    new Promise<void>((go) => waiting.push({ step, go })).then(run);
  const store: CredentialStore = {
    ...inner,
    read: (name) => hold('read', () => inner.read(name)),
    write: (name, value) => hold('write', () => inner.write(name, value)),
  };
  /** Lets the next step go on, once it is reached; gives its name. */
  const next = async (): Promise<string> => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    const held = waiting.shift();
    held?.go();
    return held?.step ?? '';
  };
  return { store, next };
}

describe('the end of a process', () => {
  const turns = () => new Promise((resolve) => setTimeout(resolve, 0));

  it('waits for a rotated token on its way into a slow keychain, and for no other work', async () => {
    const inner = createMemoryStore({ default: first });
    const { store, next } = heldStore(inner);
    const { source } = open(store);
    const getting = source.get('default');
    // A read alone loses nothing.
    await source.settled();
    expect(await next()).toBe('read');
    await getting;
    const rotating = source.rotated('default', 'T0', 'T1');
    let isSettled = false;
    const settled = source.settled().then(() => {
      isSettled = true;
    });
    for (const step of ['read', 'write']) {
      await turns();
      expect(isSettled).toBe(false);
      expect(await next()).toBe(step);
    }
    await settled;
    await rotating;
    expect(await inner.read('default')).toMatchObject({ refreshToken: 'T1' });
    await source.settled();
  });

  it('waits also for a rotation that begins meanwhile', async () => {
    const inner = createMemoryStore({ default: first, two: { ...first, refreshToken: 'U0' } });
    const { store, next } = heldStore(inner);
    const { source } = open(store);
    void source.rotated('default', 'T0', 'T1');
    let isSettled = false;
    const settled = source.settled().then(() => {
      isSettled = true;
    });
    expect(await next()).toBe('read');
    expect(await next()).toBe('write');
    void source.rotated('two', 'U0', 'U1');
    for (const step of ['read', 'write']) {
      await turns();
      expect(isSettled).toBe(false);
      expect(await next()).toBe(step);
    }
    await settled;
    expect(await inner.read('two')).toMatchObject({ refreshToken: 'U1' });
  });

  it('does not wait for ever for a rotation that fails', async () => {
    const { source } = open({
      ...createMemoryStore({ default: first }),
      write: () => Promise.reject(new Error('defect')),
    });
    const failing = expect(source.rotated('default', 'T0', 'T1')).rejects.toThrow('defect');
    await source.settled();
    await failing;
  });

  it('waits for the token that could not be written before and is being written now', async () => {
    const inner = createMemoryStore({ default: first });
    const held = heldStore(inner);
    const state = { store: inner };
    const { source, clock } = open({
      ...inner,
      read: (name) => state.store.read(name),
      write: (name, value) => state.store.write(name, value),
    });
    await source.get('default');
    state.store = { ...inner, read: () => Promise.reject(new KeychainError('locked')) };
    await source.rotated('default', 'T0', 'T1');
    state.store = held.store;
    clock.ms += 61_000;
    const getting = source.get('default');
    await turns();
    let isSettled = false;
    const settled = source.settled().then(() => {
      isSettled = true;
    });
    await held.next();
    await turns();
    expect(isSettled).toBe(false);
    await held.next();
    await settled;
    expect((await getting).refreshToken).toBe('T1');
    expect((await inner.read('default'))?.refreshToken).toBe('T1');
  });
});

describe('the rules', () => {
  const rejectedOf = (...accounts: StoredAccount[]) => new Set(accounts.map(credentialKey));
  const mine = { oldToken: 'T0', newToken: 'A1' };
  const theirs: StoredAccount = { ...first, refreshToken: 'B1', previousRefreshToken: 'T0', grantId: 'G' };

  it('keep the token of another process that rotated since, unless it was refused', () => {
    expect(withNewToken(theirs, mine, rejectedOf())).toEqual({
      ...first,
      refreshToken: 'A1',
      previousRefreshToken: 'B1',
      grantId: 'G',
    });
    expect(withNewToken(theirs, mine, rejectedOf(theirs))).toMatchObject({ previousRefreshToken: 'T0' });
    // Refused with another secret is not refused.
    const other = rejectedOf({ ...theirs, clientSecret: 'other' });
    expect(withNewToken(theirs, mine, other)).toMatchObject({ previousRefreshToken: 'B1' });
  });

  it('leave an entry as it is that holds the new token already', () => {
    const entry = { ...theirs, refreshToken: 'A1' };
    expect(withNewToken(entry, mine, rejectedOf())).toEqual(entry);
  });

  it('name the login from its first token on', () => {
    const once = withNewToken(first, { oldToken: 'T0', newToken: 'T1' }, rejectedOf());
    const twice = withNewToken(once, { oldToken: 'T1', newToken: 'T2' }, rejectedOf());
    expect(once.grantId).toBe(grantOf(first));
    expect(twice.grantId).toBe(grantOf(first));
    expect(grantOf({ refreshToken: 'T0' })).not.toBe(grantOf({ refreshToken: 'T1' }));
    expect(grantOf(first)).toMatch(/^[\w-]{22}$/);
  });

  it('try the newest token first, then the older one of the same login, then none', () => {
    const { grantId: _, ...unnamed } = theirs;
    expect(findUsableCredentials(unnamed, rejectedOf())).toBe(unnamed);
    const older = findUsableCredentials(unnamed, rejectedOf(unnamed));
    expect(older).toMatchObject({ refreshToken: 'T0', grantId: grantOf(unnamed) });
    expect(
      findUsableCredentials(unnamed, rejectedOf(unnamed, { ...unnamed, refreshToken: 'T0' })),
    ).toBeUndefined();
    expect(findUsableCredentials(first, rejectedOf(first))).toBeUndefined();
  });

  it('do not lose the login when its older token is rotated', async () => {
    // An earlier version stored two tokens and no name of the login.
    const { grantId: _, ...unnamed } = theirs;
    const store = createMemoryStore({ default: unnamed });
    const { source } = open(store);
    await source.get('default');
    expect((await source.reread('default', 'B1'))?.refreshToken).toBe('T0');
    await source.rotated('default', 'T0', 'T2');
    expect(await store.read('default')).toMatchObject({ refreshToken: 'T2', previousRefreshToken: 'T0' });
  });
});

describe('a token kept in memory', () => {
  it('belongs to its login, so that the next rotation finds its way into the keychain', async () => {
    const inner = createMemoryStore({ default: first });
    const state = { off: false };
    const { source, messages } = open({
      ...inner,
      read: (name) => (state.off ? Promise.reject(new KeychainError('locked')) : inner.read(name)),
    });
    await source.get('default');
    state.off = true;
    await source.rotated('default', 'T0', 'T1');
    expect(messages).toHaveLength(1);
    state.off = false;
    // The client goes on with the token it has; nobody asked for the account in between.
    await source.rotated('default', 'T1', 'T2');
    expect(await inner.read('default')).toMatchObject({ refreshToken: 'T2', grantId: grantOf(first) });
    expect((await source.get('default')).refreshToken).toBe('T2');
  });

  it('is not kept for an account that was never read, or whose keychain fails otherwise', async () => {
    const locked: CredentialStore = {
      ...createMemoryStore(),
      read: () => Promise.reject(new KeychainError('locked')),
    };
    const { source, messages } = open(locked);
    await expect(source.rotated('default', 'T0', 'T1')).rejects.toThrow('locked');
    expect(messages).toEqual([]);
    const inner = createMemoryStore({ default: first });
    const broken = open({ ...inner, write: () => Promise.reject(new Error('defect')) });
    await expect(rotate(broken.source, 'T1')).rejects.toThrow('defect');
  });

  it('is written again with the first call after a minute, and not before', async () => {
    const inner = createMemoryStore({ default: first });
    const state = { off: false, writes: 0 };
    const { source, clock } = open({
      ...inner,
      write: (name, value) => {
        state.writes += 1;
        return state.off ? Promise.reject(new KeychainError('locked')) : inner.write(name, value);
      },
    });
    await source.get('default');
    state.off = true;
    clock.ms = 1_000;
    await source.rotated('default', 'T0', 'T1');
    clock.ms = 60_999;
    await source.get('default');
    expect(state.writes).toBe(1);
    clock.ms = 61_000;
    await source.get('default');
    expect(state.writes).toBe(2);
    state.off = false;
    clock.ms = 120_999;
    await source.get('default');
    expect(state.writes).toBe(2);
    clock.ms = 121_000;
    await source.get('default');
    expect(await inner.read('default')).toMatchObject({ refreshToken: 'T1', previousRefreshToken: 'T0' });
    clock.ms = 500_000;
    await source.get('default');
    expect(state.writes).toBe(3);
  });

  it('is none where the account turns out to be gone', async () => {
    const inner = createMemoryStore();
    let reads = 0;
    const { source } = open({
      ...inner,
      read: (name) => (++reads === 1 ? Promise.reject(new KeychainError('locked')) : inner.read(name)),
    });
    await source.rotated('default', 'T0', 'T1');
    await expect(source.get('default')).rejects.toThrow('no credentials');
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
    const { source, messages } = open(store, env);
    await rotate(source, 'T1');
    await rotate(source, 'T2');
    expect((await source.get('default')).refreshToken).toBe('T2');
    expect(await store.list()).toEqual([]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('SELLER_REFRESH_TOKEN');
    expect(messages[0]).not.toMatch(/T[012]/);
    expect((await source.reread('default', 'T2'))?.refreshToken).toBe('T1');
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
        const old = provider.authorize();
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
