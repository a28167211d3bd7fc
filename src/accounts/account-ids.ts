/**
 * Seller ID and marketplace of a stored account: the choices offered, the texts about them, and their
 * validation.
 */

import * as z from 'zod';
import type { Problem } from '../base/errors.ts';
import { commandLine, hasCommandLine, howToHave } from '../base/invocation.ts';
import { marketplaceById } from '../service/facts/marketplaces.ts';
import type { MarketplaceChoice } from '../service/shapes/participations.ts';
import type { CredentialStore, Origin, StoredAccount } from './account.ts';
import { accountInputSchema, type CheckedInput, problemsOf } from './account-input.ts';
import { grantOf } from './rotation.ts';

/** The marketplaces that a user can choose from. */
export interface MarketplaceOffer {
  /** The choices in the order in which they are offered; empty when none is known. */
  marketplaces: readonly MarketplaceChoice[];
  /** True when the service returned them as this account's own, so the first may be preselected. */
  isOwn: boolean;
  /**
   * The reason why the service did not return them, safe to show anywhere; undefined when it was not called.
   */
  failure?: string;
}

/** The IDs of an account. Neither is secret; an absent one is left unset. */
export type AccountIds = Pick<StoredAccount, 'sellerId' | 'marketplaceId'>;

/** The help text shown wherever a user is asked for the seller ID. */
export const SELLER_ID_HELP = 'In Seller Central: Settings > Account Info > Merchant Token.';

/** Texts that explain what does not work while the seller ID or the marketplace is missing. */
export const NO_SELLER_ID_MESSAGE =
  'Without the seller ID, your assistant can read or change a listing only when you tell it the ID each time.';
export const NO_MARKETPLACE_MESSAGE =
  'Without a marketplace, your assistant has to be told the marketplace with each question about listings, prices or orders.';

const FLAGS = { sellerId: '--seller-id ID', marketplaceId: '--marketplace-id COUNTRY' } as const;

/**
 * Explains how a user adds the IDs to a keychain account without its secrets. The text begins with a
 * lower-case letter and has no full stop.
 */
export function howToAddIds(account: string, lacking: readonly (keyof AccountIds)[]): string {
  if (!hasCommandLine())
    return howToHave('add it', () => 'enter it in the settings of this extension in your host');
  const name = account === 'default' ? [] : [account];
  const flags = lacking.map((one) => FLAGS[one]);
  return `run \`${commandLine(['accounts set', ...name, ...flags].join(' '))}\``;
}

/** Explains how to add a seller ID permanently; empty for an account that cannot have one. */
export function howToAddSellerId(account: string, origin: Origin | undefined): string {
  if (origin !== 'keychain' && origin !== 'environment') return '';
  const how =
    origin === 'environment' && hasCommandLine()
      ? 'set SELLER_ID beside the other variables and start the server again'
      : howToAddIds(account, ['sellerId']);
  return `To add it for good, ${how}. ${SELLER_ID_HELP}`;
}

/** Formats a marketplace as `Germany (A1PA6795UKMFR9)`. */
export function formatMarketplaceChoice({ id, country }: MarketplaceChoice): string {
  return country === id ? id : `${country} (${id})`;
}

const idsSchema = z.strictObject({
  sellerId: accountInputSchema.shape.sellerId,
  marketplaceId: accountInputSchema.shape.marketplaceId,
});

/**
 * Validates the IDs.
 * @param secrets of the same account; an ID that equals one of them is refused, and no problem repeats it
 */
export function parseAccountIds(
  given: AccountIds,
  secrets: readonly string[],
): { ok: true; value: AccountIds } | Extract<CheckedInput, { ok: false }> {
  const result = idsSchema.safeParse(given);
  const more: Problem[] = [];
  for (const path of ['sellerId', 'marketplaceId'] as const) {
    if (!secrets.includes(given[path]?.trim() ?? '')) continue;
    more.push({ path, message: 'This is one of the secrets, which does not belong here' });
  }
  const marketplace = marketplaceById(given.sellerId?.trim() ?? '');
  if (marketplace !== undefined) {
    const message = `This is the ID of a marketplace (${marketplace.name}), not the seller ID`;
    more.push({ path: 'sellerId', message });
  }
  if (result.success && more.length === 0) return { ok: true, value: result.data };
  return { ok: false, problems: problemsOf(result.error, more) };
}

/**
 * Adds the IDs to the stored account, whose refresh token may have been rotated since.
 * @returns false, with nothing written, when the account was removed or replaced by another login meanwhile.
 * @throws CredentialError('unreachable')
 */
export async function storeAccountIds(
  name: string,
  { sellerId, marketplaceId }: AccountIds,
  account: Pick<StoredAccount, 'clientId' | 'refreshToken' | 'grantId'>,
  store: CredentialStore,
): Promise<boolean> {
  const stored = await store.read(name);
  if (stored === undefined || stored.clientId !== account.clientId) return false;
  if (grantOf(stored) !== grantOf(account)) return false;
  await store.write(name, {
    ...stored,
    ...(sellerId === undefined ? {} : { sellerId }),
    ...(marketplaceId === undefined ? {} : { marketplaceId }),
  });
  return true;
}
