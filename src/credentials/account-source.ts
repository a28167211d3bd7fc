/** Every source of credentials behind one door: whose call it is, where the values come from, and what becomes of new ones. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { describeAccount } from './describe-account.ts';
import { createFinder, type Finder } from './find-account.ts';
import { createTokenKeeper } from './keep-token.ts';
import { overrideAccount } from './override-account.ts';
import { createPlaces, type Place } from './places.ts';
import {
  type AddressesFor,
  hasAddresses,
  ignoresSettings,
  mergePlain,
  resolveAccount,
  resolveProfile,
} from './resolve-account.ts';
import { credentialKey, grantOf, usable } from './rotation.ts';
import { createSharedTokens } from './shared-tokens.ts';
import type { Account, AccountProfile, Accounts, CredentialStore, StoredAccount } from './types.ts';

export interface AccountSourceOptions {
  config: Config;
  /** The keychain. */
  store: CredentialStore;
  addressesFor: AddressesFor;
  /** Accounts of the embedded sandbox, started on first need; no other source is used then. */
  sandbox?: () => Promise<Readonly<Record<string, StoredAccount>>>;
  /** Says something to the person, outside any tool's answer; each message comes once. */
  tell?: (message: string) => void;
  /** Told every secret before it is handed out, for the redaction. */
  learn?: (secret: string) => void;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

export function createAccountSource(options: AccountSourceOptions): Accounts {
  const { config, addressesFor, learn = () => undefined, now = () => performance.now() } = options;
  const tell = once(options.tell ?? (() => undefined));
  const places = createPlaces({ ...options, now });
  /** Credentials that the identity provider refused, and those handed out last. */
  const rejected = new Set<string>();
  const lastGiven = new Map<string, StoredAccount>();
  const keeper = createTokenKeeper({ rejected, tell, now });
  const isSandbox = options.sandbox !== undefined;
  const finder = createFinder({ config, places, addressesFor, isSandbox, beforeRead: keeper.retry });

  const handOut = (name: string, place: Place, stored: StoredAccount): Account => {
    learnSecrets(stored, learn);
    keeper.handedOut(stored.refreshToken, grantOf(stored));
    lastGiven.set(name, stored);
    const context = finder.contextOf(name, place);
    const isIgnored = ignoresSettings(stored, context.settings);
    if (place.origin === 'keychain' && isIgnored) tell(ignoredAddresses(name));
    return resolveAccount(stored, context);
  };

  return {
    names: finder.names,
    profile: (name) => profileOf(name, finder),
    describe: (name) => describeAccount(name, { ...finder, config }),
    ...createSharedTokens(finder.placeOf, learn),
    get: async (name) => {
      const { place, stored } = await finder.find(name);
      return handOut(name, place, usable(stored, rejected) ?? stored);
    },
    rotated: async (name, oldToken, newToken) => {
      learn(newToken);
      await keeper.keep(name, await finder.placeOf(name), { oldToken, newToken });
    },
    reread: async (name, rejectedToken) => {
      const place = await finder.placeOf(name);
      const stored = await place.store.readFresh(name).catch(ignoreUnreachable);
      const given = lastGiven.get(name) ?? stored;
      if (given !== undefined) rejected.add(credentialKey({ ...given, refreshToken: rejectedToken }));
      const next = stored === undefined ? undefined : usable(stored, rejected);
      return next === undefined ? undefined : handOut(name, place, next);
    },
    override: async (name, values) => {
      learnSecrets(values, learn);
      return overrideAccount(name, values, { finder, places });
    },
    forget: (name) => {
      places.forget(name);
      lastGiven.delete(name);
    },
  };
}

/** Without credentials, or with a keychain that fails, the addresses of the settings are enough. */
async function profileOf(name: string, finder: Finder): Promise<AccountProfile> {
  const context = finder.contextOf(name, { origin: 'setting' });
  try {
    const { stored } = await finder.find(name);
    const profile = resolveProfile(mergePlain(stored, context.settings), context);
    return {
      ...profile,
      quota: { application: stored.clientId, seller: profile.sellerId ?? grantOf(stored) },
    };
  } catch (error) {
    if (!(error instanceof CredentialError) || !hasAddresses(context.settings)) throw error;
    return resolveProfile(context.settings, context);
  }
}

function learnSecrets(values: Partial<StoredAccount>, learn: (secret: string) => void): void {
  for (const secret of [values.clientSecret, values.refreshToken, values.previousRefreshToken]) {
    if (secret !== undefined) learn(secret);
  }
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof CredentialError)) throw error;
}

function ignoredAddresses(name: string): string {
  return `Account "${name}" uses the addresses that it was stored with; the region and addresses in the settings are for accounts that have none. To change them: \`seller-commerce-mcp login --account ${name}\`.`;
}

function once(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    tell(message);
  };
}
