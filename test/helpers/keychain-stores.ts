/** The real keychain as a store: through its child process, as the program uses it, or straight from the test. */

import { PassThrough } from 'node:stream';
import type { CredentialStore } from '../../src/accounts/account.ts';
import { runKeychainChild } from '../../src/accounts/keychain/keychain-child.ts';
import { createKeychainStore } from '../../src/accounts/keychain/keychain-store.ts';

/** The real keychain asked by this very process: quick, for tests that are about something else than the child. */
export function directStore(): CredentialStore {
  return realStore('', {
    ask: async (request) => {
      const [input, output] = [new PassThrough(), new PassThrough()];
      input.end(`${JSON.stringify(request)}\n`);
      await runKeychainChild(input, output);
      return JSON.parse(String(output.read()));
    },
  });
}

/** The store over the real keychain; options as given. */
export function realStore(
  entryFile: string,
  options: Partial<Parameters<typeof createKeychainStore>[0]> = {},
): CredentialStore {
  return createKeychainStore({
    execPath: process.execPath,
    entryFile,
    environment: process.env,
    platform: process.platform,
    ...options,
  });
}
