/**
 * Seals and opens the values of writes, so that nothing personal and no credential of ours lies on the disk
 * in clear.
 */

import { ConfigError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import type { StoredValues } from './entry.ts';

/** @param redact takes every known secret out of a text */
export function createSealedValues(sealer: () => Promise<Sealer>, redact: (text: string) => string) {
  return {
    canSeal: async () => (await sealer()).canSeal(),
    /** Returns whether an argument, or the service, repeats a credential of ours in it. */
    holdsSecret(value: unknown): boolean {
      const text = JSON.stringify(value) ?? '';
      return redact(text) !== text;
    },
    /**
     * @throws ConfigError where nothing can be sealed and the value may not lie in clear; also what the
     * sealer throws
     */
    async seal(value: unknown, isPersonal: boolean): Promise<StoredValues> {
      const own = await sealer();
      if (await own.canSeal()) return { sealed: await own.seal(JSON.stringify(value)) };
      if (isPersonal || this.holdsSecret(value)) throw keychainGone();
      return { clear: value };
    },
    /**
     * @returns undefined where it cannot be opened any more
     * @throws CredentialError when the keychain does not answer
     */
    async open(stored: StoredValues | null | undefined): Promise<unknown> {
      if (stored == null || 'clear' in stored) return stored?.clear;
      const text = await (await sealer()).open(stored.sealed);
      return text === undefined ? undefined : parseJson(text);
    },
  };
}

function keychainGone(): ConfigError {
  return new ConfigError(
    'The keychain stopped answering, so the earlier values cannot be kept; nothing was sent.',
    'Call the tool again: it says then that this cannot be undone.',
  );
}
