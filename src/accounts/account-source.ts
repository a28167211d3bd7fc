/**
 * Combines every source of credentials: resolves accounts, reports where values come from, and stores new
 * ones.
 */

import type { Config } from '../base/config.ts';
import { CredentialError } from '../base/errors.ts';
import { howToLogin } from '../base/invocation.ts';
import type {
  Account,
  AccountDescription,
  AccountProfile,
  AccountSource,
  Accounts,
  StoredAccount,
} from './account.ts';
import { isGivenName } from './account.ts';
import type { OriginStore } from './cached-store.ts';
import { createFinder, type Finder, type FinderOptions } from './find-account.ts';
import { createGivenAccounts } from './given-accounts.ts';
import {
  ENVIRONMENT_ACCOUNT,
  hasAddresses,
  ignoresSettings,
  isEnvironmentUsed,
  mergePlain,
  originsOf,
  type PlainValues,
  type ResolveContext,
  resolveAccount,
  resolveProfile,
} from './resolve-account.ts';
import { createRotationRecorder, credentialKey, findUsableCredentials, grantOf } from './rotation.ts';

/**
 * Registers a secret for redaction.
 * @param use the role in which the secret is used; while it is in use, it must not be forgotten
 */
export type RegisterSecret = (secret: string, use: string) => void;

export interface AccountSourceOptions extends Omit<FinderOptions, 'beforeRead' | 'now'> {
  /** Shows a message to the user outside any tool result; each message is shown once. */
  tell?: (message: string) => void;
  /** Receives every secret and its use before it is handed out, so that it can be redacted. */
  learn?: RegisterSecret;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

export function createAccountSource(options: AccountSourceOptions): Accounts {
  const { config, learn = () => undefined, now = () => performance.now() } = options;
  const warn = once(options.tell ?? (() => undefined));
  /** Credentials that the identity provider refused, and those handed out last. */
  const rejected = new Set<string>();
  const lastGiven = new Map<string, StoredAccount>();
  const rotations = createRotationRecorder({ rejected, tell: warn, now });
  const writes = trackWrites();
  const buildGiven = createGivenAccounts();
  const finder = createFinder({
    ...options,
    now,
    beforeRead(name, accountStore) {
      const writing = rotations.retry(name, accountStore);
      return writing && writes.track(writing);
    },
  });

  const handOut = (name: string, accountStore: OriginStore, stored: StoredAccount): Account => {
    learnSecrets(name, stored, learn);
    rotations.handedOut(stored);
    lastGiven.set(name, stored);
    const context = finder.contextOf(name, accountStore);
    const isIgnored = ignoresSettings(stored, context.settings);
    if (accountStore.origin === 'keychain' && isIgnored) warn(ignoredAddresses(name));
    const known = resolved.get(stored);
    if (known?.settings === context.settings && known.place === accountStore && known.account.name === name)
      return known.account;
    const account = resolveAccount(stored, context);
    resolved.set(stored, { settings: context.settings, place: accountStore, account });
    return account;
  };

  const storeRotated = async (name: string, oldToken: string, newToken: string): Promise<void> =>
    rotations.keep(name, await finder.placeOf(name), { oldToken, newToken });

  return {
    names: finder.names,
    profile: (name) => profileOf(name, finder),
    describe: (name) => describeAccount(name, finder, config),
    ...sharedTokens(finder, learn),
    get: async (name) => {
      const found = finder.find(name);
      const { place: accountStore, stored } = found instanceof Promise ? await found : found;
      return handOut(name, accountStore, findUsableCredentials(stored, rejected) ?? stored);
    },
    rotated: (name, oldToken, newToken) => {
      learn(newToken, `refresh token of ${name}`);
      return writes.track(storeRotated(name, oldToken, newToken));
    },
    settled: writes.settled,
    reread: async (name, rejectedToken) => {
      const accountStore = await finder.placeOf(name);
      const stored = await accountStore.store.readFresh(name).catch(ignoreUnreachable);
      const given = lastGiven.get(name) ?? stored;
      if (given !== undefined) rejected.add(credentialKey({ ...given, refreshToken: rejectedToken }));
      const next = stored === undefined ? undefined : findUsableCredentials(stored, rejected);
      return next === undefined ? undefined : handOut(name, accountStore, next);
    },
    renew: async (name) => {
      const { origin, store } = await finder.placeOf(name);
      await store.readFresh(name).catch(ignoreUnreachable);
      return origin;
    },
    prepareGiven: async (values, like) => {
      const { stored, ...given } = buildGiven(values, await profileOf(like, finder));
      const hold = async () => {
        learnSecrets(given.profile.name, stored, learn);
        return finder.hold(given.profile.name, stored);
      };
      return { ...given, hold };
    },
    forget: (name) => {
      finder.forget(name);
      lastGiven.delete(name);
    },
  };
}

/** Tracks writes in progress, so that the process does not exit before they complete. */
function trackWrites() {
  const underWay = new Set<Promise<void>>();
  return {
    track: async (write: Promise<void>): Promise<void> => {
      underWay.add(write);
      await write.finally(() => underWay.delete(write));
    },
    /** Ignores failures, because each writer already receives its own. */
    settled: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/**
 * Stores access tokens with their account: in the keychain for keychain accounts, in memory for all others.
 * Keychain failures are ignored, because an access token that cannot be shared costs an exchange, not the
 * call.
 */
function sharedTokens(
  { placeOf }: Finder,
  learn: RegisterSecret,
): Pick<AccountSource, 'readToken' | 'writeToken'> {
  const within = async <T>(
    name: string,
    use: (accountStore: OriginStore) => Promise<T>,
  ): Promise<T | undefined> => placeOf(name).then(use).catch(ignoreUnreachable);
  return {
    readToken: async (name) => {
      const token = await within(name, ({ store }) => store.readToken(name));
      if (token !== undefined) learn(token.accessToken, accessTokenUse(name));
      return token;
    },
    writeToken: async (name, token) => {
      learn(token.accessToken, accessTokenUse(name));
      await within(name, ({ store }) => store.writeToken(name, token));
    },
  };
}

/**
 * Caches resolved accounts per stored value: every call reads the account and twice its profile, and a new
 * write replaces the stored object.
 */
const resolved = new WeakMap<
  StoredAccount,
  { settings: PlainValues; place: OriginStore; account: Account }
>();
const profiles = new WeakMap<
  StoredAccount,
  { settings: PlainValues; place: OriginStore; profile: AccountProfile }
>();

/** Falls back to the addresses of the settings when there are no credentials or the keychain fails. */
async function profileOf(name: string, finder: Finder): Promise<AccountProfile> {
  const context = finder.contextOf(name, { origin: 'setting' });
  try {
    const found = finder.find(name);
    const { stored, place: accountStore } = found instanceof Promise ? await found : found;
    const known = profiles.get(stored);
    if (known?.settings === context.settings && known.place === accountStore && known.profile.name === name)
      return known.profile;
    const profile = resolveProfile(mergePlain(stored, context.settings), context);
    const isGiven = isGivenName(name) ? { isGiven: true } : {};
    const isSandbox = accountStore.origin === 'sandbox' ? { isSandbox: true } : {};
    const login = { clientId: stored.clientId, grant: grantOf(stored) };
    const whole = {
      ...profile,
      ...isGiven,
      ...isSandbox,
      login,
      quota: { application: login.clientId, seller: profile.sellerId ?? login.grant },
    };
    profiles.set(stored, { settings: context.settings, place: accountStore, profile: whole });
    return whole;
  } catch (error) {
    if (!(error instanceof CredentialError) || !hasAddresses(context.settings)) throw error;
    return resolveProfile(context.settings, context);
  }
}

const accessTokenUse = (name: string) => `access token of ${name}`;

function learnSecrets(name: string, values: Partial<StoredAccount>, learn: RegisterSecret): void {
  const { clientSecret, refreshToken, previousRefreshToken } = values;
  if (clientSecret !== undefined) learn(clientSecret, `client secret of ${name}`);
  if (previousRefreshToken !== undefined) learn(previousRefreshToken, `previous refresh token of ${name}`);
  if (refreshToken !== undefined) learn(refreshToken, `refresh token of ${name}`);
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof CredentialError)) throw error;
}

function ignoredAddresses(name: string): string {
  return `Account "${name}" uses the addresses that it was stored with; the region and addresses in the settings are for accounts that have none. To change them, ${howToLogin(name)}.`;
}

function once(warn: (message: string) => void): (message: string) => void {
  const seen = new Set<string>();
  return (message) => {
    if (seen.has(message)) return;
    seen.add(message);
    warn(message);
  };
}

// Describes an account for `status`: for each value whether it exists and where it comes from, never the
// value.

/** Returns the problem of a missing or incomplete account instead of throwing it. */
async function describeAccount(name: string, finder: Finder, config: Config): Promise<AccountDescription> {
  try {
    const { place: accountStore, stored } = await finder.find(name);
    const context = finder.contextOf(name, accountStore);
    return { name, origins: originsOf(stored, context), problem: problemOf(stored, context) };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    const context = finder.contextOf(name, { origin: 'environment' });
    return { name, origins: originsOf(givenPart(name, config), context), problem: error };
  }
}

function problemOf(stored: StoredAccount, context: ResolveContext): CredentialError | undefined {
  try {
    resolveAccount(stored, context);
    return undefined;
  } catch (error) {
    if (error instanceof CredentialError) return error;
    throw error;
  }
}

/** Returns the values of an environment that defines only some of them. */
function givenPart(name: string, config: Config): Partial<StoredAccount> {
  if (name !== ENVIRONMENT_ACCOUNT || !isEnvironmentUsed(config)) return {};
  const { clientId, clientSecret, refreshToken } = config;
  return { clientId, clientSecret, refreshToken };
}
