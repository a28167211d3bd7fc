import { describe, expect, it } from 'vitest';
import type { CredentialStore, StoredAccount } from '../../src/accounts/account.ts';
import { type AccountSourceOptions, createAccountSource } from '../../src/accounts/account-source.ts';
import { KeychainError } from '../../src/accounts/keychain/keychain-failure.ts';
import { createMemoryStore } from '../../src/accounts/memory-store.ts';
import { buildConfig } from '../../src/base/config.ts';
import { CredentialError } from '../../src/base/errors.ts';

const stored = (label: string, more: Partial<StoredAccount> = {}): StoredAccount => ({
  clientId: `id-${label}`,
  clientSecret: `secret-${label}`,
  refreshToken: `refresh-${label}`,
  region: 'eu',
  ...more,
});

const environment = {
  SELLER_CLIENT_ID: 'id-env',
  SELLER_CLIENT_SECRET: 'secret-env',
  SELLER_REFRESH_TOKEN: 'refresh-env',
  SELLER_REGION: 'na',
};

function setUp(
  env: Record<string, string> = {},
  accounts: Record<string, StoredAccount> = {},
  more: Partial<AccountSourceOptions> = {},
) {
  const messages: string[] = [];
  const learned = new Set<string>();
  const clock = { ms: 0 };
  const store = createMemoryStore(accounts);
  const source = createAccountSource({
    config: buildConfig({}, env),
    store,
    tell: (message) => messages.push(message),
    learn: (secret) => learned.add(secret),
    now: () => clock.ms,
    ...more,
  });
  return { source, store, messages, learned, clock };
}

async function failureOf(promise: Promise<unknown>): Promise<CredentialError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CredentialError))
    throw new Error(`expected a CredentialError, got ${String(error)}`);
  return error;
}

/** A keychain that can be switched off, and counts what it is asked. */
function switchable(accounts: Record<string, StoredAccount>) {
  const inner = createMemoryStore(accounts);
  const state = { off: false, reads: 0 };
  const guarded =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (state.off) throw new KeychainError('locked');
      return run(...args);
    };
  const store: CredentialStore = {
    list: guarded(inner.list),
    read: guarded((name: string) => {
      state.reads += 1;
      return inner.read(name);
    }),
    write: guarded(inner.write),
    delete: guarded(inner.delete),
    readToken: guarded(inner.readToken),
    writeToken: guarded(inner.writeToken),
    deleteToken: guarded(inner.deleteToken),
    readKey: guarded(inner.readKey),
    writeKey: guarded(inner.writeKey),
  };
  return { store, inner, state };
}

describe('the order of resolution', () => {
  it('takes default from the environment, whole, and other accounts from the keychain', async () => {
    const { source } = setUp(environment, { default: stored('keychain'), shop: stored('shop') });
    expect(await source.get('default')).toMatchObject({
      clientId: 'id-env',
      clientSecret: 'secret-env',
      refreshToken: 'refresh-env',
      baseUrl: 'https://sellingpartnerapi-na.amazon.com',
    });
    expect((await source.describe('default')).origins).toEqual({
      clientId: 'environment',
      clientSecret: 'environment',
      refreshToken: 'environment',
      region: 'setting',
    });
    expect(await source.get('shop')).toMatchObject({
      refreshToken: 'refresh-shop',
      baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    });
    const { origins } = await source.describe('shop');
    expect(origins).toMatchObject({ refreshToken: 'keychain', region: 'keychain' });
    expect(await source.names()).toEqual(['default', 'shop']);
  });

  it.each(['SELLER_CLIENT_ID', 'SELLER_CLIENT_SECRET', 'SELLER_REFRESH_TOKEN'])(
    'names %s when the environment leaves it out, and takes nothing from the keychain',
    async (variable) => {
      const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => name !== variable));
      const { source, store } = setUp(rest, { default: stored('keychain') });
      const error = await failureOf(source.get('default'));
      expect(error.reason).toBe('missing');
      expect(error.message).toContain(`but not ${variable}`);
      expect(error.message + error.hint).not.toContain('-env');
      expect(await store.read('default')).toBeDefined();
    },
  );

  it('never gives the region or ids of one account to another', async () => {
    const { source } = setUp(
      { ...environment, SELLER_ID: 'SELLER-ENV', SELLER_MARKETPLACE_ID: 'MARKET-ENV' },
      { shop: stored('shop', { region: undefined }), two: stored('two') },
    );
    expect(await source.get('default')).toMatchObject({
      sellerId: 'SELLER-ENV',
      marketplaceId: 'MARKET-ENV',
    });
    expect((await source.get('two')).sellerId).toBeUndefined();
    const error = await failureOf(source.get('shop'));
    expect(error.message).toContain('no region');
    for (const word of ['SELLER_REGION', 'SELLER_BASE_URL', 'SELLER_AUTH_URL', 'login --account shop']) {
      expect(error.hint).toContain(word);
    }
  });

  it('completes a stored account from the settings only when it is the account in use, and tells when they differ', async () => {
    const env = { SELLER_ACCOUNT: 'shop', SELLER_REGION: 'fe', SELLER_ID: 'S' };
    const { source, messages } = setUp(env, {
      shop: stored('shop', { region: undefined }),
      two: stored('two'),
    });
    expect(await source.get('shop')).toMatchObject({
      baseUrl: 'https://sellingpartnerapi-fe.amazon.com',
      sellerId: 'S',
    });
    const { origins } = await source.describe('shop');
    expect(origins).toMatchObject({ region: 'setting', sellerId: 'setting', refreshToken: 'keychain' });
    expect(messages).toEqual([]);
    const other = setUp({ SELLER_REGION: 'fe' }, { default: stored('a') });
    expect((await other.source.get('default')).baseUrl).toBe('https://sellingpartnerapi-eu.amazon.com');
    await other.source.get('default');
    expect(other.messages).toHaveLength(1);
    expect(other.messages[0]).toContain('addresses that it was stored with');
  });

  it('takes both addresses of a setting, and says which one is missing', async () => {
    const { SELLER_REGION: _, ...secrets } = environment;
    const both = { ...secrets, SELLER_BASE_URL: 'https://a.example', SELLER_AUTH_URL: 'https://b.example' };
    expect(await setUp(both).source.get('default')).toMatchObject({
      baseUrl: 'https://a.example',
      authUrl: 'https://b.example',
    });
    const one = { ...secrets, SELLER_BASE_URL: 'https://a.example' };
    expect((await failureOf(setUp(one).source.get('default'))).message).toContain(
      'not of the identity provider',
    );
  });

  it('says what is missing, with the names that exist', async () => {
    const nothing = await failureOf(setUp().source.get('default'));
    expect(nothing.reason).toBe('missing');
    expect(nothing.hint).toContain('seller-commerce-mcp login');
    expect(nothing.hint).toContain('SELLER_REFRESH_TOKEN');
    const unknown = await failureOf(setUp(environment, { b: stored('b'), a: stored('a') }).source.get('c'));
    expect(unknown.message).toContain('Accounts that exist: default, a, b.');
    expect((await failureOf(setUp().source.get('../x'))).reason).toBe('missing');
  });

  it('gives the sandbox nothing of the settings either', async () => {
    const sandbox = async () => ({
      trial: stored('sandbox', { region: undefined, baseUrl: 'http://127.0.0.1:1' }),
    });
    const env = {
      ...environment,
      SELLER_ID: 'REAL',
      SELLER_AUTH_URL: 'https://real.example',
      SELLER_ACCOUNT: 'trial',
    };
    const { source } = setUp(env, {}, { sandbox });
    expect(await source.names()).toEqual(['trial']);
    expect((await failureOf(source.get('trial'))).message).toContain('not of the identity provider');
    expect(await source.profile('trial').catch(() => undefined)).toBeUndefined();
    const { SELLER_CLIENT_ID: _, SELLER_CLIENT_SECRET: __, SELLER_REFRESH_TOKEN: ___, ...plain } = env;
    const described = await setUp(plain, {}, { sandbox }).source.describe('trial');
    expect(described.origins.sellerId).toBeUndefined();
  });

  it('lists default first, the others by their names, whatever order the keychain has', async () => {
    const listed = { ...createMemoryStore(), list: async () => ['b', 'default', 'c', 'a'] };
    expect(await setUp({}, {}, { store: listed }).source.names()).toEqual(['default', 'a', 'b', 'c']);
    const error = await failureOf(setUp({}, {}, { store: listed }).source.get('x'));
    expect(error.message).toContain('default, a, b, c');
  });

  it('tells what is missing also where the names cannot be listed', async () => {
    const store = { ...createMemoryStore(), list: () => Promise.reject(new KeychainError('locked')) };
    expect((await failureOf(setUp({}, {}, { store }).source.get('shop'))).message).toContain(
      'There are no credentials for account "shop"',
    );
  });

  it('uses nothing but the sandbox when there is one', async () => {
    let started = 0;
    const sandbox = async () => {
      started += 1;
      return { default: stored('sandbox', { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' }) };
    };
    const { source } = setUp(environment, { shop: stored('shop') }, { sandbox });
    expect(started).toBe(0);
    expect(await source.get('default')).toMatchObject({
      refreshToken: 'refresh-sandbox',
      baseUrl: 'http://127.0.0.1:1',
    });
    const { origins } = await source.describe('default');
    expect(origins).toMatchObject({ refreshToken: 'sandbox', baseUrl: 'sandbox' });
    expect(await source.profile('default')).toMatchObject({ isSandbox: true });
    expect(await source.names()).toEqual(['default']);
    expect((await failureOf(source.get('shop'))).message).toContain('The sandbox has no account');
    expect(started).toBe(1);
  });
});

describe('the keychain', () => {
  it('is asked once for many callers, and again after a minute', async () => {
    const { store, inner, state } = switchable({ default: stored('a') });
    const { source, clock } = setUp({}, {}, { store });
    await Promise.all(Array.from({ length: 50 }, () => source.get('default')));
    expect(state.reads).toBe(1);
    await inner.write('default', stored('b'));
    clock.ms += 59_000;
    expect((await source.get('default')).refreshToken).toBe('refresh-a');
    clock.ms += 2000;
    expect((await source.get('default')).refreshToken).toBe('refresh-b');
    await inner.delete('default');
    clock.ms += 61_000;
    expect((await failureOf(source.get('default'))).reason).toBe('missing');
  });

  it('finds an account that was stored after it was missing, at once', async () => {
    const { source, store } = setUp();
    await failureOf(source.get('default'));
    await store.write('default', stored('page'));
    expect((await source.get('default')).refreshToken).toBe('refresh-page');
    await store.write('default', stored('login'));
    source.forget('default');
    expect((await source.get('default')).refreshToken).toBe('refresh-login');
  });

  it('that does not answer is its own error, unless it answered before or is not needed', async () => {
    const { store, state } = switchable({ default: stored('a') });
    const { source, clock } = setUp({}, {}, { store });
    state.off = true;
    expect((await failureOf(source.get('default'))).reason).toBe('unreachable');
    await expect(source.names()).rejects.toThrow('locked');
    state.off = false;
    await source.get('default');
    state.off = true;
    clock.ms += 120_000;
    expect((await source.get('default')).refreshToken).toBe('refresh-a');
    const withEnvironment = setUp(environment, {}, { store });
    expect((await withEnvironment.source.get('default')).refreshToken).toBe('refresh-env');
    expect(await withEnvironment.source.names()).toEqual(['default']);
  });

  it('is passed over for what can do without it; a defect is not', async () => {
    const { store, state } = switchable({ default: stored('a') });
    const { source } = setUp({}, {}, { store });
    await source.get('default');
    state.off = true;
    expect(await source.reread('default', 'refresh-a')).toBeUndefined();
    const broken = {
      ...createMemoryStore(),
      read: () => Promise.reject(new Error('defect')),
      readToken: () => Promise.reject(new Error('defect')),
    };
    const defect = setUp({ SELLER_REGION: 'na' }, {}, { store: broken }).source;
    for (const using of [
      defect.reread('default', 'x'),
      defect.readToken('default'),
      defect.profile('default'),
      defect.prepareGiven(GIVEN, 'default'),
    ])
      await expect(using).rejects.toThrow('defect');
  });

  it('is reread for an account that is gone: nothing is left to try', async () => {
    const { source, store } = setUp({}, { default: stored('a') });
    await source.get('default');
    await store.delete('default');
    expect(await source.reread('default', 'refresh-a')).toBeUndefined();
    expect(await setUp().source.reread('default', 'refresh-a')).toBeUndefined();
  });

  it('shares access tokens; that they cannot be shared does not fail the call', async () => {
    const { store, inner, state } = switchable({ default: stored('a') });
    const { source, learned } = setUp({}, {}, { store });
    const token = { accessToken: 'access-1', expiresAt: 1, boughtWith: 'x' };
    await source.writeToken('default', token);
    expect(await inner.readToken('default')).toEqual(token);
    expect(await source.readToken('default')).toEqual(token);
    expect(learned).toContain('access-1');
    const theirs = { ...token, accessToken: 'access-of-another-process' };
    await inner.writeToken('default', theirs);
    expect(await source.readToken('default')).toEqual(theirs);
    expect(learned).toContain('access-of-another-process');
    state.off = true;
    expect(await source.readToken('default')).toBeUndefined();
    await source.writeToken('default', token);
    const fromEnvironment = setUp(environment);
    await fromEnvironment.source.writeToken('default', token);
    expect(await fromEnvironment.store.readToken('default')).toBeUndefined();
    expect(await fromEnvironment.source.readToken('default')).toEqual(token);
  });
});

/** The credentials that a caller passes as arguments. */
const GIVEN = { clientId: 'id-given', clientSecret: 'secret-given', refreshToken: 'refresh-given' };

describe('credentials given as arguments', () => {
  const hold = async (source: ReturnType<typeof setUp>['source'], values = GIVEN, like = 'shop') => {
    const { profile, hold: keep } = await source.prepareGiven(values, like);
    return { name: profile.name, takeBack: await keep() };
  };

  it('are an account of their own at the same addresses, with no seller of anybody, in memory', async () => {
    const shop = stored('shop', { sellerId: 'A1SELLER', marketplaceId: 'M1' });
    const { source, store, learned } = setUp(environment, { shop });
    const prepared = await source.prepareGiven(GIVEN, 'shop');
    expect(prepared.profile).toEqual({
      name: expect.stringMatching(/^given:[0-9a-f]{12}$/),
      baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
      authUrl: 'https://api.amazon.com',
      login: { clientId: 'id-given', grant: expect.any(String) },
      isGiven: true,
    });
    expect(JSON.stringify(prepared)).not.toMatch(/secret-given|refresh-given/);
    // The user has not approved yet: the account does not exist, and the given values are not redacted in
    // answers.
    const { name } = prepared.profile;
    expect(await source.names()).toEqual(['default', 'shop']);
    expect(learned).not.toContain('secret-given');
    await expect(source.get(name)).rejects.toThrow(
      /in this process: credentials given to exchange_token last/,
    );
    await prepared.hold();
    expect(await source.names()).toEqual(['default', name, 'shop']);
    expect(learned).toContain('secret-given');
    expect(await source.get(name)).toMatchObject({
      ...GIVEN,
      name,
      baseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    });
    expect(await source.profile(name)).toMatchObject({ isGiven: true, login: prepared.profile.login });
    expect((await source.get(name)).sellerId).toBeUndefined();
    const { origins } = await source.describe(name);
    expect(origins).toMatchObject({ refreshToken: 'argument', baseUrl: 'argument' });
    await source.writeToken(name, { accessToken: 'bought', expiresAt: 1, boughtWith: 'x' });
    expect(await store.list()).toEqual(['shop']);
    expect((await source.get('shop')).refreshToken).toBe('refresh-shop');
    expect((await source.get('default')).refreshToken).toBe('refresh-env');
  });

  it('keep the refresh token they were rotated to, also when they are given again', async () => {
    const { source, store, messages } = setUp({}, { shop: stored('shop') });
    const { name } = await hold(source);
    await source.rotated(name, 'refresh-given', 'refresh-next');
    const again = await hold(source);
    expect(again.name).toBe(name);
    again.takeBack();
    expect((await source.get(name)).refreshToken).toBe('refresh-next');
    expect((await source.profile(name)).login).toEqual(
      (await source.prepareGiven(GIVEN, 'shop')).profile.login,
    );
    expect((await store.read('shop'))?.refreshToken).toBe('refresh-shop');
    expect(messages).toEqual([expect.stringContaining('given as an argument')]);
  });

  it('are taken back alone', async () => {
    const { source } = setUp({}, { shop: stored('shop') });
    const one = await hold(source);
    const two = await hold(source, { ...GIVEN, clientSecret: 'another-secret' });
    expect(two.name).not.toBe(one.name);
    one.takeBack();
    expect(await source.names()).toEqual([two.name, 'shop']);
    await expect(source.get(one.name)).rejects.toThrow('in this process');
  });

  it('of another process, or with other addresses, have another name', async () => {
    const names = await Promise.all(
      [
        setUp({}, { shop: stored('shop'), na: stored('na', { region: 'na' }) }),
        setUp({}, { shop: stored('shop') }),
      ].map(async ({ source }) => (await source.prepareGiven(GIVEN, 'shop')).profile.name),
    );
    const { source } = setUp({}, { shop: stored('shop'), na: stored('na', { region: 'na' }) });
    for (const like of ['shop', 'na']) names.push((await source.prepareGiven(GIVEN, like)).profile.name);
    expect(new Set(names).size).toBe(4);
  });

  it('never take the place of an account, whatever the keychain holds under their name', async () => {
    const { source, store } = setUp({}, { shop: stored('shop') });
    const { name } = await hold(source);
    await store.write(name, stored('planted'));
    expect((await source.get(name)).refreshToken).toBe('refresh-given');
    const other = setUp({}, { [name]: stored('planted'), shop: stored('shop') });
    await expect(other.source.get(name)).rejects.toThrow('in this process');
  });

  it('need addresses, and no keychain where the settings have them', async () => {
    const { store, state } = switchable({});
    state.off = true;
    const { source } = setUp({ SELLER_REGION: 'na' }, {}, { store });
    expect((await source.prepareGiven(GIVEN, 'default')).profile.baseUrl).toBe(
      'https://sellingpartnerapi-na.amazon.com',
    );
    expect((await failureOf(source.prepareGiven(GIVEN, 'other'))).reason).toBe('unreachable');
    expect((await failureOf(setUp().source.prepareGiven(GIVEN, 'other'))).reason).toBe('missing');
  });

  it.each([
    [{ refreshToken: 'r' }, ['client_id', 'client_secret']],
    [{ clientId: 'id-shop', clientSecret: 'renewed' }, ['refresh_token']],
    [{ clientId: 'i' }, ['client_secret', 'refresh_token']],
    [{ ...GIVEN, clientId: 'two\nlines' }, ['client_id']],
    [{ ...GIVEN, clientId: 'amzn1.oa2-cs.v1.secret' }, ['client_id']],
    [{ ...GIVEN, clientId: `id-${GIVEN.clientSecret}` }, ['client_id']],
    [{ ...GIVEN, refreshToken: 'x'.repeat(4097) }, ['refresh_token']],
  ])('are refused by name where they are incomplete or cannot be right: %j', async (values, paths) => {
    const { source } = setUp({}, { shop: stored('shop') });
    const failure: unknown = await source.prepareGiven(values, 'shop').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'InputError', problems: paths.map((path) => ({ path })) });
    expect(JSON.stringify([String(failure), Object(failure).problems])).not.toMatch(/secret-given|renewed/);
  });
});

describe('profile and description', () => {
  it('gives the profile without secrets when the addresses are configured', async () => {
    const { store, state } = switchable({});
    const { source } = setUp({ SELLER_REGION: 'na', SELLER_ID: 'S' }, {}, { store });
    expect(await source.profile('default')).toEqual({
      name: 'default',
      baseUrl: 'https://sellingpartnerapi-na.amazon.com',
      authUrl: 'https://api.amazon.com',
      sellerId: 'S',
    });
    state.off = true;
    expect((await source.profile('default')).baseUrl).toBe('https://sellingpartnerapi-na.amazon.com');
    expect((await failureOf(source.profile('shop'))).reason).toBe('unreachable');
    expect((await failureOf(setUp().source.profile('default'))).reason).toBe('missing');
    const partial = setUp({ SELLER_CLIENT_ID: 'x', SELLER_REGION: 'na' });
    expect((await partial.source.profile('default')).baseUrl).toBe('https://sellingpartnerapi-na.amazon.com');
  });

  it('says whose limits calls count against: the application and the seller, or the login', async () => {
    const { source } = setUp({}, { default: stored('a', { sellerId: 'SELLER' }), two: stored('a') });
    expect((await source.profile('default')).quota).toEqual({ application: 'id-a', seller: 'SELLER' });
    const { quota } = await source.profile('two');
    expect(quota?.seller).toMatch(/^[\w-]{22}$/);
    await source.get('two');
    await source.rotated('two', 'refresh-a', 'refresh-next');
    expect((await source.profile('two')).quota).toEqual(quota);
  });

  it('describes each value by its origin, never by the value', async () => {
    const { source } = setUp(
      { SELLER_CLIENT_ID: 'id-env', SELLER_REGION: 'na' },
      { shop: stored('shop', { sellerId: 'SELLER' }) },
    );
    const shop = await source.describe('shop');
    expect(shop.problem).toBeUndefined();
    expect(shop.origins).toMatchObject({ clientSecret: 'keychain', sellerId: 'keychain' });
    expect(shop.origins.baseUrl).toBeUndefined();
    expect(JSON.stringify(shop)).not.toMatch(/secret-shop|refresh-shop|id-shop|SELLER"/);
    const partial = await source.describe('default');
    expect(partial.problem?.message).toContain('SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN');
    expect(partial.origins).toEqual({ clientId: 'environment', region: 'setting' });
    expect((await source.describe('none')).problem?.message).toContain('There is no account "none"');
  });
});
