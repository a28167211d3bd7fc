/** What the settings say about an account, what is stored of it completed with that, and where each value came from. */

import type { Config } from '../base/config.ts';
import { ConfigError } from '../base/errors.ts';
import { hasCommandLine, howToHave, howToLogin } from '../base/invocation.ts';
import { findMarketplace, problemUnquoted } from '../service/facts/find-marketplace.ts';
import { addressesFor } from '../service/facts/regions.ts';
import type { Account, AccountField, AccountProfile, Origin, Origins, StoredAccount } from './account.ts';
import { missing, startSentence } from './missing-account.ts';

/** The part of an account that is no secret. */
export type PlainValues = Pick<
  StoredAccount,
  'region' | 'baseUrl' | 'authUrl' | 'sellerId' | 'marketplaceId'
>;

/** The same before the region is checked. */
type Plain<Region> = Omit<PlainValues, 'region'> & { region?: Region };

/** The account that the environment defines; it defines no other. */
export const ENVIRONMENT_ACCOUNT = 'default';

/** The three values that make calls possible: given whole, or not at all. */
export const secretFields = ['clientId', 'clientSecret', 'refreshToken'] as const;

const variables = {
  clientId: 'SELLER_CLIENT_ID',
  clientSecret: 'SELLER_CLIENT_SECRET',
  refreshToken: 'SELLER_REFRESH_TOKEN',
} as const;

/** True when any of the three values is in the environment, complete or not. */
export function isEnvironmentUsed(config: Config): boolean {
  return secretFields.some((field) => config[field] !== undefined);
}

/**
 * The account `default` as the environment defines it; undefined when it says nothing of one.
 * @throws CredentialError when only some of the three are given: the rest is never taken from the keychain
 */
export function environmentAccount(config: Config): StoredAccount | undefined {
  const { clientId, clientSecret, refreshToken } = config;
  if (!isEnvironmentUsed(config)) return undefined;
  if (clientId !== undefined && clientSecret !== undefined && refreshToken !== undefined) {
    return { clientId, clientSecret, refreshToken };
  }
  const namesOf = (isGiven: boolean) =>
    secretFields
      .filter((field) => (config[field] !== undefined) === isGiven)
      .map((field) => variables[field])
      .join(' and ');
  const [given, absent] = [namesOf(true), namesOf(false)];
  throw missing(
    ENVIRONMENT_ACCOUNT,
    `The environment gives ${given}, but not ${absent}.`,
    `Set ${absent} too, or remove ${given} to use the keychain: values of different sources are never mixed.`,
  );
}

/**
 * The addresses and ids of the settings, for the one account that they belong to: `default` when the environment
 * defines it, otherwise the account that calls use when they name none. For any other account: nothing.
 * @throws ConfigError when the marketplace is a word and no country that has one
 */
export function settingsFor(name: string, config: Config): PlainValues {
  const owner = isEnvironmentUsed(config) ? ENVIRONMENT_ACCOUNT : config.account;
  if (name !== owner) return NOTHING;
  const known = plain.get(config);
  if (known !== undefined) return known;
  const { region, baseUrl, authUrl, sellerId } = config;
  const values = { region, baseUrl, authUrl, sellerId, marketplaceId: marketplaceIdOf(config) };
  plain.set(config, values);
  return values;
}

const NOTHING: PlainValues = {};

/** Settings do not change, and every call asks for them. */
const plain = new WeakMap<Config, PlainValues>();

/**
 * The ID of the marketplace that is set, which may be given as a country.
 * @throws ConfigError when it is a word and no country that has one
 */
export function marketplaceIdOf({
  marketplaceId: marketplace,
}: Pick<Config, 'marketplaceId'>): string | undefined {
  if (marketplace === undefined) return undefined;
  const found = findMarketplace(marketplace);
  if (found.kind === 'known') return found.marketplace.id;
  if (found.kind === 'unknown') return marketplace;
  const problem = problemUnquoted(found);
  throw new ConfigError(
    `Invalid settings. The marketplace ${problem}${problem.endsWith('?') ? '' : '.'}`,
    hasCommandLine()
      ? 'Correct --marketplace-id or SELLER_MARKETPLACE_ID and start the server again.'
      : 'Correct it in the settings of this extension in your host.',
  );
}

export interface ResolveContext {
  name: string;
  /** Origin of what is stored; single values may come from elsewhere. */
  origin: Origin;
  settings: PlainValues;
  spApiSandbox: boolean;
}

export const addressFields = ['region', 'baseUrl', 'authUrl'] as const;
const idFields = ['sellerId', 'marketplaceId'] as const;

/** @throws CredentialError when no addresses are known */
export function resolveAccount(stored: StoredAccount, context: ResolveContext): Account {
  const { clientId, clientSecret, refreshToken } = stored;
  const profile = resolveProfile(mergePlain(stored, context.settings), context);
  return { ...profile, clientId, clientSecret, refreshToken };
}

/** @throws CredentialError when no addresses are known */
export function resolveProfile(plain: PlainValues, context: ResolveContext): AccountProfile {
  const { sellerId, marketplaceId } = plain;
  return { name: context.name, ...resolveAddresses(plain, context), sellerId, marketplaceId };
}

/** Addresses come from one place whole: an account that has any of its own takes none from the settings. */
export function mergePlain<Region extends string>(
  stored: Plain<Region>,
  settings: Plain<Region>,
): Plain<Region> {
  const { region, baseUrl, authUrl } = hasAddresses(stored) ? stored : settings;
  return {
    region,
    baseUrl,
    authUrl,
    sellerId: stored.sellerId ?? settings.sellerId,
    marketplaceId: stored.marketplaceId ?? settings.marketplaceId,
  };
}

export function hasAddresses(values: Plain<string>): boolean {
  return addressFields.some((field) => values[field] !== undefined);
}

/** True when the settings name addresses, and others than the account was stored with: those are not used. */
export function ignoresSettings(stored: PlainValues, settings: PlainValues): boolean {
  if (!hasAddresses(stored) || !hasAddresses(settings)) return false;
  return addressFields.some((field) => stored[field] !== settings[field]);
}

/** Where each value comes from; values that are nowhere are left out. */
export function originsOf(
  stored: Partial<StoredAccount>,
  { origin, settings }: Pick<ResolveContext, 'origin' | 'settings'>,
): Origins {
  const origins: Partial<Record<AccountField, Origin>> = {};
  for (const field of secretFields) {
    if (stored[field] !== undefined) origins[field] = origin;
  }
  const own = hasAddresses(stored);
  for (const field of addressFields) {
    if ((own ? stored : settings)[field] !== undefined) origins[field] = own ? origin : 'setting';
  }
  for (const field of idFields) {
    if (stored[field] !== undefined) origins[field] = origin;
    else if (settings[field] !== undefined) origins[field] = 'setting';
  }
  return origins;
}

function resolveAddresses(
  { region, baseUrl, authUrl }: PlainValues,
  { name, spApiSandbox }: ResolveContext,
): { baseUrl: string; authUrl: string } {
  const ofRegion = region === undefined ? undefined : addressesFor(region, spApiSandbox);
  const service = baseUrl ?? ofRegion?.baseUrl;
  const identity = authUrl ?? ofRegion?.authUrl;
  if (service !== undefined && identity !== undefined) return { baseUrl: service, authUrl: identity };
  throw missing(
    name,
    service === identity
      ? `Account "${name}" has no region and no addresses.`
      : `Account "${name}" has the address of the ${service === undefined ? 'identity provider' : 'service'}, but not of the ${service === undefined ? 'service' : 'identity provider'}.`,
    startSentence(
      howToHave(
        'set its region',
        () =>
          `set SELLER_REGION (na, eu or fe), or SELLER_BASE_URL and SELLER_AUTH_URL, or ${hasCommandLine() ? `${howToLogin(name)} with --region` : howToLogin(name)}`,
      ),
    ).concat('.'),
  );
}
