/**
 * The `accounts set` command sets the seller ID and marketplace of a keychain account, without its secrets.
 */

import type { CredentialStore, StoredAccount } from '../../../accounts/account.ts';
import { isAccountName } from '../../../accounts/account.ts';
import { parseAccountIds, storeAccountIds } from '../../../accounts/account-ids.ts';
import { missingAccountError } from '../../../accounts/missing-account.ts';
import { ENVIRONMENT_ACCOUNT, isEnvironmentUsed } from '../../../accounts/resolve-account.ts';
import { InputError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { marketplaceLabel } from '../../../service/facts/marketplaces.ts';
import { openKeychain } from '../../runtime/open-accounts.ts';
import type { Outside } from '../../runtime/outside.ts';
import type { CommandArguments } from '../line/command.ts';

/**
 * Sets the IDs.
 * @throws InputError | CredentialError, with nothing changed
 */
export async function setIds(
  { positionals: [, word], flags = {} }: CommandArguments,
  io: Outside,
): Promise<number> {
  const name = nameOf(word, flags.account, io);
  // Only flags count, because the environment's values belong to whatever is started in it.
  const sellerId = flags['seller-id'] === undefined ? undefined : io.config.sellerId;
  const marketplaceId = flags['marketplace-id'] === undefined ? undefined : io.config.marketplaceId;
  if (sellerId === undefined && marketplaceId === undefined) {
    throw new InputError(
      'What is to be set is not given. Nothing was changed.',
      'Add --seller-id ID, --marketplace-id COUNTRY, or both.',
    );
  }
  const store = openKeychain(io);
  const account = await readStored(name, store, io);
  const checked = parseAccountIds({ sellerId, marketplaceId }, [account.clientSecret, account.refreshToken]);
  if (!checked.ok)
    throw new InputError('Nothing was changed.', 'Correct it and try again.', checked.problems);
  const ids = checked.value;
  const marketplace = ids.marketplaceId && (marketplaceLabel(ids.marketplaceId) ?? ids.marketplaceId);
  if (!(await storeAccountIds(name, ids, account, store))) {
    throw new InputError(`Account "${name}" was removed or replaced in the meantime. Nothing was changed.`);
  }
  io.stdout(
    [
      `Account "${name}" in the keychain now has:`,
      ...(ids.sellerId === undefined ? [] : [`  seller ID: ${ids.sellerId}`]),
      ...(marketplace === undefined ? [] : [`  marketplace: ${marketplace}`]),
      'Its credentials are as they were.',
      `To check everything: ${commandLine(name === 'default' ? 'status' : `status --account ${name}`)}`,
      '',
    ].join('\n'),
  );
  return 0;
}

function nameOf(
  word: string | undefined,
  flag: string | boolean | undefined,
  { config }: Pick<Outside, 'config'>,
): string {
  if (word === undefined || flag === undefined || flag === word) return word ?? config.account;
  throw new InputError(
    'accounts set is given two names: one as a word, another with --account.',
    'Give one of them. Nothing was changed.',
  );
}

async function readStored(
  name: string,
  store: CredentialStore,
  { config }: Pick<Outside, 'config'>,
): Promise<StoredAccount> {
  const account = isAccountName(name) ? await store.read(name) : undefined;
  if (account !== undefined) return account;
  if (name === ENVIRONMENT_ACCOUNT && isEnvironmentUsed(config)) {
    throw new InputError(
      `Account "${name}" is defined by the environment, not by the keychain. Nothing was changed.`,
      'Set SELLER_ID and SELLER_MARKETPLACE_ID beside the other variables.',
    );
  }
  throw missingAccountError(name, await store.list());
}
