/** The `logout` command deletes an account and its access token from the keychain. */

import { ENVIRONMENT_ACCOUNT, isEnvironmentUsed } from '../../../accounts/resolve-account.ts';
import { openKeychain } from '../../runtime/open-accounts.ts';
import type { Outside } from '../../runtime/outside.ts';
import type { Command } from '../line/command.ts';

export const logout: Command = {
  name: 'logout',
  summary: 'Delete an account and its access token from the keychain',
  positionals: '[account]',
  takes: 1,
  positionalFlag: 'account',
  options: {},
  details: [
    'logout NAME, or --account NAME, names the account (without one: default). Exit code 0: it was deleted; 1: there was none.',
    'At the service, the authorization stays: withdraw it there to make the refresh token worthless.',
  ].join('\n'),
  async run(_args, io) {
    const name = io.config.account;
    const store = openKeychain(io);
    const wasThere = await store.delete(name);
    if (wasThere) io.stdout(`Account "${name}" and its access token are deleted from the keychain.\n`);
    else
      io.stderr(
        `There is no account "${name}" in the keychain; nothing was deleted. ${others(await store.list())}\n`,
      );
    warnAboutEnvironment(name, io);
    return wasThere ? 0 : 1;
  },
};

function others(names: readonly string[]): string {
  return names.length === 0 ? 'The keychain holds no account.' : `Accounts there: ${names.join(', ')}.`;
}

function warnAboutEnvironment(name: string, { config, stderr }: Outside): void {
  if (name !== ENVIRONMENT_ACCOUNT || !isEnvironmentUsed(config)) return;
  stderr(
    'Note: the environment still defines "default" (SELLER_CLIENT_ID, SELLER_CLIENT_SECRET, SELLER_REFRESH_TOKEN); unset these to end that too.\n',
  );
}
