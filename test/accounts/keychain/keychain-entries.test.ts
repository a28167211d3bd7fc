/** Tests what the store asks of the keychain and how it reads the answers; the test plays the keychain. */

import { describe, expect, it } from 'vitest';
import type { StoredAccount } from '../../../src/accounts/account.ts';
import type { KeychainAnswer, KeychainRequest } from '../../../src/accounts/keychain/keychain-protocol.ts';
import { createKeychainStore, parseToken } from '../../../src/accounts/keychain/keychain-store.ts';
import { CredentialError } from '../../../src/base/errors.ts';

const account: StoredAccount = { clientId: 'i', clientSecret: 's', refreshToken: 'r', region: 'eu' };

function storeOn(answer: KeychainAnswer, platform = 'linux') {
  const asked: KeychainRequest[] = [];
  const store = createKeychainStore({
    execPath: '',
    entryFile: '',
    environment: {},
    platform,
    ask: async (request) => {
      asked.push(request);
      return answer;
    },
  });
  return { store, asked };
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

it('asks for one entry per account, per access token and per key; only accounts are listed', async () => {
  const { store, asked } = storeOn({ ok: true });
  const token = { accessToken: 'a', expiresAt: 1, boughtWith: 'b' };
  expect(await store.list()).toEqual([]);
  expect(await store.read('a')).toBeUndefined();
  await store.write('a', account);
  expect(await store.delete('a')).toBe(false);
  expect(await store.readToken('a')).toBeUndefined();
  await store.writeToken('a', token);
  await store.deleteToken('a');
  expect(await store.readKey('k')).toBeUndefined();
  await store.writeKey('k', 'secret');
  expect(asked).toEqual([
    { op: 'list' },
    { op: 'read', entry: 'account:a', listed: 'a' },
    { op: 'write', entry: 'account:a', value: JSON.stringify(account), listed: 'a' },
    { op: 'delete', entries: ['account:a', 'token:a'], unlisted: 'a' },
    { op: 'read', entry: 'token:a' },
    { op: 'write', entry: 'token:a', value: JSON.stringify(token) },
    { op: 'delete', entries: ['token:a'] },
    { op: 'read', entry: 'key:k' },
    { op: 'write', entry: 'key:k', value: 'secret' },
  ]);
});

it('hands on what the keychain answers', async () => {
  expect(await storeOn({ ok: true, names: ['a', 'b'] }).store.list()).toEqual(['a', 'b']);
  expect(await storeOn({ ok: true, deleted: true }).store.delete('a')).toBe(true);
  const read = storeOn({ ok: true, value: JSON.stringify({ ...account, later: 1 }) }).store;
  expect(await read.read('a')).toEqual(account);
  const token = { accessToken: 'access', expiresAt: 1, boughtWith: 'hash' };
  expect(await storeOn({ ok: true, value: JSON.stringify(token) }).store.readToken('a')).toEqual(token);
  const longer = { ...account, clientId: 'longer', clientSecret: 'than', refreshToken: 'one' };
  expect(await storeOn({ ok: true, value: JSON.stringify(longer) }).store.read('a')).toEqual(longer);
  const { store } = storeOn({ ok: false, cause: 'denied', detail: 'said no' });
  expect(await failureOf(store.list())).toMatchObject({
    reason: 'unreachable',
    keychainCause: 'denied',
    message: expect.stringContaining('said no'),
  });
});

describe('an entry that something else wrote', () => {
  it.each(['x', '{}', '[]', '{"clientId":"","clientSecret":"s","refreshToken":"r"}'])(
    'is no account, and is not quoted: %s',
    async (value) => {
      const error = await failureOf(storeOn({ ok: true, value }).store.read('shop'));
      if (!(error instanceof CredentialError)) throw new Error(`expected a CredentialError, got ${error}`);
      expect(error.reason).toBe('unreachable');
      expect(error.message).toContain('entry of account "shop" cannot be read');
      expect(error.hint).toContain('login --account shop');
    },
  );

  it('is no access token, and no error', () => {
    expect(parseToken('x')).toBeUndefined();
    expect(parseToken('{"accessToken":"","expiresAt":1,"boughtWith":"b"}')).toBeUndefined();
    const token = { accessToken: 'a', expiresAt: 1, boughtWith: 'b' };
    expect(parseToken(JSON.stringify(token))).toEqual(token);
  });
});

describe('Windows, where an entry takes 2,560 bytes', () => {
  const long = { ...account, refreshToken: 'x'.repeat(1500), previousRefreshToken: 'y'.repeat(1500) };
  const writtenValue = (request: KeychainRequest | undefined) =>
    request?.op === 'write' ? request.value : '';

  it('loses the older refresh token where both do not fit; elsewhere both are kept', async () => {
    const windows = storeOn({ ok: true }, 'win32');
    await windows.store.write('a', long);
    expect(JSON.parse(writtenValue(windows.asked[0]))).toEqual({
      ...account,
      refreshToken: long.refreshToken,
    });
    const linux = storeOn({ ok: true });
    await linux.store.write('a', long);
    expect(JSON.parse(writtenValue(linux.asked[0]))).toEqual(long);
  });

  it('counts bytes, and keeps both where they just fit', async () => {
    const { store, asked } = storeOn({ ok: true }, 'win32');
    const rest = JSON.stringify({ ...account, refreshToken: '', previousRefreshToken: 'y' }).length;
    const fits = { ...account, refreshToken: 'x'.repeat(2560 - rest), previousRefreshToken: 'y' };
    await store.write('a', fits);
    expect(JSON.parse(writtenValue(asked[0]))).toEqual(fits);
    await store.write('a', { ...fits, refreshToken: `${fits.refreshToken}x` });
    expect(JSON.parse(writtenValue(asked[1]))).not.toHaveProperty('previousRefreshToken');
    const umlauts = { ...account, refreshToken: 'ü'.repeat(1300) };
    expect(await failureOf(store.write('a', umlauts))).toMatchObject({ keychainCause: 'too-large' });
    expect(asked).toHaveLength(2);
  });

  it('says how large a value is that cannot be stored, and asks nothing; elsewhere it is stored', async () => {
    const { store, asked } = storeOn({ ok: true }, 'win32');
    const token = { accessToken: 'x'.repeat(3000), expiresAt: 1, boughtWith: '' };
    const bytes = JSON.stringify(token).length;
    expect(await failureOf(store.writeToken('a', token))).toMatchObject({
      keychainCause: 'too-large',
      message: expect.stringContaining(`${bytes} bytes`),
    });
    expect(asked).toEqual([]);
    await storeOn({ ok: true }).store.writeToken('a', token);
    await store.read('a'.repeat(3000));
    expect(asked).toHaveLength(1);
  });
});
