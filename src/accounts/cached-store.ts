/** Caches keychain reads for a minute and shares one read among concurrent callers. */

import { CredentialError } from '../base/errors.ts';
import type { CredentialStore, Origin, StoredAccount } from './account.ts';

/**
 * The lifetime is short enough to notice a `login` or `logout` elsewhere soon, and long enough that not every
 * call starts a process.
 */
const KEEP_MS = 60_000;

/**
 * The origin of an account with its store, through which all reads, rotations and writes of the account go.
 */
export interface OriginStore {
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

  /** Reads from the store itself, whatever is cached. */
  const readFresh = (account: string): Promise<StoredAccount | undefined> => {
    const shared = underWay.get(account);
    if (shared !== undefined) return shared;
    const reading = store
      .read(account)
      .then((value) => {
        // A write or a `forget` in the meantime takes precedence.
        if (underWay.get(account) === reading) remember(account, value);
        return value;
      })
      .finally(() => {
        if (underWay.get(account) === reading) underWay.delete(account);
      });
    underWay.set(account, reading);
    return reading;
  };

  /** Returns the value that was read within the last minute, without waiting. */
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
      // A keychain that was locked meanwhile does not invalidate the value that was read before.
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
    /** Uses a value that could not be written until the store answers again. */
    assume: remember,
    forget: (account: string) => {
      underWay.delete(account);
      remembered.delete(account);
    },
  };
}
