/** Says in words, for each cause, why the keychain cannot be used and what can be done instead. */

import { CredentialError } from '../../errors.ts';
import type { KeychainCause } from './keychain-protocol.ts';

const ALTERNATIVES =
  'Without a keychain, give SELLER_CLIENT_ID, SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment, ' +
  "or use the desktop bundle, whose settings keep them in the host's own secure storage.";

const explanations: Readonly<Record<KeychainCause, { what: string; next: string }>> = {
  locked: {
    what: 'The keychain is locked.',
    next: 'Unlock it (log in to your desktop session) and try again.',
  },
  denied: {
    what: 'The keychain denied access.',
    next: 'Allow this program when the system asks, or in the settings of the keychain.',
  },
  absent: {
    what: 'There is no keychain on this machine.',
    next: 'On Linux, start a Secret Service such as gnome-keyring or KeePassXC in your session.',
  },
  'not-installed': {
    what: 'The keychain module is not installed.',
    next: 'Install this package with its optional dependencies (@napi-rs/keyring).',
  },
  refused: {
    what: 'The system or the host program refused to load the keychain module.',
    next: "Start the server with your own Node instead of the host's built-in one.",
  },
  'timed-out': {
    what: 'The keychain did not answer in time.',
    next: 'If it asks for a password, answer it and try again; otherwise restart your desktop session.',
  },
  'no-child': {
    what: 'The helper process that talks to the keychain could not be started.',
    next: 'Check that this environment lets programs start processes.',
  },
  'too-large': {
    what: 'The value is too large for the keychain of this system (Windows takes 2,560 bytes).',
    next: 'Check that the values were pasted whole and only once.',
  },
  failed: { what: 'The keychain failed.', next: 'Try again.' },
};

/** A `CredentialError('unreachable')` for one cause. `detail`: the system's own words, without a secret. */
export function keychainError(cause: KeychainCause, detail = ''): KeychainError {
  return new KeychainError(cause, detail);
}

/** Carries the cause, which `status` shows. */
export class KeychainError extends CredentialError {
  readonly keychainCause: KeychainCause;

  constructor(cause: KeychainCause, detail: string) {
    const { what, next } = explanations[cause];
    super('unreachable', detail === '' ? what : `${what} (${detail})`, `${next} ${ALTERNATIVES}`);
    this.keychainCause = cause;
  }
}
