/** login: asked at a terminal or read from a pipe, tried with a real exchange, stored, and never shown. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../src/accounts/memory-store.ts';
import { CancelledError, CredentialError, InputError, NetworkError } from '../../../../src/base/errors.ts';
import { login } from '../../../../src/program/commands/accounts/login.ts';
import { canary, createTestOutside, type TestOutside } from '../../../helpers/outside.ts';
import { type IdentityProvider, participationsIn, startIdentityProvider } from '../identity-provider.ts';

let provider: IdentityProvider;
let store: ReturnType<typeof createMemoryStore>;
const threeLines = `${canary.clientId}\n${canary.clientSecret}\n${canary.refreshToken}\n`;

beforeEach(async () => {
  provider = await startIdentityProvider();
  store = createMemoryStore();
});
afterEach(() => provider.close());

const today = () => new Date().toISOString().slice(0, 10);
const addresses = () => ({ 'base-url': provider.url, 'auth-url': provider.url });
const run = (io: TestOutside, values = {}) =>
  login.run({ values, positionals: [] }, Object.assign(io, { keychain: store }));

describe('from a pipe', () => {
  it('tries the values with one exchange and stores them, with the access token', async () => {
    const io = createTestOutside({ piped: threeLines, flags: addresses() });
    expect(await run(io)).toBe(0);
    expect(provider.exchanges).toEqual([canary.refreshToken]);
    expect(await store.read('default')).toMatchObject({
      ...canary,
      baseUrl: provider.url,
      authUrl: provider.url,
    });
    expect((await store.readToken('default'))?.accessToken).toBe('Atza|canary-access-5e21');
    expect(io.out()).toContain('Account "default" is in the keychain');
    expect(io.out()).toContain('accounts set --seller-id ID');
    expect(io.leaked()).toEqual([]);
  });

  it('stores the refresh token that the exchange returned', async () => {
    provider.rotateTo = 'Atzr|canary-rotated';
    const io = createTestOutside({ piped: threeLines, flags: addresses() });
    expect(await run(io)).toBe(0);
    expect((await store.read('default'))?.refreshToken).toBe('Atzr|canary-rotated');
    expect(io.out()).toContain('renewed the refresh token');
    expect(io.leaked()).toEqual([]);
  });

  it('stores ids and a named account, and says what it replaces', async () => {
    const flags = {
      ...addresses(),
      account: 'shop',
      'seller-id': 'A2SELLER',
      'marketplace-id': 'A1F83G8C2ARO7P',
    };
    await store.write('shop', { clientId: 'old', clientSecret: 'old', refreshToken: 'old', region: 'na' });
    const io = createTestOutside({ piped: threeLines, flags });
    expect(await run(io)).toBe(0);
    expect(io.out()).toContain('it replaces the one stored before');
    expect(io.out()).toContain('status --account shop');
    const stored = await store.read('shop');
    expect(stored).toMatchObject({ sellerId: 'A2SELLER', marketplaceId: 'A1F83G8C2ARO7P' });
    expect(stored?.region).toBeUndefined();
  });

  describe('under another name than that of the account which the environment defines', () => {
    const env = () => ({
      SELLER_CLIENT_ID: 'e',
      SELLER_CLIENT_SECRET: 'environment-secret',
      SELLER_REFRESH_TOKEN: 'Atzr|environment',
      SELLER_BASE_URL: provider.url,
      SELLER_AUTH_URL: provider.url,
      SELLER_ID: 'ADEFAULT',
      SELLER_MARKETPLACE_ID: 'ATVPDKIKX0DER',
    });
    const runFor = (flags: Record<string, string>, piped = threeLines) => {
      const all = { account: 'shop', ...flags };
      const io = createTestOutside({ piped, flags: all, env: env() });
      return login.run(
        { values: { verify: false }, positionals: [], flags: all },
        Object.assign(io, { keychain: store }),
      );
    };

    it('takes nothing of its settings, and sends nothing to its address', async () => {
      await expect(runFor({})).rejects.toMatchObject({
        problems: [{ path: 'region', message: expect.stringContaining('add --region') }],
      });
      expect(await store.list()).toEqual([]);
      await runFor({}, JSON.stringify({ ...canary, region: 'na' }));
      expect(await store.read('shop')).toEqual({ ...canary, region: 'na', secretSince: today() });
      expect(provider.exchanges).toEqual([]);
    });

    it('takes the flags beside login', async () => {
      await runFor({ region: 'eu', 'seller-id': 'A2SHOP' });
      expect(await store.read('shop')).toEqual({
        ...canary,
        region: 'eu',
        sellerId: 'A2SHOP',
        secretSince: today(),
      });
    });
  });

  it('stores nothing that was refused, and says so', async () => {
    provider.refuse = {
      status: 400,
      body: { error: 'invalid_grant', error_description: canary.refreshToken },
    };
    const io = createTestOutside({ piped: threeLines, flags: addresses() });
    const error = await run(io).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CredentialError);
    expect(error).toMatchObject({ reason: 'refused' });
    expect(JSON.stringify(error) + String(error)).not.toContain('canary');
    expect(await store.list()).toEqual([]);
    expect(io.err()).toContain('Nothing was stored.\n');
    expect(io.leaked()).toEqual([]);
  });

  it('tells of --no-verify when nobody answers, and stores untried with it', async () => {
    await provider.close();
    const io = createTestOutside({ piped: threeLines, flags: { ...addresses(), 'call-timeout-ms': '2000' } });
    await expect(run(io)).rejects.toThrow(NetworkError);
    expect(io.err()).toContain('--no-verify');
    const again = createTestOutside({ piped: threeLines, flags: addresses() });
    expect(await run(again, { verify: false })).toBe(0);
    expect(again.out()).toContain('not tried');
    expect(await store.read('default')).toMatchObject(canary);
    expect(provider.exchanges).toEqual([]);
  });

  it('drops the access token of the earlier values', async () => {
    await store.writeToken('default', { accessToken: 'old', expiresAt: Date.now() + 1e6, boughtWith: 'old' });
    await run(createTestOutside({ piped: threeLines, flags: addresses() }), { verify: false });
    expect(await store.readToken('default')).toBeUndefined();
  });

  it('uses neither environment nor keychain for the try, and tells that the environment comes first', async () => {
    const env = {
      SELLER_CLIENT_ID: 'e',
      SELLER_CLIENT_SECRET: 'e',
      SELLER_REFRESH_TOKEN: 'environment-token',
    };
    const io = createTestOutside({ piped: threeLines, flags: addresses(), env });
    expect(await run(io)).toBe(0);
    expect(provider.exchanges).toEqual([canary.refreshToken]);
    expect(io.err()).toContain('comes first for "default"');
  });

  it('names every field that is wrong, and no value', async () => {
    const piped = `${canary.clientSecret}\n${canary.clientSecret} x\n${canary.refreshToken}\n`;
    const error = await run(createTestOutside({ piped })).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      problems: [
        { path: 'clientId', message: 'This is the client secret, not the client ID' },
        { path: 'clientSecret', message: expect.stringContaining('holds a space') },
        { path: 'region', message: expect.stringContaining('add --region') },
      ],
    });
    expect(JSON.stringify(error)).not.toContain('canary');
    expect(await store.list()).toEqual([]);
  });

  it('refuses an address that is not safe', async () => {
    const piped = JSON.stringify({ ...canary, baseUrl: 'http://service.example', authUrl: provider.url });
    const error = await run(createTestOutside({ piped })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      problems: [{ path: 'baseUrl', message: expect.stringContaining('https://') }],
    });
  });

  it('asks for nothing when the keychain does not answer', async () => {
    store.list = async () => {
      throw new CredentialError('unreachable', 'The keychain is locked.', 'Unlock it.');
    };
    const io = createTestOutside();
    await expect(run(io)).rejects.toThrow('locked');
    expect(io.err()).toBe('');
  });

  it('stores nothing after a signal during the try', async () => {
    const io = createTestOutside({ piped: threeLines, flags: addresses() });
    const running = run(io);
    io.stop.abort();
    await expect(running).rejects.toThrow();
    expect(await store.list()).toEqual([]);
  });
});

describe('at a terminal', () => {
  /** Answers each prompt as it comes, as a person would. */
  async function answer(
    io: TestOutside,
    answers: readonly (readonly [prompt: string, text: string])[],
  ): Promise<void> {
    for (const [prompt, text] of answers) {
      await expect.poll(() => io.err(), { interval: 2 }).toContain(prompt);
      io.type(text);
    }
  }

  it('asks one by one, shows no secret, and stores', async () => {
    const io = createTestOutside();
    const running = run(io, { verify: false });
    await answer(io, [
      ['Region (', 'moon\r'],
      ['Please type na, eu or fe', 'EU\r'],
      ['Client ID:', `${canary.clientId}\r`],
      ['Client secret (hidden):', `${canary.clientSecret}\r`],
      ['Refresh token (hidden):', `${canary.refreshToken}\r`],
      ['Marketplaces of the region:', ''],
      ['(1 to 16; Enter for none):', 'a1f83g8c2aro7p\r'],
      ['The seller ID is needed', ''],
      ['Seller ID:', '\r'],
      ['press Enter again', '\r'],
    ]);
    expect(await running).toBe(0);
    expect(await store.read('default')).toMatchObject({
      ...canary,
      region: 'eu',
      marketplaceId: 'A1F83G8C2ARO7P',
    });
    expect(io.leaked()).toEqual([]);
    expect(io.err()).toContain(canary.clientId);
    expect(io.err()).toContain('United Kingdom (A1F83G8C2ARO7P)');
    expect(io.err()).toContain('Settings > Account Info > Merchant Token');
    expect(provider.probes).toEqual([]);
  });

  // It ends by itself, so nothing beside these three was asked.
  it('asks no region when the settings say one', async () => {
    const io = createTestOutside({ flags: { region: 'fe', 'seller-id': 'A2', 'marketplace-id': 'A1' } });
    const running = run(io, { verify: false });
    await answer(io, [
      ['Client ID:', `${canary.clientId}\r`],
      ['Client secret (hidden):', `${canary.clientSecret}\r`],
      ['Refresh token (hidden):', `${canary.refreshToken}\r`],
    ]);
    expect(await running).toBe(0);
    expect((await store.read('default'))?.region).toBe('fe');
  });

  it.each([
    ['Ctrl-C', canary.clientSecret, (io: TestOutside) => io.type('\x03')],
    ['Ctrl-D', '', (io: TestOutside) => io.type('\x04')],
    ['a signal', canary.clientSecret, (io: TestOutside) => io.stop.abort()],
    ['the end of the terminal', canary.clientSecret, (io: TestOutside) => io.stdin.push(null)],
  ])('stores nothing after %s', async (_name, typed, stop) => {
    const io = createTestOutside();
    const running = run(io);
    const outcome = expect(running).rejects.toThrow(CancelledError);
    await answer(io, [
      ['Region (', 'na\r'],
      ['Client ID:', `${canary.clientId}\r`],
      ['Client secret (hidden):', typed],
    ]);
    stop(io);
    await outcome;
    expect(await store.list()).toEqual([]);
    expect(io.leaked()).toEqual([]);
  });
});

describe('an account of the same name', () => {
  const old = {
    clientId: 'old',
    clientSecret: 'old-secret',
    refreshToken: 'old-token',
    region: 'eu' as const,
  };
  beforeEach(() => store.write('shop', old));
  const flags = () => ({ ...addresses(), account: 'shop' });

  it.each(['n\n', '\n', ''])('stays as it is when the person answers %j to the question', async (typed) => {
    const io = createTestOutside({ flags: flags() });
    const running = run(io);
    io.type(typed);
    io.stdin.push(null);
    expect(await running).toBe(1);
    expect(io.err()).toMatch(
      /Account "shop" \(eu\) is in the keychain already.*login NAME.*Replace account "shop"\?[^:?]*$/s,
    );
    expect(await store.read('shop')).toEqual(old);
    expect(io.leaked()).toEqual([]);
  });

  it('from a pipe: is told and replaced, but not with --no-replace', async () => {
    const io = createTestOutside({ piped: threeLines, flags: flags() });
    await expect(run(io, { replace: false, verify: false })).rejects.toThrow('Nothing was stored');
    expect(await store.read('shop')).toEqual(old);
    const again = createTestOutside({ piped: threeLines, flags: flags() });
    expect(await run(again, { verify: false })).toBe(0);
    expect(again.err()).toContain('the new values replace it whole');
    expect(await store.read('shop')).toMatchObject(canary);
  });
});

describe('marketplace and seller ID', () => {
  const germany = 'A1PA6795UKMFR9';
  const france = 'A13V1IB3VIYZZH';
  const asked = ['GET /sellers/v1/marketplaceParticipations'];

  /** Types the three values, then answers each prompt as it comes. */
  async function logIn(
    io: TestOutside,
    answers: readonly (readonly [prompt: string, text: string])[],
  ): Promise<number> {
    const running = run(io);
    const credentials = [canary.clientId, canary.clientSecret, canary.refreshToken];
    for (const [index, prompt] of ['Client ID:', 'Client secret', 'Refresh token'].entries()) {
      await expect.poll(() => io.err(), { interval: 2 }).toContain(prompt);
      io.type(`${credentials[index]}\r`);
    }
    for (const [prompt, text] of answers) {
      await expect.poll(() => io.err(), { interval: 2, timeout: 5000 }).toContain(prompt);
      io.type(text);
    }
    return running;
  }

  it('are asked for when the service has named the marketplaces: Enter takes the first', async () => {
    provider.participations = participationsIn(germany, france);
    const io = createTestOutside({ flags: addresses() });
    const code = await logIn(io, [
      ['(1 to 2; Enter for 1, 0 for none):', '\r'],
      ['Seller ID:', `${germany}\r`],
      ['This is the ID of a marketplace (Germany), not the seller ID.', 'A2SELLER\r'],
    ]);
    expect(code).toBe(0);
    expect(io.err()).toContain(`  1  Germany (${germany})\n  2  France (${france})\n`);
    expect(provider.probes).toEqual(asked);
    expect(provider.exchanges).toHaveLength(1);
    expect(await store.read('default')).toMatchObject({ marketplaceId: germany, sellerId: 'A2SELLER' });
    expect(io.out()).toContain('seller ID: A2SELLER');
    expect(io.leaked()).toEqual([]);
  });

  it.each([
    ['2', france],
    ['France', france],
    ['fr', france],
    ['0', undefined],
  ])('a number or a country chooses: %s', async (typed, chosen) => {
    provider.participations = participationsIn(germany, france);
    const io = createTestOutside({ flags: { ...addresses(), 'seller-id': 'A2' } });
    await logIn(io, [
      ['(1 to 2;', '3\r'],
      ['Please type a number from 0 to 2.', 'Germnay\r'],
      ['from 0 to 2. Did you mean Germany?', 'JP\r'],
      ['from 0 to 2. This account does not sell in Japan.', `${typed}\r`],
    ]);
    expect((await store.read('default'))?.marketplaceId).toBe(chosen);
  });

  it.each([
    [403, { errors: [{ code: 'Unauthorized', message: 'no role' }] }],
    [200, { payload: 'nothing' }],
    [200, participationsIn()],
  ])('the credentials stay stored when the service tells nothing (%i %j)', async (status, body) => {
    provider.participationsStatus = status;
    provider.participations = body;
    const io = createTestOutside({ flags: addresses() });
    await logIn(io, [
      ['The marketplaces were not found out:', ''],
      ['Marketplace, by country or ID (Enter for none):', '\r'],
      ['Seller ID:', 'A2SELLER\r'],
    ]);
    expect(await store.read('default')).toMatchObject({ ...canary, sellerId: 'A2SELLER' });
  });

  it('a country is stored as its marketplace, and told by name', async () => {
    provider.participationsStatus = 403;
    const io = createTestOutside({ flags: { ...addresses(), 'seller-id': 'A2SELLER' } });
    await logIn(io, [
      ['Marketplace, by country or ID (Enter for none):', 'Germny\r'],
      ['did you mean Germany?', 'Germany\r'],
    ]);
    expect((await store.read('default'))?.marketplaceId).toBe(germany);
    expect(io.out()).toContain(`marketplace: Germany (${germany})`);
  });

  it('the credentials stay stored after Ctrl-C at these questions, and it says so', async () => {
    provider.participations = participationsIn(germany);
    const io = createTestOutside({ flags: addresses() });
    const failing = logIn(io, [['(1; Enter for 1', '\x03']]);
    await expect(failing).rejects.toThrow('Cancelled. Account "default" is stored; what is missing');
    expect(await store.read('default')).toMatchObject(canary);
  });

  it('a secret is refused there, and not printed', async () => {
    provider.participations = participationsIn(germany);
    const io = createTestOutside({ flags: { ...addresses(), 'marketplace-id': germany } });
    await logIn(io, [
      ['Seller ID:', 'x y\r'],
      ['The seller ID has 1 to 64', '\r'],
      ['press Enter again', '\r'],
    ]);
    expect(provider.probes).toEqual([]);
    expect((await store.read('default'))?.sellerId).toBeUndefined();
  });

  it('from a pipe: the only marketplace is taken, several are named, and nothing is asked of a person', async () => {
    provider.participations = participationsIn(germany);
    await run(createTestOutside({ piped: threeLines, flags: addresses() }));
    expect((await store.read('default'))?.marketplaceId).toBe(germany);
    provider.participations = participationsIn(germany, france);
    const several = createTestOutside({ piped: threeLines, flags: addresses() });
    expect(await run(several)).toBe(0);
    expect(several.err()).toContain(
      `Germany (${germany}), France (${france}). To choose one, add --marketplace-id`,
    );
    expect((await store.read('default'))?.marketplaceId).toBeUndefined();
  });

  it('the service is not asked under --no-verify, nor where both are given', async () => {
    provider.participations = participationsIn(germany);
    await run(createTestOutside({ piped: threeLines, flags: addresses() }), { verify: false });
    const both = { ...addresses(), 'seller-id': 'A2', 'marketplace-id': germany };
    await run(createTestOutside({ piped: threeLines, flags: both }));
    expect(provider.probes).toEqual([]);
  });
});
