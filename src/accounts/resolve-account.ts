/** Completes a stored account with the settings, and reports where each value came from. */

import type { Config } from '../base/config.ts';
import { ConfigError } from '../base/errors.ts';
import { hasCommandLine, howToHave, howToLogin } from '../base/invocation.ts';
import { findMarketplace, problemUnquoted } from '../service/facts/find-marketplace.ts';
import { addressesFor } from '../service/facts/regions.ts';
import type { Account, AccountField, AccountProfile, Origin, Origins, StoredAccount } from './account.ts';
import { missingValuesError, startSentence } from './missing-account.ts';

/** The part of an account that is not secret. */
export type PlainValues = Pick<
  StoredAccount,
  'region' | 'baseUrl' | 'authUrl' | 'sellerId' | 'marketplaceId'
>;

/** The same values before the region is checked. */
type Plain<Region> = Omit<PlainValues, 'region'> & { region?: Region };

/** The only account that the environment can define. */
export const ENVIRONMENT_ACCOUNT = 'default';

/** The three values that calls require; either all or none are given. */
export const secretFields = ['clientId', 'clientSecret', 'refreshToken'] as const;

const variables = {
  clientId: 'SELLER_CLIENT_ID',
  clientSecret: 'SELLER_CLIENT_SECRET',
  refreshToken: 'SELLER_REFRESH_TOKEN',
} as const;

/** Returns true when any of the three values is in the environment, complete or not. */
export function isEnvironmentUsed(config: Config): boolean {
  return secretFields.some((field) => config[field] !== undefined);
}

/**
 * Returns the account `default` as the environment defines it, or undefined when it does not.
 * @throws CredentialError when only some of the three are given, because the rest is never taken from the
 * keychain
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
  throw missingValuesError(
    ENVIRONMENT_ACCOUNT,
    `The environment gives ${given}, but not ${absent}.`,
    `Set ${absent} too, or remove ${given} to use the keychain: values of different sources are never mixed.`,
  );
}

/**
 * Returns the addresses and IDs of the settings for the one account that they apply to, and an empty object
 * for any other. That account is `default` when the environment defines it, otherwise the one that calls use
 * by default.
 * @throws ConfigError when the marketplace is a word that is no country with a marketplace
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

/** Caches the result per configuration, because settings never change and every call needs them. */
const plain = new WeakMap<Config, PlainValues>();

/**
 * Returns the ID of the configured marketplace, which may be given as a country.
 * @throws ConfigError when it is a word that is no country with a marketplace
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
  /** The origin of the stored values; single values may come from elsewhere. */
  origin: Origin;
  settings: PlainValues;
  spApiSandbox: boolean;
}

export const addressFields = ['region', 'baseUrl', 'authUrl'] as const;
const idFields = ['sellerId', 'marketplaceId'] as const;

/**
 * Resolves a stored account.
 * @throws CredentialError when no addresses are known
 */
export function resolveAccount(stored: StoredAccount, context: ResolveContext): Account {
  const { clientId, clientSecret, refreshToken } = stored;
  const profile = resolveProfile(mergePlain(stored, context.settings), context);
  return { ...profile, clientId, clientSecret, refreshToken };
}

/**
 * Resolves the part of an account that is not secret.
 * @throws CredentialError when no addresses are known
 */
export function resolveProfile(plain: PlainValues, context: ResolveContext): AccountProfile {
  const { sellerId, marketplaceId } = plain;
  return { name: context.name, ...resolveAddresses(plain, context), sellerId, marketplaceId };
}

/**
 * Merges stored values and settings. Addresses come from one source: an account that has any of its own takes
 * none from the settings.
 */
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

/**
 * Returns true when the settings have addresses that differ from the stored ones, and are therefore ignored.
 */
export function ignoresSettings(stored: PlainValues, settings: PlainValues): boolean {
  if (!hasAddresses(stored) || !hasAddresses(settings)) return false;
  return addressFields.some((field) => stored[field] !== settings[field]);
}

/** Returns the origin of each value; missing values are left out. */
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
  throw missingValuesError(
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
