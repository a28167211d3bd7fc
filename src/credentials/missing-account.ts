/** The errors of an account that is not there, or only in part: what is missing, and how to give it. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import type { OverrideValues, StoredAccount } from './types.ts';

const HOW =
  'or set SELLER_CLIENT_ID, SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment (they define the account "default")';

/** `known`: the names that exist, sorted. */
export function missingAccount(
  name: string,
  known: readonly string[],
  config: Pick<Config, 'sandbox'>,
): CredentialError {
  if (config.sandbox) {
    return new CredentialError(
      'missing',
      `The sandbox has no account "${name}".`,
      `Accounts: ${known.join(', ')}.`,
    );
  }
  const login =
    name === 'default'
      ? 'Run `seller-commerce-mcp login`'
      : `Run \`seller-commerce-mcp login --account ${name}\``;
  if (known.length > 0) {
    return new CredentialError(
      'missing',
      `There is no account "${name}". Accounts that exist: ${known.join(', ')}.`,
      `Use one of these names. To add the account: ${login}.`,
    );
  }
  return new CredentialError(
    'missing',
    `There are no credentials for account "${name}": client id, client secret and refresh token are missing.`,
    name === 'default' ? `${login}, ${HOW}.` : `${login}.`,
  );
}

/**
 * Arguments may leave values out only when what is left out belongs to the same application.
 * @throws CredentialError
 */
export function checkOverride(name: string, values: OverrideValues, base: StoredAccount | undefined): void {
  const missing = [
    values.clientId === undefined ? 'client_id' : undefined,
    values.clientSecret === undefined ? 'client_secret' : undefined,
    values.refreshToken === undefined ? 'refresh_token' : undefined,
  ].filter((label) => label !== undefined);
  if (missing.length === 0) return;
  if (base === undefined) {
    throw new CredentialError(
      'missing',
      `Account "${name}" has no credentials that could fill in ${missing.join(' and ')}.`,
      `Give ${missing.join(' and ')} too, or run \`seller-commerce-mcp login --account ${name}\`.`,
    );
  }
  if (values.clientId === undefined || values.clientId === base.clientId) return;
  throw new CredentialError(
    'missing',
    `client_id names another application than that of account "${name}", whose ${missing.join(' and ')} cannot go with it.`,
    `Give ${missing.join(' and ')} too, or leave client_id out.`,
  );
}
