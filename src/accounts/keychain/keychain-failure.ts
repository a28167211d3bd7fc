/** Classifies keychain failures by what the native module threw, and explains them to the user. */

import { CredentialError, codeOf } from '../../base/errors.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import explanations from './keychain-failures.json' with { type: 'json' };

/** Long enough for the module's message, short enough for one line. */
const MAX_DETAIL_CHARACTERS = 200;

/** The first match wins. The module has one code for all failures, so only its message distinguishes them. */
const patterns: readonly (readonly [RegExp, KeychainCause])[] = [
  [/cannot find (?:package|module) '@napi-rs\/keyring'/i, 'not-installed'],
  [/native binding|dlopen|code signature|ERR_DLOPEN|loading shared librar/i, 'refused'],
  [/prompt was dismissed|\block(?:ed)?\b|interaction is not allowed/i, 'locked'],
  [/denied|not permitted|cancell?ed|not authori[sz]ed|incorrect|not correct/i, 'denied'],
  [/longer than|too long|too large/i, 'too-large'],
  [/d-?bus|no result found|no such keychain|NO_SUCH_LOGON_SESSION|not available|unavailable/i, 'absent'],
];

/**
 * Returns the cause of a keychain failure. It contains no secret, because the module's messages name only
 * attributes and system errors.
 */
export function causeOf(error: unknown): { cause: KeychainCause; detail: string } {
  const text = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const found = patterns.find(([pattern]) => pattern.test(`${code} ${text}`));
  const detail = (text.split('\n')[0] ?? '').slice(0, MAX_DETAIL_CHARACTERS);
  return { cause: found?.[1] ?? 'failed', detail };
}

const ALTERNATIVES =
  'Without a keychain, give SELLER_CLIENT_ID, SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment, ' +
  "or use the desktop bundle, whose settings keep them in the host's own secure storage.";

/** The cause of a keychain failure. */
export type KeychainCause = keyof typeof explanations;

/** A `CredentialError('unreachable')` with its cause. */
export class KeychainError extends CredentialError {
  readonly keychainCause: KeychainCause;

  /** `detail` is the message of the system or of its keychain, without a secret. */
  constructor(cause: KeychainCause, detail = '') {
    const { what, next } = explanations[cause];
    super(
      'unreachable',
      detail === '' ? what : `${what} (${new ServiceText(detail).quoted()})`,
      `${next} ${ALTERNATIVES}`,
    );
    this.keychainCause = cause;
  }
}

/** Checks a cause that another process sent. */
export function isKeychainCause(word: unknown): word is KeychainCause {
  return typeof word === 'string' && Object.hasOwn(explanations, word);
}
