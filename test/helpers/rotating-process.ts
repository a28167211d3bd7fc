/** A process that rotates one account's refresh token again and again, and can kill itself at a chosen step. */

import type { AccountSource, CredentialStore } from '../../src/accounts/account.ts';
import { createAccountSource } from '../../src/accounts/account-source.ts';
import { buildConfig } from '../../src/base/config.ts';
import { createFileStore } from './file-store.ts';
import { exchangeWith } from './identity-provider.ts';
import { realStore } from './keychain-stores.ts';

/**
 * The points where the process can be killed; `writing` is while the keychain's own process works, which goes
 * on.
 */
const STEPS = ['exchanging', 'exchanged', 'reading', 'before-writing', 'writing', 'written'] as const;

const [account = '', storeArgument = '', step = 'none', round = '2'] = process.argv.slice(2);
const [kind = '', place = ''] = storeArgument.split('=');

/** Longer than a spawn, shorter than what the keychain's process takes from there. */
const WRITING_MS = 25;

let rounds = 0;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function reach(name: (typeof STEPS)[number]): void {
  if (step === name && String(rounds) === round) die();
}

/** Many processes compete for the machine here; how long a keychain may take is tested elsewhere. */
const PATIENCE_MS = 20_000;

function openStore(): CredentialStore {
  const inner = kind === 'file' ? createFileStore(place) : realStore(place, { timeoutMs: PATIENCE_MS });
  return {
    ...inner,
    read: (name) => {
      if (rounds > 0) reach('reading');
      return inner.read(name);
    },
    write: async (name, value) => {
      reach('before-writing');
      const writing = inner.write(name, value);
      if (step === 'writing' && String(rounds) === round) setTimeout(die, WRITING_MS);
      await writing;
      reach('written');
    },
  };
}

async function rotateOnce(source: AccountSource): Promise<void> {
  let credentials = await source.get(account);
  rounds += 1;
  for (;;) {
    reach('exchanging');
    const successor = await exchangeWith(credentials.authUrl, credentials.refreshToken);
    if (successor !== undefined) {
      reach('exchanged');
      return source.rotated(account, credentials.refreshToken, successor);
    }
    const next = await source.reread(account, credentials.refreshToken);
    if (next === undefined) throw new Error('no working refresh token is left');
    credentials = next;
  }
}

const source = createAccountSource({
  config: buildConfig({}, {}),
  store: openStore(),
});
process.stdout.write('ready\n');
for (;;) {
  await rotateOnce(source);
  process.stdout.write('rotated\n');
}
