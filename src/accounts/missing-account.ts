/** Builds the errors for a missing or incomplete account, with what is missing and how to give it. */

import { CredentialError } from '../base/errors.ts';
import { howToHave, howToLogin } from '../base/invocation.ts';

const HOW =
  'or set SELLER_CLIENT_ID, SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment (they define the account "default")';

/** Builds the error for an unknown account. `known` has the sorted names of the existing ones. */
export function missingAccountError(
  name: string,
  known: readonly string[],
  isSandbox = false,
): CredentialError {
  const login = startSentence(howToLogin(name));
  if (isSandbox) {
    return missingValuesError(
      name,
      `The sandbox has no account "${name}".`,
      `Accounts: ${known.join(', ')}.`,
    );
  }
  if (known.length > 0) {
    return missingValuesError(
      name,
      `There is no account "${name}". Accounts that exist: ${known.join(', ')}.`,
      `Use one of these names. To add the account: ${login}.`,
    );
  }
  return missingValuesError(
    name,
    `There are no credentials for account "${name}": client id, client secret and refresh token are missing.`,
    name === 'default' ? `${startSentence(howToHave('add them', () => `${login}, ${HOW}`))}.` : `${login}.`,
  );
}

/** Builds the error with the account that it is about. */
export function missingValuesError(name: string, message: string, hint: string): CredentialError {
  const error = new CredentialError('missing', message, hint);
  error.account = name;
  return error;
}

export const startSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
