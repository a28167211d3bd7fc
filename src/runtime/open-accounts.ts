/** Opens the accounts of this process: keychain, environment, or the embedded sandbox. */

import { createAccountSource } from '../credentials/account-source.ts';
import { createKeychainStore } from '../credentials/keychain/keychain-store.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../credentials/types.ts';
import type { Sandbox } from '../sandbox/types.ts';
import { addressesFor } from '../service/facts/regions.ts';
import type { Outside } from './outside.ts';

/** How a command reaches the store of accounts; tests give one in memory. */
export type OpenStore = (io: Outside) => CredentialStore;

/** The operating system's keychain; every operation is a short-lived child of ours. */
export const openKeychain: OpenStore = ({ execPath, entryFile, env, insideElectron, platform }) =>
  createKeychainStore({ execPath, entryFile, environment: env, insideElectron, platform });

export interface OpenAccountsOptions {
  /** Started on first need; then no other source is used. */
  sandbox?: () => Promise<Sandbox>;
  /** Told every secret before it is handed out. */
  learn?: (secret: string) => void;
}

/** What has to be told to the person outside any answer goes to stderr. */
export function openAccounts(
  io: Outside,
  store: CredentialStore,
  options: OpenAccountsOptions = {},
): Accounts {
  const { sandbox, learn = io.learn } = options;
  return createAccountSource({
    config: io.config,
    store,
    addressesFor,
    learn,
    tell: (message) => io.stderr(`${message}\n`),
    ...(sandbox === undefined ? {} : { sandbox: async () => ({ default: sandboxAccount(await sandbox()) }) }),
  });
}

function sandboxAccount({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Sandbox): StoredAccount {
  return { ...credentials, baseUrl, authUrl, sellerId, marketplaceId };
}
