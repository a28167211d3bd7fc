/** Tells from what the native keychain module threw why the keychain cannot be used. */

import type { KeychainCause } from './keychain-protocol.ts';

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
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = patterns.find(([pattern]) => pattern.test(`${code} ${text}`));
  const detail = (text.split('\n')[0] ?? '').slice(0, MAX_DETAIL_CHARACTERS);
  return { cause: found?.[1] ?? 'failed', detail };
}
