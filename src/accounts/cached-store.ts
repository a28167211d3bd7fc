/** A store in front of the keychain: one read however many callers, remembered for a minute. */

import { CredentialError } from '../base/errors.ts';
import type { CredentialStore, Origin, StoredAccount } from './account.ts';

/** Short enough that a `login` or `logout` elsewhere is noticed soon, long enough that calls do not each start a process. */
const KEEP_MS = 60_000;

/** One account's home: what is read, rotated and kept of it happens here and nowhere else. */
export interface Place {
  origin: Origin;
  store: ReturnType<typeof createCachedStore>;
}

export function createCachedStore(store: CredentialStore, now: () => number) {
  const remembered = new Map<string, { value: StoredAccount; readAt: number }>();
  const underWay = new Map<string, Promise<StoredAccount | undefined>>();

  const remember = (account: string, value: StoredAccount | undefined): void => {
    if (value === undefined) remembered.delete(account);
    else remembered.set(account, { value, readAt: now() });
  };

  /** Asks the store itself, whatever is remembered. */
  const readFresh = (account: string): Promise<StoredAccount | undefined> => {
    const shared = underWay.get(account);
    if (shared !== undefined) return shared;
    const reading = store
      .read(account)
      .then((value) => {
        // A write or a `forget` in the meantime knows better.
        if (underWay.get(account) === reading) remember(account, value);
        return value;
      })
      .finally(() => {
        if (underWay.get(account) === reading) underWay.delete(account);
      });
    underWay.set(account, reading);
    return reading;
  };

  /** What was read within the last minute: nothing to wait for. */
  const held = (account: string): StoredAccount | undefined => {
    const one = remembered.get(account);
    return one !== undefined && now() - one.readAt < KEEP_MS ? one.value : undefined;
  };

  const read = async (account: string): Promise<StoredAccount | undefined> => {
    const known = held(account);
    if (known !== undefined) return known;
    const older = remembered.get(account);
    try {
      return await readFresh(account);
    } catch (error) {
      // A keychain that was locked meanwhile does not take away what was read before.
      if (older === undefined || !(error instanceof CredentialError)) throw error;
      remember(account, older.value);
      return older.value;
    }
  };

  return {
    ...store,
    held,
    read,
    readFresh,
    write: async (account: string, value: StoredAccount) => {
      underWay.delete(account);
      await store.write(account, value);
      underWay.delete(account);
      remember(account, value);
    },
    delete: async (account: string) => {
      underWay.delete(account);
      remembered.delete(account);
      return await store.delete(account);
    },
    /** Uses this value, though it could not be written, until the store answers again. */
    assume: remember,
    forget: (account: string) => {
      underWay.delete(account);
      remembered.delete(account);
    },
  };
}
