/** Opens the accounts that a command or a session may use: of the keychain, the environment or the embedded sandbox. */

import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../../accounts/account.ts';
import { isGivenName } from '../../accounts/account.ts';
import { type AccountSourceOptions, createAccountSource } from '../../accounts/account-source.ts';
import { createKeychainStore } from '../../accounts/keychain/keychain-store.ts';
import { missingAccount } from '../../accounts/missing-account.ts';
import type { Outside } from './outside.ts';

/** Every operation is a short-lived child of ours. */
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
  /** Started on first need; then no other source is used. */
  sandbox?: () => Promise<Sandbox>;
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
    learn,
    isShown,
    tell: (message) => io.stderr(`${message}\n`),
    ...(sandbox === undefined ? {} : { sandbox: async () => ({ default: sandboxAccount(await sandbox()) }) }),
  });
}

/** Those of this store alone: whatever the environment says of one takes no part. */
export function openStored(
  store: CredentialStore,
  { config, learn }: Pick<Outside, 'config' | 'learn'>,
): Accounts {
  const alone = { ...config, clientId: undefined, clientSecret: undefined, refreshToken: undefined };
  return createAccountSource({ config: alone, store, learn });
}

function sandboxAccount({ baseUrl, authUrl, credentials, sellerId, marketplaceId }: Sandbox): StoredAccount {
  // Its client id tells one world's seller from another's; the refresh token is another one in each process.
  return { ...credentials, baseUrl, authUrl, sellerId, marketplaceId, grantId: 'sandbox' };
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
      if (!isAllowed(name)) throw missingAccount(name, await names());
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
