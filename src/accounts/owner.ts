/**
 * Identifies the owner of a call, which a confirmation is bound to and which is checked again when the call
 * is sent.
 */

import { createHash } from 'node:crypto';
import { AccountChangedError, WriteRefusedError } from '../base/errors.ts';
import type { AccountProfile } from './account.ts';

/**
 * The seller, as far as the account identifies it, and the addresses. Nothing in it is secret, and rotation
 * does not change it.
 */
export interface Identity {
  sellerId: string | undefined;
  clientId: string | undefined;
  grant: string | undefined;
  baseUrl: string;
  authUrl: string;
}

/** The sandbox listens at a different address each time, so its identity uses this fixed one. */
const SANDBOX_ADDRESS = 'sandbox';

export function identityOf({ sellerId, login, isSandbox, ...addresses }: AccountProfile): Identity {
  const { baseUrl, authUrl } = isSandbox ? { baseUrl: SANDBOX_ADDRESS, authUrl: SANDBOX_ADDRESS } : addresses;
  return { sellerId, clientId: login?.clientId, grant: login?.grant, baseUrl, authUrl };
}

/** Returns the same text for equal identities. */
export function identityKey(profile: AccountProfile): string {
  const { sellerId, clientId, grant, baseUrl, authUrl } = identityOf(profile);
  return JSON.stringify([sellerId, clientId, grant, baseUrl, authUrl]);
}

/**
 * Returns sixteen characters that identify the seller and reveal nothing. The sign-in address does not affect
 * the owner, so it is not included.
 */
export function identityDigest({ sellerId, clientId, grant, baseUrl }: Identity): string {
  const hash = createHash('sha256').update(JSON.stringify([sellerId, clientId, grant, baseUrl]));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the digest of the account's seller. */
export const ownerDigestOf = (profile: AccountProfile): string => identityDigest(identityOf(profile));

export function isSameOwner(one: AccountProfile, other: AccountProfile): boolean {
  return one === other || identityKey(one) === identityKey(other);
}

/**
 * Checks that the account still belongs to the same owner.
 * @param owner for whom the request was built
 * @throws AccountChangedError when the account of that name belongs to another owner by now
 */
export function checkStillOwner(owner: AccountProfile, found: AccountProfile): void {
  if (isSameOwner(owner, found)) return;
  throw new AccountChangedError(
    `Account ${found.name} got other credentials or another address while the call was prepared; nothing was sent.`,
    'Call again.',
  );
}

/**
 * Checks that the account still belongs to the owner who confirmed the call.
 * @param confirmed the owner at confirmation; undefined when nobody was asked
 * @throws WriteRefusedError when the account of that name belongs to another owner by now
 */
export function checkOwner(confirmed: AccountProfile | undefined, found: AccountProfile): void {
  if (confirmed === undefined || isSameOwner(confirmed, found)) return;
  throw new WriteRefusedError(
    `Account ${found.name} has other credentials or another address than when this was confirmed; nothing was sent.`,
    'Call the tool again to see for whom it would be sent now.',
  );
}
