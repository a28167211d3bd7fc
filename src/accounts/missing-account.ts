/** The errors of an account that is not there, or only in part: what is missing, and how to give it. */

import type { Config } from '../base/config.ts';
import { CredentialError } from '../base/errors.ts';
import { howToLogin } from '../base/invocation.ts';

const HOW =
  'or set SELLER_CLIENT_ID, SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment (they define the account "default")';

/** `known`: the names that exist, sorted. */
export function missingAccount(
  name: string,
  known: readonly string[],
  config: Pick<Config, 'sandbox'>,
): CredentialError {
  return concerning(name, describeMissing(name, known, config));
}

/** The error, with the account that it is about. */
export function concerning(name: string, error: CredentialError): CredentialError {
  error.account = name;
  return error;
}

function describeMissing(
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
  const login = howToLogin(name);
  if (known.length > 0) {
    return new CredentialError(
      'missing',
      `There is no account "${name}". Accounts that exist: ${known.join(', ')}.`,
      `Use one of these names. To add the account: ${startSentence(login)}.`,
    );
  }
  return new CredentialError(
    'missing',
    `There are no credentials for account "${name}": client id, client secret and refresh token are missing.`,
    name === 'default' ? `${startSentence(login)}, ${HOW}.` : `${startSentence(login)}.`,
  );
}

const startSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
