/** Checks credentials for `status`: the keychain, the account with the origin of its values, the token. */

import type {
  AccountDescription,
  AccountField,
  Accounts,
  CredentialStore,
  Origin,
  Origins,
} from '../../../accounts/account.ts';
import {
  formatMarketplaceChoice,
  howToAddSellerId,
  NO_SELLER_ID_MESSAGE,
} from '../../../accounts/account-ids.ts';
import { addressFields } from '../../../accounts/resolve-account.ts';
import { daysUntil, SECRET_DAYS, secretEndOf, WARNING_DAYS } from '../../../accounts/secret-life.ts';
import { ApiError, CredentialError } from '../../../base/errors.ts';
import { howToLogin } from '../../../base/invocation.ts';
import { regionOf } from '../../../service/facts/regions.ts';
import { exchangeOnce } from '../../runtime/client-once.ts';
import { explainRefusal, fetchParticipations } from '../../runtime/find-marketplaces.ts';
import type { Outside } from '../../runtime/outside.ts';
import { type Check, note, ok, problem, problemOf } from './check.ts';

/** Checks the keychain, whose failure is no problem for an account from another source. */
export async function checkKeychain(store: CredentialStore, description: AccountDescription): Promise<Check> {
  try {
    const names = await store.list();
    const held = names.length === 0 ? 'no account' : names.join(', ');
    return ok('Keychain', `reachable; it holds ${held}`);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    const isNeeded = description.problem !== undefined || description.origins.clientId === 'keychain';
    if (isNeeded) return problem('Keychain', error.message, error.hint);
    return note('Keychain', `${error.message} The account does not need it: its values come from elsewhere.`);
  }
}

/** The labels, in the order of the output. */
const labels: readonly (readonly [AccountField, string])[] = [
  ['clientId', 'client ID'],
  ['clientSecret', 'client secret'],
  ['refreshToken', 'refresh token'],
  ['region', 'region'],
  ['baseUrl', 'service address'],
  ['authUrl', 'identity provider address'],
  ['sellerId', 'seller ID'],
  ['marketplaceId', 'marketplace ID'],
];

/**
 * Formats `client ID, client secret from the keychain; seller ID not given`; addresses that follow from a
 * region are left out.
 */
function describeSources(origins: Origins): string {
  const { region, baseUrl, authUrl } = origins;
  const addressed = (region ?? (baseUrl && authUrl)) !== undefined;
  const bySource = new Map<string, string[]>();
  for (const [field, label] of labels) {
    const origin = origins[field];
    if (origin === undefined && addressed && addressFields.some((one) => one === field)) continue;
    const source = origin === undefined ? 'not given' : `from ${SOURCES[origin]}`;
    bySource.set(source, [...(bySource.get(source) ?? []), label]);
  }
  return [...bySource].map(([source, names]) => `${names.join(', ')} ${source}`).join('; ');
}

const SOURCES: Readonly<Record<Origin, string>> = {
  argument: 'arguments',
  environment: 'the environment',
  keychain: 'the keychain',
  setting: 'the settings',
  sandbox: 'the sandbox',
};

/** Returns the origin of each value for scripts. */
export function listOrigins(origins: Origins): Record<string, { present: boolean; origin?: Origin }> {
  return Object.fromEntries(
    labels.map(([field]) => [field, { present: field in origins, origin: origins[field] }]),
  );
}

/** Checks the account and reports the origin of each value, never the value. */
export function checkAccount({ name, origins, problem: wrong }: AccountDescription): Check {
  if (wrong?.reason === 'unreachable') {
    return note('Account', `"${name}" is not known as long as the keychain does not answer`);
  }
  const sources = describeSources(origins);
  if (wrong !== undefined) return problem('Account', `${wrong.message} (${sources})`, wrong.hint);
  return ok('Account', `"${name}"; ${sources}`);
}

/** Returns nothing when there is a seller ID, or when no account is known that could have one. */
export function checkSellerId({ name, origins, problem: wrong }: AccountDescription): Check[] {
  if (wrong !== undefined || origins.sellerId !== undefined) return [];
  return [
    { ...note('Seller ID', `none. ${NO_SELLER_ID_MESSAGE}`), todo: howToAddSellerId(name, origins.clientId) },
  ];
}

/**
 * Warns that a client secret in the keychain is about to end, computed from the day when it was first stored.
 */
export async function checkSecretEnd(
  { name, origins }: AccountDescription,
  store: CredentialStore,
  now = Date.now(),
): Promise<Check[]> {
  if (origins.clientSecret !== 'keychain') return [];
  const { secretSince } = (await store.read(name)) ?? {};
  if (secretSince === undefined) return [];
  const end = secretEndOf(Date.parse(secretSince));
  if (daysUntil(end, now) > WARNING_DAYS) return [];
  const day = new Date(end).toISOString().slice(0, 10);
  const text = `stored on ${secretSince}; Amazon ends it ${SECRET_DAYS} days after it was made, on ${day} at the latest`;
  const todo = `Make a new secret for the application in the developer console, then ${howToLogin(name)}.`;
  return [{ ...note('Client secret', text), todo }];
}

/** Makes one call with the token, because only a call detects a wrong region and a missing role. */
export async function checkCall(name: string, accounts: Accounts, io: Outside): Promise<Check> {
  try {
    const own = await fetchParticipations(name, accounts, io);
    if (own === undefined || own.length === 0)
      return note('First call', 'the service answers, and names no marketplace where this account sells');
    return ok(
      'First call',
      `the service answers: this account sells in ${own.map(formatMarketplaceChoice).join(', ')}`,
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) return problemOf('First call', error);
    const { baseUrl } = await accounts.profile(name);
    return problem(
      'First call',
      explainRefusal(error, regionOf(baseUrl)),
      `For another region: ${howToLogin(name)}. Roles: in the developer console, under the application.`,
    );
  }
}

/** Checks the token. With `fresh`, it is exchanged even if a shared access token is still valid. */
export async function checkToken(
  name: string,
  accounts: Accounts,
  io: Outside,
  fresh: boolean,
): Promise<Check> {
  try {
    const cached = fresh ? undefined : await findShared(name, accounts);
    if (cached !== undefined) {
      return ok(
        'Token',
        `a shared access token is good until ${localTime(cached)}; to test the refresh token: status --fresh`,
      );
    }
    const { expiresAt, rotated } = await exchangeOnce(name, accounts, {
      config: io.config,
      signal: io.signal,
      learn: io.learn,
      warn: (message) => io.stderr(`${message}\n`),
    });
    const renewed = rotated ? '; the refresh token was renewed' : '';
    return ok(
      'Token',
      `the identity provider gave an access token, good until ${localTime(expiresAt)}${renewed}`,
    );
  } catch (error) {
    return problemOf('Token', error);
  }
}

/**
 * Returns when the shared token ends, in milliseconds since the epoch; undefined when it is not this
 * account's or about to end.
 */
async function findShared(name: string, accounts: Accounts): Promise<number | undefined> {
  const [{ systemClock }, { readSharedToken }] = await Promise.all([
    import('../../../base/clock.ts'),
    import('../../../call/tokens/shared-token.ts'),
  ]);
  const shared = await readSharedToken(accounts, await accounts.get(name), systemClock, undefined);
  return shared?.life.expiresAt;
}

function localTime(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 5);
}
