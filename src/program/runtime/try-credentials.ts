/** One real token exchange with values that are not stored yet: do they work, and what is to be stored? */

import { createAccountSource } from '../../accounts/account-source.ts';
import { createMemoryStore } from '../../accounts/memory-store.ts';
import type { CredentialStore, StoredAccount, StoredToken } from '../../accounts/types.ts';
import type { Config } from '../../base/config.ts';
import { addressesFor } from '../../service/facts/regions.ts';
import { exchangeOnce } from './exchange-once.ts';

/** Secrets: to be stored, never to be shown. */
export interface TriedAccount {
  /** With the refresh token that the identity provider returned. */
  account: StoredAccount;
  /** The access token it gave, so that the first call needs no exchange. */
  token?: StoredToken;
  rotated: boolean;
}

/** @throws CredentialError('refused') | ApiError | NetworkError | TimeoutError | CancelledError */
export async function tryCredentials(
  name: string,
  account: StoredAccount,
  {
    config,
    signal,
    learn,
  }: { config: Config; signal: AbortSignal; learn(secret: string, use?: string): void },
): Promise<TriedAccount> {
  const memory = createMemoryStore({ [name]: account });
  // Nothing but the given values may take part: no environment, no keychain.
  const alone = { ...config, clientId: undefined, clientSecret: undefined, refreshToken: undefined };
  const accounts = createAccountSource({ config: alone, store: memory, addressesFor, learn });
  const { rotated } = await exchangeOnce(name, accounts, { config, signal, learn });
  const kept = (await memory.read(name)) ?? account;
  return { account: kept, token: await memory.readToken(name), rotated };
}

/** Replaces the account whole, and the access token requested with its earlier values. @throws CredentialError('unreachable') */
export async function storeAccount(
  name: string,
  account: StoredAccount,
  token: StoredToken | undefined,
  store: CredentialStore,
): Promise<void> {
  await store.write(name, account);
  // The account is safe; an access token that cannot be shared costs one exchange.
  await (token === undefined ? store.deleteToken(name) : store.writeToken(name, token)).catch(() => {});
}
