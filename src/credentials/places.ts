/** Where an account's credentials stand, in the one order of resolution: arguments, then sandbox or environment, then keychain. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { type CachedStore, createCachedStore } from './cached-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { ENVIRONMENT_ACCOUNT, environmentAccount, isEnvironmentUsed } from './settings-account.ts';
import type { AccountField, CredentialStore, Origin, OverrideValues, StoredAccount } from './types.ts';

/** One account's home: what is read, rotated and kept of it happens here and nowhere else. */
export interface Place {
  origin: Origin;
  store: CachedStore;
  /** For arguments: which values they gave, and the place that the others came from. */
  given?: ReadonlySet<AccountField>;
  below?: Place;
}

export interface PlacesOptions {
  config: Config;
  store: CredentialStore;
  /** Starts the embedded sandbox on first need; with it no other source is used, so that no real secret reaches it. */
  sandbox?: () => Promise<Readonly<Record<string, StoredAccount>>>;
  now: () => number;
}

export interface Places {
  /** @throws CredentialError for an environment that gives only some of the three values */
  of(name: string): Promise<Place>;
  /** Names of all places, in no order. @throws CredentialError when only the keychain could tell and does not answer */
  names(): Promise<string[]>;
  /** Puts given values over `base` in memory; the function takes them back. */
  cover(name: string, values: OverrideValues, base: StoredAccount | undefined, below?: Place): () => void;
  forget(name: string): void;
}

export function createPlaces({ config, store, sandbox, now }: PlacesOptions): Places {
  const keychain: Place = { origin: 'keychain', store: createCachedStore(store, now) };
  const inMemory = (origin: Origin, accounts: Readonly<Record<string, StoredAccount>>): Place => ({
    origin,
    store: createCachedStore(createMemoryStore(accounts), now),
  });
  const covered = new Map<string, Place>();
  let environment: Place | undefined;
  let sandboxPlace: Promise<Place> | undefined;

  const base = async (name: string): Promise<Place> => {
    if (sandbox !== undefined) {
      sandboxPlace ??= sandbox().then((accounts) => inMemory('sandbox', accounts));
      return sandboxPlace;
    }
    if (name !== ENVIRONMENT_ACCOUNT) return keychain;
    const account = environmentAccount(config);
    if (account === undefined) return keychain;
    environment ??= inMemory('environment', { [name]: account });
    return environment;
  };

  return {
    of: async (name) => covered.get(name) ?? (await base(name)),
    names: async () => {
      const known = new Set(covered.keys());
      if (sandbox !== undefined) {
        const { store: accounts } = await base(ENVIRONMENT_ACCOUNT);
        return [...known, ...(await accounts.list())];
      }
      if (isEnvironmentUsed(config)) known.add(ENVIRONMENT_ACCOUNT);
      return [...new Set([...known, ...(await listKeychain(keychain, known.size > 0))])];
    },
    cover: (name, values, account, below) => {
      const before = covered.get(name);
      const place = {
        ...inMemory(below?.origin ?? 'argument', { [name]: withValues(account, values) }),
        given: new Set([...(below?.given ?? []), ...givenFields(values)]),
        below: below?.below ?? below,
      };
      covered.set(name, place);
      return () => {
        if (covered.get(name) !== place) return;
        if (before === undefined) covered.delete(name);
        else covered.set(name, before);
      };
    },
    forget: (name) => keychain.store.forget(name),
  };
}

async function listKeychain(keychain: Place, othersKnown: boolean): Promise<string[]> {
  try {
    return await keychain.store.list();
  } catch (error) {
    if (othersKnown && error instanceof CredentialError) return [];
    throw error;
  }
}

const fields = ['clientId', 'clientSecret', 'refreshToken'] as const;

function givenFields(values: OverrideValues): AccountField[] {
  return fields.filter((field) => values[field] !== undefined);
}

/** A refresh token given as an argument is another login: nothing of the old one stays beside it. */
function withValues(account: StoredAccount | undefined, values: OverrideValues): StoredAccount {
  const { refreshToken, clientId, clientSecret } = values;
  const fresh = refreshToken !== undefined;
  return {
    ...account,
    clientId: clientId ?? account?.clientId ?? '',
    clientSecret: clientSecret ?? account?.clientSecret ?? '',
    refreshToken: refreshToken ?? account?.refreshToken ?? '',
    previousRefreshToken: fresh ? undefined : account?.previousRefreshToken,
    grantId: fresh ? undefined : account?.grantId,
  };
}
