/** The native keychain module behind three steps; loaded by the keychain child only. */

import { setTimeout as sleep } from 'node:timers/promises';
import { KEYCHAIN_SERVICE } from './keychain-protocol.ts';

/** Looks at an entry that another process removes at the same time, or at a service that just ended. */
const ATTEMPTS = 5;

/** Times the number of the attempt, in milliseconds. */
const VANISHED_MS = 10;
const RESTART_MS = 100;

/** Entries by name; values are text. */
export interface Keychain {
  get(entry: string): Promise<string | undefined>;
  set(entry: string, value: string): Promise<void>;
  /** False where there was none; true also where nobody can tell, since the service ended meanwhile. */
  remove(entry: string): Promise<boolean>;
}

/** What is used of `@napi-rs/keyring`. */
export interface NativeModule {
  AsyncEntry: new (
    service: string,
    entry: string,
    options: { linux: { store: 'secret-service' } },
  ) => {
    getSecret(): Promise<ArrayLike<number> | null>;
    setSecret(secret: Uint8Array): Promise<void>;
    deleteCredential(): Promise<boolean>;
  };
}

/** @throws whatever the native module throws */
export async function openKeychain(
  load: () => Promise<NativeModule> = () => import('@napi-rs/keyring'),
): Promise<Keychain> {
  const { AsyncEntry } = await load();
  // Without the pin Linux falls back in silence to the kernel keyring, which forgets at reboot.
  const open = (entry: string) =>
    new AsyncEntry(KEYCHAIN_SERVICE, entry, { linux: { store: 'secret-service' } });
  return {
    get: async (entry) => {
      const bytes = await untilSettled(() => open(entry).getSecret());
      return bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
    },
    // Bytes, not a string: Windows would store strings as UTF-16, which halves its limit.
    set: (entry, value) => untilSettled(() => open(entry).setSecret(Buffer.from(value, 'utf8'))),
    async remove(entry) {
      let mayBeDone = false;
      const isRemoved = await untilSettled(
        () => open(entry).deleteCredential(),
        () => {
          mayBeDone = true;
        },
      );
      return isRemoved || mayBeDone;
    },
  };
}

/**
 * The Secret Service finds an entry first and opens it then: another process may remove it, or any other of ours, in
 * between. And gnome-keyring 42 ends, at times, when several programs connect to it at one moment: the bus starts it
 * anew with the next message, though it may be locked then. Each of these steps may be repeated.
 */
async function untilSettled<T>(step: () => Promise<T>, hasEnded = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      const isVanished = VANISHED.test(message);
      const isEnded = ENDED.test(message);
      if (!(isVanished || isEnded) || attempt === ATTEMPTS) throw error;
      if (isEnded) hasEnded();
      await sleep(attempt * (isEnded ? RESTART_MS : VANISHED_MS));
    }
  }
}

const VANISHED = /no such (?:interface|object|item|secret)|object does not exist/i;
const ENDED = /without replying|session (?:wrapping the secret )?does not exist/i;
