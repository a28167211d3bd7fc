/** The marketplaces that a person can choose from for an account that was just stored: the service is asked, for a short time. */

import type { AccountSource, CredentialStore } from '../../accounts/account.ts';
import type { MarketplaceOffer } from '../../accounts/account-ids.ts';
import { ApiError, AppError } from '../../base/errors.ts';
import { marketplaces } from '../../service/facts/marketplaces.ts';
import type { MarketplaceChoice } from '../../service/shapes/participations.ts';
import { type ClientParts, withClient } from './client-once.ts';
import { openStored } from './open-accounts.ts';

/** The person is waiting, and can choose without an answer. */
const PARTICIPATIONS_TIMEOUT_MS = 10_000;

interface Asking extends Pick<ClientParts, 'config' | 'learn'> {
  /** Its account is asked with, and takes a refresh token that is rotated meanwhile. */
  store: CredentialStore;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Never fails: where the service does not tell, those of the region are offered, with the reason. @throws nothing */
export async function findMarketplaces(name: string, asking: Asking): Promise<MarketplaceOffer> {
  let failure: string;
  try {
    // The account that was stored, whatever the environment says of one of that name.
    const own = await fetchParticipations(name, openStored(asking.store, asking), asking);
    if (own !== undefined && own.length > 0) return { marketplaces: own, isOwn: true };
    failure =
      own === undefined
        ? 'The answer of the service names no marketplaces.'
        : 'The service says that this account takes part in no marketplace.';
  } catch (error) {
    const { region } = (await asking.store.read(name).catch(() => undefined)) ?? {};
    failure = error instanceof AppError ? explainRefusal(error, region) : 'Something unexpected went wrong.';
  }
  return { ...(await offerRegion(name, asking.store)), failure };
}

/** Those of the account's region, without asking anybody; none where only addresses are known. */
export async function offerRegion(
  name: string,
  store: Pick<CredentialStore, 'read'>,
): Promise<MarketplaceOffer> {
  const account = await store.read(name).catch(() => undefined);
  const ofRegion = marketplaces().filter(({ region }) => region === account?.region);
  return { marketplaces: ofRegion.map(({ id, name: country }) => ({ id, country })), isOwn: false };
}

/**
 * Makes the one call that every application may make, which shows whether the service takes the account's token.
 * @returns where the account sells; undefined where the answer names no marketplaces
 * @throws AppError as every call
 */
export async function fetchParticipations(
  name: string,
  accounts: AccountSource,
  { config, signal, learn, timeoutMs = PARTICIPATIONS_TIMEOUT_MS }: Omit<Asking, 'store'>,
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

/** Explains a 403 to the first call of an account: the service says only that access is denied. */
export function explainRefusal(error: AppError, region: string | undefined): string {
  if (!(error instanceof ApiError) || error.status !== 403) return error.message;
  const chosen = region === undefined ? '' : ` (this account has ${region}; US sellers need na)`;
  return `Amazon refused the call (403). Usually the region is wrong${chosen}, or the application has no role yet.`;
}
