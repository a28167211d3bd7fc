/** Why the keychain cannot be used: told from what the native module threw, and said to a person in words. */

import { CredentialError, codeOf } from '../../base/errors.ts';
import { ServiceText } from '../../base/text/service-text.ts';
import explanations from './keychain-failures.json' with { type: 'json' };

/** Long enough for the module's own words, short enough for one line. */
const MAX_DETAIL_CHARACTERS = 200;

/** First match wins. The module gives one code for everything, so its words are all there is to go by. */
const patterns: readonly (readonly [RegExp, KeychainCause])[] = [
  [/cannot find (?:package|module) '@napi-rs\/keyring'/i, 'not-installed'],
  [/native binding|dlopen|code signature|ERR_DLOPEN|loading shared librar/i, 'refused'],
  [/prompt was dismissed|\block(?:ed)?\b|interaction is not allowed/i, 'locked'],
  [/denied|not permitted|cancell?ed|not authori[sz]ed|incorrect|not correct/i, 'denied'],
  [/longer than|too long|too large/i, 'too-large'],
  [/d-?bus|no result found|no such keychain|NO_SUCH_LOGON_SESSION|not available|unavailable/i, 'absent'],
];

/** Never holds a secret: the module's messages name attributes and system errors. */
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

/** Why the keychain did not do what it was asked. */
export type KeychainCause = keyof typeof explanations;

/** A `CredentialError('unreachable')` for one cause. */
export class KeychainError extends CredentialError {
  readonly keychainCause: KeychainCause;

  /** `detail`: the words of the system, or of whatever stands behind its keychain, without a secret. */
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

/** For a word that another process said. */
export function isKeychainCause(word: unknown): word is KeychainCause {
  return typeof word === 'string' && Object.hasOwn(explanations, word);
}
