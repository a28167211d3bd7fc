/**
 * Opens the accounts that a command or a session may use: from the keychain, the environment or the embedded
 * sandbox.
 */

import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../../accounts/account.ts';
import { isGivenName } from '../../accounts/account.ts';
import { type AccountSourceOptions, createAccountSource } from '../../accounts/account-source.ts';
import { createKeychainStore } from '../../accounts/keychain/keychain-store.ts';
import { missingAccountError } from '../../accounts/missing-account.ts';
import type { Outside } from './outside.ts';

/** Opens the keychain; each operation runs a short-lived child process. */
export function openKeychain({
  keychain,
  execPath,
  entryFile,
  env: environment,
  insideElectron,
  platform,
}: Outside): CredentialStore {
  return keychain ?? createKeychainStore({ execPath, entryFile, environment, insideElectron, platform });
}

export interface OpenAccountsOptions extends Pick<AccountSourceOptions, 'learn' | 'isShown'> {
  /** Starts the sandbox on first need; no other source is used then. */
  sandbox?: () => Promise<Sandbox>;
}

/** Opens the accounts. Messages to the user outside any answer go to stderr. */
export function openAccounts(
  io: Outside,
  store: CredentialStore,
  options: OpenAccountsOptions = {},
): Accounts {
  const { sandbox, learn = io.learn, isShown } = options;
  return createAccountSource({
    config: io.config,
    store,
    learn,
    isShown,
    tell: (message) => io.stderr(`${message}\n`),
    ...(sandbox === undefined ? {} : { sandbox: async () => ({ default: sandboxAccount(await sandbox()) }) }),
  });
}

/** Opens the accounts of this store alone, ignoring the environment. */
export function openStored(
  store: CredentialStore,
  { config, learn }: Pick<Outside, 'config' | 'learn'>,
): Accounts {
  const alone = { ...config, clientId: undefined, clientSecret: undefined, refreshToken: undefined };
  return createAccountSource({ config: alone, store, learn });
}

function sandboxAccount({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Sandbox): StoredAccount {
  // The client ID distinguishes the sellers of different sandbox states; the refresh token differs in each
  // process.
  return { ...credentials, baseUrl, authUrl, sellerId, marketplaceId, grantId: 'sandbox' };
}

/**
 * Returns the filter for the accounts that a principal may use: its own list, and those given in its session.
 */
export function isAllowedTo(allowed: readonly string[]): (name: string) => boolean {
  return (name) => allowed.includes(name) || isGivenName(name);
}

/** Restricts the accounts; any other account gets the error of a missing one, whether it exists or not. */
export function restrictAccounts(accounts: Accounts, allowed: readonly string[]): Accounts {
  const isAllowed = isAllowedTo(allowed);
  const names = async () => (await accounts.names()).filter(isAllowed);
  const only =
    <Rest extends readonly unknown[], Result>(use: (name: string, ...rest: Rest) => Promise<Result>) =>
    async (name: string, ...rest: Rest): Promise<Result> => {
      if (!isAllowed(name)) throw missingAccountError(name, await names());
      return use(name, ...rest);
    };
  return {
    names,
    get: only(accounts.get),
    profile: only(accounts.profile),
    rotated: only(accounts.rotated),
    reread: only(accounts.reread),
    renew: only(accounts.renew),
    readToken: only(accounts.readToken),
    writeToken: only(accounts.writeToken),
    prepareGiven: (values, like) => only((name) => accounts.prepareGiven(values, name))(like),
    describe: only(accounts.describe),
    forget: (name) => {
      if (allowed.includes(name)) accounts.forget(name);
    },
    settled: accounts.settled,
  };
}
