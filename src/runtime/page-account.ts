/** Which account a page for credentials may be for, and that what is entered there takes nobody's place. */

import type { Config } from '../config.ts';
import type { AccountInput } from '../credentials/account-input.ts';
import { isAccountName } from '../credentials/find-account.ts';
import { ENVIRONMENT_ACCOUNT, isEnvironmentUsed } from '../credentials/resolve-account.ts';
import type { Accounts, CredentialStore, StoredAccount } from '../credentials/types.ts';
import { CredentialError } from '../errors.ts';
import { howToLogin } from '../invocation.ts';

interface Surroundings {
  config: Config;
  store: CredentialStore;
  /** As the principal sees them. */
  accounts: Pick<Accounts, 'names'>;
  /** The principal's; all where it is left out. */
  allowed?: readonly string[] | undefined;
}

/**
 * Whether credentials entered for this account would be found by the call, and take the place of nobody's. Beside
 * accounts that exist, a name that only the call has is probably misspelled: its error names them. One that the
 * person has set is meant.
 */
export async function wouldHelp(
  account: string,
  { config, store, accounts, allowed }: Surroundings,
): Promise<boolean> {
  // Neither the sandbox nor the environment's account is looked for in the keychain.
  if (config.sandbox || (account === ENVIRONMENT_ACCOUNT && isEnvironmentUsed(config))) return false;
  if (!isAccountName(account) || allowed?.includes(account) === false) return false;
  try {
    const [stored, known] = await Promise.all([store.list(), accounts.names()]);
    const isMeant = known.length === 0 || (account === config.account && account !== ENVIRONMENT_ACCOUNT);
    return !stored.includes(account) && isMeant;
  } catch {
    // Nothing could be stored.
    return false;
  }
}

/**
 * The account was missing when the page was offered; a login since then is not lost to it.
 * @throws CredentialError
 */
export async function refuseReplacing(
  name: string,
  values: AccountInput,
  store: CredentialStore,
): Promise<void> {
  const found = await store.read(name);
  if (found === undefined || isSameLogin(found, values)) return;
  throw new CredentialError(
    'refused',
    `Account "${name}" was stored in the meantime, with other credentials; nothing was replaced.`,
    `Make the call again in your assistant to use those, or ${howToLogin(name)} to replace them.`,
  );
}

const isSameLogin = (found: StoredAccount, { clientId, clientSecret, refreshToken }: AccountInput) =>
  found.clientId === clientId && found.clientSecret === clientSecret && found.refreshToken === refreshToken;
