/** The access token that the processes of one account share; a store that fails is as good as none. */

import { createHash } from 'node:crypto';
import type { Account, AccountSource } from '../credentials/types.ts';
import { isUsable, type Lifetime, lifetime } from './token-lifetime.ts';
import type { Clock } from './types.ts';

const LONGEST_MS = 86_400_000;

/** @returns undefined unless it was bought with these credentials, is still good, and is not the rejected one. */
export async function readSharedToken(
  accounts: AccountSource,
  account: Account,
  clock: Clock,
  rejected: string | undefined,
): Promise<{ value: string; life: Lifetime } | undefined> {
  const stored = await accounts.readToken(account.name).catch(() => undefined);
  if (stored === undefined || stored.accessToken === rejected || stored.boughtWith !== boughtWith(account)) {
    return undefined;
  }
  const now = { now: clock.now(), wallClock: clock.wallClock() };
  const life = lifetime(stored.expiresAt - now.wallClock, now);
  const believable = stored.expiresAt - now.wallClock <= LONGEST_MS;
  return believable && isUsable(life, now) ? { value: stored.accessToken, life } : undefined;
}

/** Does not keep the call waiting, and never fails it. */
export function writeSharedToken(
  accounts: AccountSource,
  account: Account,
  token: { value: string; life: Lifetime },
) {
  const stored = {
    accessToken: token.value,
    expiresAt: token.life.expiresAt,
    boughtWith: boughtWith(account),
  };
  accounts.writeToken(account.name, stored).catch(() => undefined);
}

/** A hash, so that the store shows no further secret. */
export function boughtWith(account: Pick<Account, 'clientId' | 'refreshToken'>): string {
  return createHash('sha256').update(`${account.clientId}\n${account.refreshToken}`).digest('hex');
}
