/**
 * Verifies values that are not stored yet by one real token exchange, which also determines what to store.
 */

import type { CredentialStore, StoredAccount, StoredToken } from '../../accounts/account.ts';
import { createMemoryStore } from '../../accounts/memory-store.ts';
import { CancelledError } from '../../base/errors.ts';
import { type ClientParts, exchangeOnce } from './client-once.ts';
import { openStored } from './open-accounts.ts';

/** The verified account with its secrets, which must be stored and never shown. */
export type VerifiedAccount = Awaited<ReturnType<typeof verifyCredentials>>;

/**
 * Verifies the values. A cancellation after the provider rotated the refresh token counts as success, because
 * the typed token may be invalid.
 * @throws CredentialError('refused') | ApiError | NetworkError | TimeoutError | CancelledError
 */
export async function verifyCredentials(
  name: string,
  account: StoredAccount,
  { config, signal, learn }: ClientParts & { signal: AbortSignal },
) {
  const memory = createMemoryStore({ [name]: account });
  // Only the given values are used; environment and keychain are ignored.
  const accounts = openStored(memory, { config, learn });
  const cancelled = await exchangeOnce(name, accounts, { config, signal, learn }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CancelledError) return error;
      throw error;
    },
  );
  const verified = (await memory.read(name)) ?? account;
  const rotated = verified.refreshToken !== account.refreshToken;
  if (cancelled !== undefined && !rotated) throw cancelled;
  return {
    /** The account with the refresh token that the identity provider returned. */
    account: verified,
    /** The access token of the exchange, so that the first call needs none. */
    token: await memory.readToken(name),
    rotated,
  };
}

/**
 * Replaces the whole account, and the access token of its earlier values. An unchanged client secret keeps
 * its day.
 * @throws CredentialError('unreachable')
 */
export async function storeAccount(
  name: string,
  account: StoredAccount,
  token: StoredToken | undefined,
  store: CredentialStore,
): Promise<void> {
  // An unreadable account is replaced too.
  const before = await store.read(name).catch(() => undefined);
  const isKnown = before?.clientSecret === account.clientSecret && before.secretSince !== undefined;
  const secretSince = isKnown ? before.secretSince : new Date().toISOString().slice(0, 10);
  await store.write(name, { ...account, secretSince });
  // The account is stored; an access token that cannot be shared costs one exchange.
  await (token === undefined ? store.deleteToken(name) : store.writeToken(name, token)).catch(() => {});
}
