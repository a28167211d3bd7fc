/** Opens the accounts that a command or a session may use: of the keychain, the environment or the embedded sandbox. */

import type { Sandbox } from '../../../sandbox/types.ts';
import { createAccountSource } from '../../accounts/account-source.ts';
import { isGivenName } from '../../accounts/given-accounts.ts';
import { createKeychainStore } from '../../accounts/keychain/keychain-store.ts';
import { missingAccount } from '../../accounts/missing-account.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../../accounts/types.ts';
import { addressesFor } from '../../service/facts/regions.ts';
import type { Outside } from './outside.ts';

/** How a command reaches the store of accounts; tests give one in memory. */
export type OpenStore = (io: Outside) => CredentialStore;

/** The operating system's keychain; every operation is a short-lived child of ours. */
export const openKeychain: OpenStore = ({
  execPath,
  entryFile,
  env,
  insideElectron,
  platform,
  askKeychain,
}) =>
  createKeychainStore({
    execPath,
    entryFile,
    environment: env,
    insideElectron,
    platform,
    ask: askKeychain,
  });

export interface OpenAccountsOptions {
  /** Started on first need; then no other source is used. */
  sandbox?: () => Promise<Sandbox>;
  /** Told every secret before it is handed out. */
  learn?: (secret: string, use?: string) => void;
  /** Of those that exist, which may be named; all where it is left out. */
  isShown?: (name: string) => boolean;
}

/** What has to be told to the person outside any answer goes to stderr. */
export function openAccounts(
  io: Outside,
  store: CredentialStore,
  options: OpenAccountsOptions = {},
): Accounts {
  const { sandbox, learn = io.learn, isShown } = options;
  return createAccountSource({
    config: io.config,
    store,
    addressesFor,
    learn,
    isShown,
    tell: (message) => io.stderr(`${message}\n`),
    ...(sandbox === undefined ? {} : { sandbox: async () => ({ default: sandboxAccount(await sandbox()) }) }),
  });
}

function sandboxAccount({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Sandbox): StoredAccount {
  return { ...credentials, baseUrl, authUrl, sellerId, marketplaceId };
}

/** What a principal may name and use: those of its list, and those given in its session. */
export function isAllowedTo(allowed: readonly string[]): (name: string) => boolean {
  return (name) => allowed.includes(name) || isGivenName(name);
}

/** Only those: any other is told like one that does not exist, whether it does or not. */
export function restrictAccounts(accounts: Accounts, allowed: readonly string[]): Accounts {
  const isAllowed = isAllowedTo(allowed);
  const names = async () => (await accounts.names()).filter(isAllowed);
  const only =
    <Rest extends readonly unknown[], Result>(use: (name: string, ...rest: Rest) => Promise<Result>) =>
    async (name: string, ...rest: Rest): Promise<Result> => {
      if (!isAllowed(name)) throw missingAccount(name, await names(), { sandbox: false });
      return use(name, ...rest);
    };
  return {
    names,
    get: only(accounts.get),
    profile: only(accounts.profile),
    rotated: only(accounts.rotated),
    reread: only(accounts.reread),
    readToken: only(accounts.readToken),
    writeToken: only(accounts.writeToken),
    deleteToken: only(accounts.deleteToken),
    prepareGiven: (values, like) => only((name) => accounts.prepareGiven(values, name))(like),
    describe: only(accounts.describe),
    forget: (name) => {
      if (allowed.includes(name)) accounts.forget(name);
    },
    settled: accounts.settled,
  };
}
