/** What the settings say about an account: the three values of the environment, and the addresses and ids that go with them. */

import type { Config } from '../config.ts';
import { CredentialError } from '../errors.ts';
import type { StoredAccount } from './types.ts';

/** The part of an account that is no secret. */
export type PlainValues = Pick<
  StoredAccount,
  'region' | 'baseUrl' | 'authUrl' | 'sellerId' | 'marketplaceId'
>;

/** The account that the environment defines; it defines no other. */
export const ENVIRONMENT_ACCOUNT = 'default';

const variables = [
  ['clientId', 'SELLER_CLIENT_ID'],
  ['clientSecret', 'SELLER_CLIENT_SECRET'],
  ['refreshToken', 'SELLER_REFRESH_TOKEN'],
] as const;

/** True when any of the three values is in the environment, complete or not. */
export function isEnvironmentUsed(config: Config): boolean {
  return variables.some(([key]) => config[key] !== undefined);
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
  const missing = variables.filter(([key]) => config[key] === undefined).map(([, variable]) => variable);
  const given = variables.filter(([key]) => config[key] !== undefined).map(([, variable]) => variable);
  throw new CredentialError(
    'missing',
    `The environment gives ${given.join(' and ')}, but not ${missing.join(' and ')}.`,
    `Set ${missing.join(' and ')} too, or remove ${given.join(' and ')} to use the keychain: values of different sources are never mixed.`,
  );
}

/**
 * The addresses and ids of the settings, for the one account that they belong to: `default` when the environment
 * defines it, otherwise the account that calls use when they name none. For any other account: nothing.
 */
export function settingsFor(name: string, config: Config): PlainValues {
  const owner = isEnvironmentUsed(config) ? ENVIRONMENT_ACCOUNT : config.account;
  if (name !== owner) return {};
  const { region, baseUrl, authUrl, sellerId, marketplaceId } = config;
  return { region, baseUrl, authUrl, sellerId, marketplaceId };
}
