/** Every source of credentials behind one door: whose call it is, where the values come from, and what becomes of new ones. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { describeAccount } from './describe-account.ts';
import { createTokenKeeper } from './keep-token.ts';
import { checkOverride, missingAccount } from './missing-account.ts';
import { createPlaces, type Place } from './places.ts';
import {
  type AddressesFor,
  hasAddresses,
  mergePlain,
  type ResolveContext,
  resolveAccount,
  resolveProfile,
} from './resolve-account.ts';
import { credentialKey, grantOf, usable } from './rotation.ts';
import { settingsFor } from './settings-account.ts';
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

const ACCOUNT_NAME = /^[\w.@-]{1,64}$/;

export function createAccountSource(options: AccountSourceOptions): Accounts {
  const { config, addressesFor, learn = () => undefined, now = () => performance.now() } = options;
  const tell = once(options.tell ?? (() => undefined));
  const places = createPlaces({ ...options, now });
  const rejected = new Set<string>();
  const lastGiven = new Map<string, StoredAccount>();
  const keeper = createTokenKeeper({ rejected, tell, now });

  const contextOf = (name: string, place: Pick<Place, 'origin' | 'given'>): ResolveContext => ({
    name,
    origin: place.origin,
    given: place.given,
    settings: options.sandbox === undefined ? settingsFor(name, config) : {},
    spApiSandbox: config.spApiSandbox,
    addressesFor,
  });

  const names = async (): Promise<string[]> =>
    (await places.names()).sort(
      (a, b) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1),
    );

  /** An error of its own about listing the names must not hide the one to be told. */
  const missing = async (name: string): Promise<CredentialError> =>
    missingAccount(name, await names().catch(() => []), { sandbox: options.sandbox !== undefined });

  const find = async (name: string): Promise<{ place: Place; stored: StoredAccount }> => {
    if (!ACCOUNT_NAME.test(name)) throw await missing(name);
    const place = await places.of(name);
    await keeper.retry(name, place);
    const stored = await place.store.read(name);
    if (stored === undefined) throw await missing(name);
    return { place, stored };
  };

  const handOut = (name: string, place: Place, stored: StoredAccount): Account => {
    const context = contextOf(name, place);
    for (const secret of [stored.clientSecret, stored.refreshToken, stored.previousRefreshToken]) {
      if (secret !== undefined) learn(secret);
    }
    keeper.handedOut(stored.refreshToken, grantOf(stored));
    lastGiven.set(name, stored);
    if (place.origin === 'keychain' && hasAddresses(stored) && hasAddresses(context.settings)) {
      tell(
        `Account "${name}" uses the addresses that it was stored with; the region and addresses in the settings are for accounts that have none. To change them: \`seller-commerce-mcp login --account ${name}\`.`,
      );
    }
    return resolveAccount(stored, context);
  };

  const profile = async (name: string): Promise<AccountProfile> => {
    const context = contextOf(name, { origin: 'setting' });
    try {
      const { stored } = await find(name);
      return resolveProfile(mergePlain(stored, context.settings), context);
    } catch (error) {
      if (!(error instanceof CredentialError) || !hasAddresses(context.settings)) throw error;
      return resolveProfile(context.settings, context);
    }
  };

  /** An access token that cannot be shared costs an exchange, not the call. */
  const tokens = async <T>(name: string, use: (place: Place) => Promise<T>): Promise<T | undefined> => {
    try {
      return await use(await places.of(name));
    } catch (error) {
      if (error instanceof CredentialError) return undefined;
      throw error;
    }
  };

  return {
    names,
    profile,
    get: async (name) => {
      const { place, stored } = await find(name);
      return handOut(name, place, usable(stored, rejected) ?? stored);
    },
    rotated: async (name, oldToken, newToken) => {
      learn(newToken);
      await keeper.keep(name, await places.of(name), { oldToken, newToken });
    },
    reread: async (name, rejectedToken) => {
      const place = await places.of(name);
      const stored = await place.store.readFresh(name).catch(() => undefined);
      const given = lastGiven.get(name) ?? stored;
      if (given !== undefined) rejected.add(credentialKey({ ...given, refreshToken: rejectedToken }));
      const next = stored === undefined ? undefined : usable(stored, rejected);
      return next === undefined ? undefined : handOut(name, place, next);
    },
    readToken: (name) =>
      tokens(name, async ({ store }) => {
        const token = await store.readToken(name);
        if (token !== undefined) learn(token.accessToken);
        return token;
      }),
    writeToken: async (name, token) => {
      learn(token.accessToken);
      await tokens(name, ({ store }) => store.writeToken(name, token));
    },
    deleteToken: async (name) => {
      await tokens(name, ({ store }) => store.deleteToken(name));
    },
    override: async (name, values) => {
      if (!ACCOUNT_NAME.test(name)) throw await missing(name);
      for (const secret of [values.clientSecret, values.refreshToken])
        if (secret !== undefined) learn(secret);
      const base = await find(name).catch((error: unknown) => {
        // A keychain that does not answer matters only when something has to come from it.
        if (error instanceof CredentialError && (error.reason === 'missing' || isComplete(values)))
          return undefined;
        throw error;
      });
      checkOverride(name, values, base?.stored);
      return places.cover(name, values, base?.stored, base?.place);
    },
    describe: (name) => describeAccount(name, { config, contextOf, find }),
    forget: (name) => {
      places.forget(name);
      lastGiven.delete(name);
    },
  };
}

function isComplete(values: Partial<StoredAccount>): boolean {
  return [values.clientId, values.clientSecret, values.refreshToken].every((value) => value !== undefined);
}

function once(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    tell(message);
  };
}
