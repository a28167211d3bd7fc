/** One real token exchange with values that are not stored yet: do they work, and what is to be stored? */

import type { CredentialStore, StoredAccount, StoredToken } from '../../accounts/account.ts';
import { createMemoryStore } from '../../accounts/memory-store.ts';
import { CancelledError } from '../../base/errors.ts';
import { type ClientParts, exchangeOnce } from './client-once.ts';
import { openStored } from './open-accounts.ts';

/** Secrets: to be stored, never to be shown. */
export type TriedAccount = Awaited<ReturnType<typeof tryCredentials>>;

/**
 * Cancelled when the provider had renewed the refresh token by then, it is a try that went well: what was typed may be worthless.
 * @throws CredentialError('refused') | ApiError | NetworkError | TimeoutError | CancelledError
 */
export async function tryCredentials(
  name: string,
  account: StoredAccount,
  { config, signal, learn }: ClientParts & { signal: AbortSignal },
) {
  const memory = createMemoryStore({ [name]: account });
  // Nothing but the given values may take part: no environment, no keychain.
  const accounts = openStored(memory, { config, learn });
  const cancelled = await exchangeOnce(name, accounts, { config, signal, learn }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CancelledError) return error;
      throw error;
    },
  );
  const kept = (await memory.read(name)) ?? account;
  const rotated = kept.refreshToken !== account.refreshToken;
  if (cancelled !== undefined && !rotated) throw cancelled;
  return {
    /** With the refresh token that the identity provider returned. */
    account: kept,
    /** The access token it gave, so that the first call needs no exchange. */
    token: await memory.readToken(name),
    rotated,
  };
}

/**
 * Replaces the account whole, and the access token requested with its earlier values. A client secret that was there
 * before keeps its day.
 * @throws CredentialError('unreachable')
 */
export async function storeAccount(
  name: string,
  account: StoredAccount,
  token: StoredToken | undefined,
  store: CredentialStore,
): Promise<void> {
  // What lies there and cannot be read is replaced all the same.
  const before = await store.read(name).catch(() => undefined);
  const isKnown = before?.clientSecret === account.clientSecret && before.secretSince !== undefined;
  const secretSince = isKnown ? before.secretSince : new Date().toISOString().slice(0, 10);
  await store.write(name, { ...account, secretSince });
  // The account is safe; an access token that cannot be shared costs one exchange.
  await (token === undefined ? store.deleteToken(name) : store.writeToken(name, token)).catch(() => {});
}
