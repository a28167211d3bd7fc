/** Finds an account in the one order of resolution: arguments of a call, then sandbox or environment, then keychain. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { type CachedStore, createCachedStore } from './cached-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { checkOverride, missingAccount } from './missing-account.ts';
import {
  type AddressesFor,
  ENVIRONMENT_ACCOUNT,
  environmentAccount,
  isEnvironmentUsed,
  type ResolveContext,
  secretFields,
  settingsFor,
} from './resolve-account.ts';
import type { AccountField, CredentialStore, Origin, OverrideValues, StoredAccount } from './types.ts';

const ACCOUNT_NAME = /^[\w.@-]{1,64}$/;

/** One account's home: what is read, rotated and kept of it happens here and nowhere else. */
export interface Place {
  origin: Origin;
  store: CachedStore;
  /** For arguments: which values they gave, and the place that the others came from. */
  given?: ReadonlySet<AccountField>;
  below?: Place;
}

export interface FoundAccount {
  place: Place;
  stored: StoredAccount;
}

export interface FinderOptions {
  config: Config;
  /** The keychain. */
  store: CredentialStore;
  /** Starts the embedded sandbox on first need; with it no other source is used, so that no real secret reaches it. */
  sandbox?: () => Promise<Readonly<Record<string, StoredAccount>>>;
  addressesFor: AddressesFor;
  /** Called before an account is read, where something of it is still to be written. */
  beforeRead: (name: string, place: Place) => Promise<void>;
  now: () => number;
}

export interface Finder {
  /** Sorted, `default` first. @throws CredentialError when only the keychain could tell and does not answer */
  names(): Promise<string[]>;
  /** @throws CredentialError for a name that no account can have, and for an environment that gives only some values */
  placeOf(name: string): Promise<Place>;
  /** @throws CredentialError that says what is missing, with the names that exist */
  find(name: string): Promise<FoundAccount>;
  /** What completes an account that stands there. */
  contextOf(name: string, place: Pick<Place, 'origin' | 'given'>): ResolveContext;
  /**
   * Puts given values over those of the account in memory; the returned function takes them back.
   * @throws CredentialError when what is left out cannot be filled from the same account
   */
  override(name: string, values: OverrideValues): Promise<() => void>;
  /** Forgets what was read of an account from the keychain. */
  forget(name: string): void;
}

export function createFinder(options: FinderOptions): Finder {
  const { config, store, sandbox, addressesFor, beforeRead, now } = options;
  const inMemory = (origin: Origin, accounts: Readonly<Record<string, StoredAccount>>): Place => ({
    origin,
    store: createCachedStore(createMemoryStore(accounts), now),
  });
  const keychain: Place = { origin: 'keychain', store: createCachedStore(store, now) };
  const arguments_ = createArguments(inMemory);
  let environment: Place | undefined;
  let sandboxPlace: Promise<Place> | undefined;

  const openSandbox = (start: NonNullable<FinderOptions['sandbox']>): Promise<Place> => {
    sandboxPlace ??= start().then((accounts) => inMemory('sandbox', accounts));
    return sandboxPlace;
  };

  const base = async (name: string): Promise<Place> => {
    if (sandbox !== undefined) return openSandbox(sandbox);
    const account = name === ENVIRONMENT_ACCOUNT ? environmentAccount(config) : undefined;
    if (account === undefined) return keychain;
    environment ??= inMemory('environment', { [name]: account });
    return environment;
  };

  const names = async (): Promise<string[]> => {
    const known = new Set(arguments_.names());
    if (sandbox === undefined && isEnvironmentUsed(config)) known.add(ENVIRONMENT_ACCOUNT);
    const { store: rest } = sandbox === undefined ? keychain : await openSandbox(sandbox);
    const listed = await rest.list().catch((error) => {
      if (known.size > 0 && error instanceof CredentialError) return [];
      throw error;
    });
    return [...new Set([...known, ...listed])].sort(defaultFirst);
  };

  // That the names cannot be listed must not hide the error to be told.
  const missing = async (name: string) =>
    missingAccount(name, await names().catch(() => []), { sandbox: sandbox !== undefined });

  const placeOf = async (name: string): Promise<Place> => {
    if (!ACCOUNT_NAME.test(name)) throw await missing(name);
    return arguments_.of(name) ?? (await base(name));
  };

  const find = async (name: string): Promise<FoundAccount> => {
    const place = await placeOf(name);
    await beforeRead(name, place);
    const stored = await place.store.read(name);
    if (stored === undefined) throw await missing(name);
    return { place, stored };
  };

  return {
    names,
    placeOf,
    find,
    contextOf: (name, { origin, given }) => ({
      name,
      origin,
      given,
      settings: sandbox === undefined ? settingsFor(name, config) : {},
      spApiSandbox: config.spApiSandbox,
      addressesFor,
    }),
    override: async (name, values) => {
      const below = await findBelow(name, values, find);
      checkOverride(name, values, below?.stored);
      return arguments_.cover(name, values, below);
    },
    forget: (name) => keychain.store.forget(name),
  };
}

function defaultFirst(a: string, b: string): number {
  return Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1);
}

/** A keychain or environment that fails matters only when something has to come from it. */
async function findBelow(
  name: string,
  values: OverrideValues,
  find: Finder['find'],
): Promise<FoundAccount | undefined> {
  try {
    return await find(name);
  } catch (error) {
    if (!ACCOUNT_NAME.test(name) || !(error instanceof CredentialError)) throw error;
    if (error.reason === 'missing' || secretFields.every((field) => values[field] !== undefined))
      return undefined;
    throw error;
  }
}

/** Values given as arguments, in layers over their accounts: each is taken back alone, in whatever order. */
function createArguments(
  inMemory: (origin: Origin, accounts: Readonly<Record<string, StoredAccount>>) => Place,
) {
  let layers: readonly { name: string; place: Place }[] = [];
  return {
    of: (name: string): Place | undefined => layers.findLast((layer) => layer.name === name)?.place,
    names: (): string[] => layers.map(({ name }) => name),
    cover: (name: string, values: OverrideValues, found: FoundAccount | undefined): (() => void) => {
      const given = secretFields.filter((field) => values[field] !== undefined);
      const place = {
        ...inMemory(found?.place.origin ?? 'argument', { [name]: withValues(found?.stored, values) }),
        given: new Set([...(found?.place.given ?? []), ...given]),
        below: found?.place.below ?? found?.place,
      };
      const layer = { name, place };
      layers = [...layers, layer];
      return () => {
        layers = layers.filter((other) => other !== layer);
      };
    },
  };
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
