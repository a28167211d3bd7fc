/** Tests what the native module's error messages mean, and what the user reads about them. */

import { expect, it } from 'vitest';
import { causeOf, isKeychainCause, KeychainError } from '../../../src/accounts/keychain/keychain-failure.ts';

it.each([
  ["Cannot find package '@napi-rs/keyring' imported from /app/main.mjs", 'not-installed'],
  ["Cannot find module '@napi-rs/keyring'", 'not-installed'],
  ['Cannot find native binding. npm has a bug', 'refused'],
  ['libsecret.so: error while loading shared libraries', 'refused'],
  ['code signature in x.node not valid for use in process', 'refused'],
  ['The collection is locked', 'locked'],
  ['Secret Service: prompt was dismissed', 'locked'],
  ['User interaction is not allowed.', 'locked'],
  ['The database has a lock on it', 'locked'],
  ['Access denied', 'denied'],
  ['The application is not authorized', 'denied'],
  ['not authorized to send', 'denied'],
  ['The user name or passphrase you entered is not correct.', 'denied'],
  ['The operation was canceled', 'denied'],
  ['Attribute password is longer than platform limit of 2560 chars', 'too-large'],
  ['Couldn’t access platform storage: Secret Service: no result found', 'absent'],
  ['D-Bus error: connection refused', 'absent'],
  ['no dbus session', 'absent'],
  ['The Secret Service is not available', 'absent'],
  ['ERROR_NO_SUCH_LOGON_SESSION', 'absent'],
  // No keychain blocks, and no block is a lock.
  ['Blocked by something', 'failed'],
  ['something else', 'failed'],
])('%s: %s', (words, cause) => {
  expect(causeOf(new Error(words))).toEqual({ cause, detail: words });
});

it('goes by the code too, and by what is thrown that is no error', () => {
  const error = Object.assign(new Error('no reason'), { code: 'ERR_DLOPEN_FAILED' });
  expect(causeOf(error)).toEqual({ cause: 'refused', detail: 'no reason' });
  expect(causeOf('is locked')).toEqual({ cause: 'locked', detail: 'is locked' });
  expect(causeOf(undefined)).toEqual({ cause: 'failed', detail: 'undefined' });
});

it('quotes the first line, 200 characters at most', () => {
  expect(causeOf(new Error('denied\nat x')).detail).toBe('denied');
  expect(causeOf(new Error('x'.repeat(300))).detail).toBe('x'.repeat(200));
});

it.each([
  'locked',
  'denied',
  'absent',
  'not-installed',
  'refused',
  'timed-out',
  'no-child',
  'too-large',
  'failed',
] as const)('tells a person of each cause what to do, and what to do without a keychain: %s', (cause) => {
  expect(isKeychainCause(cause)).toBe(true);
  const error = new KeychainError(cause, 'own words\u001b');
  expect(error).toMatchObject({ name: 'CredentialError', reason: 'unreachable', keychainCause: cause });
  expect(error.message).toMatch(/^[A-Z].*keychain.*\. \(«own words\\u\{1B\}»\)$/);
  expect(error.hint).toMatch(/^[A-Z].+\. Without a keychain, give SELLER_CLIENT_ID.*desktop bundle/);
  expect(new KeychainError(cause).message).toMatch(/\.$/);
});

it('knows no other cause', () => {
  expect(['', 'toString', 'of a later version', undefined, 1].filter(isKeychainCause)).toEqual([]);
});
