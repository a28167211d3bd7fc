/**
 * Resolves accounts in a fixed order: sandbox or environment, then keychain. Accounts given as arguments have
 * names of their own.
 */

import type { Config } from '../base/config.ts';
import { CredentialError, InputError } from '../base/errors.ts';
import {
  type CredentialStore,
  isAccountName,
  isGivenName,
  type Origin,
  type StoredAccount,
} from './account.ts';
import { createCachedStore, type OriginStore } from './cached-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { missingAccountError } from './missing-account.ts';
import {
  ENVIRONMENT_ACCOUNT,
  environmentAccount,
  isEnvironmentUsed,
  type ResolveContext,
  settingsFor,
} from './resolve-account.ts';

export interface FinderOptions {
  config: Config;
  /** The keychain. */
  store: CredentialStore;
  /** Starts the embedded sandbox on first need and returns its accounts; no other source is used then. */
  sandbox?: () => Promise<Readonly<Record<string, StoredAccount>>>;
  /** Filters the existing accounts that may be listed; all are listed by default. */
  isShown?: (name: string) => boolean;
  /** Completes a pending write of an account before the account is read. */
  beforeRead: (name: string, accountStore: OriginStore) => Promise<void> | undefined;
  now: () => number;
}

interface LocatedAccount {
  place: OriginStore;
  stored: StoredAccount;
}

export type Finder = ReturnType<typeof createFinder>;

export function createFinder(options: FinderOptions) {
  const { config, store, sandbox, isShown = () => true, beforeRead, now } = options;
  const inMemory = (origin: Origin, accounts: Readonly<Record<string, StoredAccount>>): OriginStore => ({
    origin,
    store: createCachedStore(createMemoryStore(accounts), now),
  });
  const keychain: OriginStore = { origin: 'keychain', store: createCachedStore(store, now) };
  const given = inMemory('argument', {});
  /** The number of calls, by account name, that try given credentials or have confirmed that they work. */
  const holders = new Map<string, number>();
  let environment: OriginStore | undefined;
  let sandboxStore: Promise<OriginStore> | undefined;

  /** Returns the source of accounts that come from neither arguments nor the environment. */
  const rest = (): OriginStore | Promise<OriginStore> => {
    if (sandbox === undefined) return keychain;
    sandboxStore ??= sandbox().then((accounts) => inMemory('sandbox', accounts));
    return sandboxStore;
  };

  const base = (name: string): OriginStore | Promise<OriginStore> => {
    if (sandbox !== undefined || name !== ENVIRONMENT_ACCOUNT) return rest();
    if (environment !== undefined) return environment;
    const account = environmentAccount(config);
    if (account === undefined) return rest();
    environment = inMemory('environment', { [name]: account });
    return environment;
  };

  /**
   * Returns the sorted names, `default` first.
   * @throws CredentialError when the keychain is the only source and does not answer
   */
  const names = async (): Promise<string[]> => {
    const known = new Set(await given.store.list());
    if (sandbox === undefined && isEnvironmentUsed(config)) known.add(ENVIRONMENT_ACCOUNT);
    const { store: others } = await rest();
    const listed = await others.list().catch((error) => {
      if (known.size > 0 && error instanceof CredentialError) return [];
      throw error;
    });
    return [...new Set([...known, ...listed])].filter(isShown).sort(defaultFirst);
  };

  // A failure to list the names must not hide the original error.
  const missing = async (name: string) =>
    missingAccountError(name, await names().catch(() => []), sandbox !== undefined);

  /**
   * Returns the origin and store of an account.
   * @throws CredentialError for an invalid name, and for an environment that gives only some values;
   * InputError for the name of credentials that were given to another process
   */
  const originOf = async (name: string): Promise<OriginStore> => {
    if (isAccountName(name)) return base(name);
    if (isGivenName(name)) return given;
    throw await missing(name);
  };

  const readFrom = async (
    name: string,
    accountStore: OriginStore,
    writing?: Promise<void>,
  ): Promise<LocatedAccount> => {
    await writing;
    const stored = await accountStore.store.read(name);
    if (stored === undefined) throw isGivenName(name) ? notGivenHere(name) : await missing(name);
    return { place: accountStore, stored };
  };

  /**
   * Returns the account synchronously when it is cached, because every call needs it.
   * @throws CredentialError that names the missing values and the existing accounts
   */
  const find = (name: string): LocatedAccount | Promise<LocatedAccount> => {
    const accountStore = isAccountName(name) ? base(name) : originOf(name);
    if (accountStore instanceof Promise)
      return accountStore.then((known) => readFrom(name, known, beforeRead(name, known)));
    const writing = beforeRead(name, accountStore);
    const stored = writing === undefined ? accountStore.store.held(name) : undefined;
    return stored === undefined ? readFrom(name, accountStore, writing) : { place: accountStore, stored };
  };

  return {
    names,
    placeOf: originOf,
    find,
    /** Returns the settings that complete an existing account. */
    contextOf: (name: string, { origin }: Pick<OriginStore, 'origin'>): ResolveContext => ({
      name,
      origin,
      settings: sandbox === undefined ? settingsFor(name, config) : {},
      spApiSandbox: config.spApiSandbox,
    }),
    /**
     * Holds given credentials in memory for one more caller, whose end is the returned function. The last end
     * deletes them; a caller that never ends keeps them until the process exits.
     */
    hold: async (name: string, account: StoredAccount): Promise<() => void> => {
      holders.set(name, (holders.get(name) ?? 0) + 1);
      // A refresh token that was rotated since must not be overwritten.
      if ((await given.store.read(name)) === undefined) await given.store.write(name, account);
      return () => {
        const left = (holders.get(name) ?? 1) - 1;
        holders.set(name, left);
        if (left > 0) return;
        holders.delete(name);
        void given.store.delete(name);
      };
    },
    /** Drops the cached values of a keychain account. */
    forget: (name: string) => keychain.store.forget(name),
  };
}

function defaultFirst(a: string, b: string): number {
  return Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1);
}

function notGivenHere(name: string): InputError {
  return new InputError(
    `There is no account "${name}" in this process: credentials given to exchange_token last until the program ends.`,
    'Use an account that is stored, or ask the person whether the credentials are to be given again.',
  );
}
