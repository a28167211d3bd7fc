/** Completes what is stored of an account with the settings that belong to it, and says where each value came from. */

import { CredentialError } from '../errors.ts';
import type { PlainValues } from './settings-account.ts';
import type { Account, AccountField, AccountProfile, Origin, StoredAccount } from './types.ts';

/** The addresses of a region (src/service/facts/regions.ts); passed in, since accounts know nothing of the service. */
export type AddressesFor = (
  region: 'na' | 'eu' | 'fe',
  spApiSandbox: boolean,
) => { baseUrl: string; authUrl: string };

export interface ResolveContext {
  name: string;
  /** Origin of what is stored; single values may come from elsewhere. */
  origin: Origin;
  /** Values that were given as arguments. */
  given?: ReadonlySet<AccountField>;
  settings: PlainValues;
  spApiSandbox: boolean;
  addressesFor: AddressesFor;
}

const secretFields = ['clientId', 'clientSecret', 'refreshToken'] as const;
const addressFields = ['region', 'baseUrl', 'authUrl'] as const;
const idFields = ['sellerId', 'marketplaceId'] as const;

/** @throws CredentialError when no addresses are known */
export function resolveAccount(stored: StoredAccount, context: ResolveContext): Account {
  const { clientId, clientSecret, refreshToken } = stored;
  const plain = mergePlain(stored, context.settings);
  return {
    name: context.name,
    clientId,
    clientSecret,
    refreshToken,
    ...resolveAddresses(plain, context),
    sellerId: plain.sellerId,
    marketplaceId: plain.marketplaceId,
    origins: originsOf(stored, context),
  };
}

/** @throws CredentialError when no addresses are known */
export function resolveProfile(plain: PlainValues, context: ResolveContext): AccountProfile {
  const { baseUrl } = resolveAddresses(plain, context);
  return { name: context.name, baseUrl, sellerId: plain.sellerId, marketplaceId: plain.marketplaceId };
}

/** Addresses come from one place whole: an account that has any of its own takes none from the settings. */
export function mergePlain(stored: PlainValues, settings: PlainValues): PlainValues {
  const { region, baseUrl, authUrl } = hasAddresses(stored) ? stored : settings;
  return {
    region,
    baseUrl,
    authUrl,
    sellerId: stored.sellerId ?? settings.sellerId,
    marketplaceId: stored.marketplaceId ?? settings.marketplaceId,
  };
}

export function hasAddresses(values: PlainValues): boolean {
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
  { origin, given, settings }: Pick<ResolveContext, 'origin' | 'given' | 'settings'>,
): Partial<Record<AccountField, Origin>> {
  const origins: Partial<Record<AccountField, Origin>> = {};
  for (const field of secretFields) {
    if (stored[field] !== undefined) origins[field] = given?.has(field) === true ? 'argument' : origin;
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
  { name, spApiSandbox, addressesFor }: ResolveContext,
): { baseUrl: string; authUrl: string } {
  const ofRegion = region === undefined ? undefined : addressesFor(region, spApiSandbox);
  const service = baseUrl ?? ofRegion?.baseUrl;
  const identity = authUrl ?? ofRegion?.authUrl;
  if (service !== undefined && identity !== undefined) return { baseUrl: service, authUrl: identity };
  throw new CredentialError(
    'missing',
    service === identity
      ? `Account "${name}" has no region and no addresses.`
      : `Account "${name}" has the address of the ${service === undefined ? 'identity provider' : 'service'}, but not of the ${service === undefined ? 'service' : 'identity provider'}.`,
    `Set SELLER_REGION (na, eu or fe), or SELLER_BASE_URL and SELLER_AUTH_URL, or run \`seller-commerce-mcp login --account ${name}\` with --region.`,
  );
}
