/**
 * Finds the marketplaces that a user can choose from for a newly stored account, by a short call to the
 * service.
 */

import type { AccountSource, CredentialStore } from '../../accounts/account.ts';
import type { MarketplaceOffer } from '../../accounts/account-ids.ts';
import { ApiError, AppError } from '../../base/errors.ts';
import { marketplaces } from '../../service/facts/marketplaces.ts';
import type { MarketplaceChoice } from '../../service/shapes/participations.ts';
import { type ClientParts, withClient } from './client-once.ts';
import { openStored } from './open-accounts.ts';

/** The limit is short, because the user is waiting and can choose without an answer. */
const PARTICIPATIONS_TIMEOUT_MS = 10_000;

interface MarketplaceQuery extends Pick<ClientParts, 'config' | 'learn'> {
  /** The store with the account for the call, which also receives a rotated refresh token. */
  store: CredentialStore;
  signal: AbortSignal;
  timeoutMs?: number;
}

/**
 * Returns the marketplaces and never fails: without an answer, it offers those of the region with the reason.
 */
export async function findMarketplaces(name: string, query: MarketplaceQuery): Promise<MarketplaceOffer> {
  let failure: string;
  try {
    // The stored account is used even if the environment defines one of that name.
    const own = await fetchParticipations(name, openStored(query.store, query), query);
    if (own !== undefined && own.length > 0) return { marketplaces: own, isOwn: true };
    failure =
      own === undefined
        ? 'The answer of the service names no marketplaces.'
        : 'The service says that this account takes part in no marketplace.';
  } catch (error) {
    const { region } = (await query.store.read(name).catch(() => undefined)) ?? {};
    failure = error instanceof AppError ? explainRefusal(error, region) : 'Something unexpected went wrong.';
  }
  return { ...(await offerRegion(name, query.store)), failure };
}

/** Returns the marketplaces of the account's region without a call; none when only addresses are known. */
export async function offerRegion(
  name: string,
  store: Pick<CredentialStore, 'read'>,
): Promise<MarketplaceOffer> {
  const account = await store.read(name).catch(() => undefined);
  const ofRegion = marketplaces().filter(({ region }) => region === account?.region);
  return { marketplaces: ofRegion.map(({ id, name: country }) => ({ id, country })), isOwn: false };
}

/**
 * Makes the one call that every application may make, which shows whether the service accepts the account's
 * token.
 * @returns the marketplaces; undefined when the answer has none
 * @throws AppError as every call
 */
export async function fetchParticipations(
  name: string,
  accounts: AccountSource,
  { config, signal, learn, timeoutMs = PARTICIPATIONS_TIMEOUT_MS }: Omit<MarketplaceQuery, 'store'>,
): Promise<MarketplaceChoice[] | undefined> {
  const [{ loadRegistry }, { askParticipations }] = await Promise.all([
    import('../../service/registry/registry.ts'),
    import('../../call/participations.ts'),
  ]);
  const { find } = await loadRegistry();
  const deadline = performance.now() + timeoutMs;
  return withClient(accounts, { config, learn }, (client) =>
    askParticipations(client, find, { account: name }, { signal, deadline }),
  );
}

/** Explains a 403 to the first call of an account, because the service only returns that access is denied. */
export function explainRefusal(error: AppError, region: string | undefined): string {
  if (!(error instanceof ApiError) || error.status !== 403) return error.message;
  const chosen = region === undefined ? '' : ` (this account has ${region}; US sellers need na)`;
  return `Amazon refused the call (403). Usually the region is wrong${chosen}, or the application has no role yet.`;
}
