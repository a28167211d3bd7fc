/** The rules of a refresh token that is replaced, as functions of values: what to write, and what to try when one is refused. */

import { createHash } from 'node:crypto';
import type { StoredAccount } from './types.ts';

/** Every call asks for the grant of an account that is the same object as before. */
const knownGrants = new WeakMap<object, string>();

/** Names a login for as long as its refresh token is rotated; a hash, so that it gives nothing away. */
export function grantOf(account: Pick<StoredAccount, 'refreshToken' | 'grantId'>): string {
  if (account.grantId !== undefined) return account.grantId;
  const known = knownGrants.get(account);
  if (known !== undefined) return known;
  const grant = createHash('sha256').update(account.refreshToken).digest('base64url').slice(0, 22);
  knownGrants.set(account, grant);
  return grant;
}

/** What is remembered of credentials that the identity provider refused: all three, since each alone may be right. */
export function credentialKey(account: StoredAccount): string {
  return JSON.stringify([account.clientId, account.clientSecret, account.refreshToken]);
}

/**
 * The entry that replaces `stored`. One older token stays beside the new one, because it is good until the new one is
 * first used: the old one, or, where another process has rotated since, that process's, unless it was refused already.
 */
export function withNewToken(
  stored: StoredAccount,
  oldToken: string,
  newToken: string,
  rejected: ReadonlySet<string>,
): StoredAccount {
  const previous = rejected.has(credentialKey(stored)) ? oldToken : stored.refreshToken;
  const kept = previous === newToken ? stored.previousRefreshToken : previous;
  return { ...stored, refreshToken: newToken, previousRefreshToken: kept, grantId: grantOf(stored) };
}

/** The stored credentials that were not refused yet, the newest first; undefined when all were. */
export function usable(stored: StoredAccount, rejected: ReadonlySet<string>): StoredAccount | undefined {
  const { previousRefreshToken } = stored;
  if (!rejected.has(credentialKey(stored))) return stored;
  if (previousRefreshToken === undefined) return undefined;
  // The grant is pinned: the older token is another value of the same login.
  const older = { ...stored, refreshToken: previousRefreshToken, grantId: grantOf(stored) };
  return rejected.has(credentialKey(older)) ? undefined : older;
}
