/** Wraps the native keychain module in three operations; only the keychain child loads it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { KEYCHAIN_SERVICE } from './keychain-protocol.ts';

/**
 * The maximum number of attempts when another process removes the entry meanwhile, or the service just ended.
 */
const ATTEMPTS = 5;

/** The delays in milliseconds, multiplied by the number of the attempt. */
const VANISHED_MS = 10;
const RESTART_MS = 100;

/** The keychain's entries by name; values are text. */
export interface NativeKeychain {
  get(entry: string): Promise<string | undefined>;
  set(entry: string, value: string): Promise<void>;
  /**
   * Removes an entry. False when there was none; true also when the outcome is unknown, because the service
   * ended meanwhile.
   */
  remove(entry: string): Promise<boolean>;
}

/** The part of `@napi-rs/keyring` that is used here. */
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

/**
 * Opens the keychain.
 * @throws whatever the native module throws
 */
export async function openKeychain(
  load: () => Promise<NativeModule> = () => import('@napi-rs/keyring'),
): Promise<NativeKeychain> {
  const { AsyncEntry } = await load();
  // This option prevents a silent fallback of Linux to the kernel keyring, which is lost at reboot.
  const open = (entry: string) =>
    new AsyncEntry(KEYCHAIN_SERVICE, entry, { linux: { store: 'secret-service' } });
  return {
    get: async (entry) => {
      const bytes = await untilSettled(() => open(entry).getSecret());
      return bytes === null ? undefined : Buffer.from(bytes).toString('utf8');
    },
    // Values are bytes, because Windows stores strings as UTF-16, which halves its limit.
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
 * Retries a step that is safe to repeat. The Secret Service finds an entry first and opens it later, and
 * another process may remove an entry in between. Also, gnome-keyring 42 sometimes ends when several programs
 * connect at once; the next message restarts it, perhaps locked.
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
