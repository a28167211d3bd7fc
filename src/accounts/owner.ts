/** Whose call it is: what a confirmation is bound to, and what is checked once more when the call goes out. */

import { createHash } from 'node:crypto';
import { AccountChangedError, WriteRefusedError } from '../base/errors.ts';
import type { AccountProfile } from './account.ts';

/** The seller as far as an account tells, and the addresses; nothing of it is secret, and rotation changes nothing of it. */
export interface Identity {
  sellerId: string | undefined;
  clientId: string | undefined;
  grant: string | undefined;
  baseUrl: string;
  authUrl: string;
}

/** The embedded sandbox listens elsewhere each time, and is the same all the while. */
const SANDBOX_ADDRESS = 'sandbox';

export function identityOf({ sellerId, login, isSandbox, ...addresses }: AccountProfile): Identity {
  const { baseUrl, authUrl } = isSandbox ? { baseUrl: SANDBOX_ADDRESS, authUrl: SANDBOX_ADDRESS } : addresses;
  return { sellerId, clientId: login?.clientId, grant: login?.grant, baseUrl, authUrl };
}

/** The same text for the same identity. */
export function identityKey(profile: AccountProfile): string {
  const { sellerId, clientId, grant, baseUrl, authUrl } = identityOf(profile);
  return JSON.stringify([sellerId, clientId, grant, baseUrl, authUrl]);
}

/** Sixteen characters that tell sellers apart, and nothing else; the sign-in address does not matter to whose it is. */
export function identityDigest({ sellerId, clientId, grant, baseUrl }: Identity): string {
  const hash = createHash('sha256').update(JSON.stringify([sellerId, clientId, grant, baseUrl]));
  return hash.digest('hex').slice(0, 16);
}

/** Of the seller whose account it is. */
export const ownerDigestOf = (profile: AccountProfile): string => identityDigest(identityOf(profile));

export function isSameOwner(one: AccountProfile, other: AccountProfile): boolean {
  return one === other || identityKey(one) === identityKey(other);
}

/**
 * @param owner as the request was built for it
 * @throws AccountChangedError when the account of that name has become another's since
 */
export function checkStillOwner(owner: AccountProfile, found: AccountProfile): void {
  if (isSameOwner(owner, found)) return;
  throw new AccountChangedError(
    `Account ${found.name} got other credentials or another address while the call was prepared; nothing was sent.`,
    'Call again.',
  );
}

/**
 * @param confirmed whose call was confirmed; undefined where nobody was asked about it
 * @throws WriteRefusedError when the account of that name has become another's since
 */
export function checkOwner(confirmed: AccountProfile | undefined, found: AccountProfile): void {
  if (confirmed === undefined || isSameOwner(confirmed, found)) return;
  throw new WriteRefusedError(
    `Account ${found.name} has other credentials or another address than when this was confirmed; nothing was sent.`,
    'Call the tool again to see for whom it would be sent now.',
  );
}
