/** What `status` tells of an account: for each value whether it is there and where it comes from, never the value. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import type { Finder } from './find-account.ts';
import {
  ENVIRONMENT_ACCOUNT,
  isEnvironmentUsed,
  originsOf,
  type ResolveContext,
  resolveAccount,
} from './resolve-account.ts';
import type { AccountDescription, StoredAccount } from './types.ts';

/** Does not throw for an account that is missing or incomplete. */
export async function describeAccount(
  name: string,
  finder: Finder,
  config: Config,
): Promise<AccountDescription> {
  try {
    const { place, stored } = await finder.find(name);
    const context = finder.contextOf(name, place);
    return { name, values: valuesOf(stored, context), problem: problemOf(stored, context) };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    const context = finder.contextOf(name, { origin: 'environment' });
    return { name, values: valuesOf(givenPart(name, config), context), problem: error };
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

/** Of an environment that gives only some of the values: those. */
function givenPart(name: string, config: Config): Partial<StoredAccount> {
  if (name !== ENVIRONMENT_ACCOUNT || !isEnvironmentUsed(config)) return {};
  const { clientId, clientSecret, refreshToken } = config;
  return { clientId, clientSecret, refreshToken };
}

function valuesOf(stored: Partial<StoredAccount>, context: ResolveContext): AccountDescription['values'] {
  const origins = originsOf(stored, context);
  const one = (field: keyof AccountDescription['values']) => {
    const origin = origins[field];
    return origin === undefined ? { present: false } : { present: true, origin };
  };
  return {
    clientId: one('clientId'),
    clientSecret: one('clientSecret'),
    refreshToken: one('refreshToken'),
    region: one('region'),
    baseUrl: one('baseUrl'),
    authUrl: one('authUrl'),
    sellerId: one('sellerId'),
    marketplaceId: one('marketplaceId'),
  };
}
