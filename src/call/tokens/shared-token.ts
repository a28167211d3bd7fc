/** The access token that the processes of one account share; a store that fails is as good as none. */

import { createHash } from 'node:crypto';
import type { Account, AccountSource } from '../../accounts/account.ts';
import type { Clock } from '../../base/clock.ts';
import { EARLY_MS, endingEarly, type Lifetime, MAX_TOKEN_SECONDS } from './token-lifetime.ts';

/** A token that claims a longer life comes from a wrong clock. */
const MAX_MS = MAX_TOKEN_SECONDS * 1000;

/** @returns undefined unless it was bought with these credentials, is good for more than a minute, and is not the unwanted one. */
export async function readSharedToken(
  accounts: AccountSource,
  account: Account,
  clock: Clock,
  unwanted: string | undefined,
): Promise<{ value: string; life: Lifetime } | undefined> {
  const stored = await accounts.readToken(account.name).catch(() => undefined);
  if (stored === undefined || stored.accessToken === unwanted || stored.boughtWith !== boughtWith(account)) {
    return undefined;
  }
  const remainingMs = stored.expiresAt - clock.wallClock();
  if (remainingMs <= EARLY_MS || remainingMs > MAX_MS) return undefined;
  return { value: stored.accessToken, life: endingEarly(remainingMs, clock) };
}

/** Never fails the call: an access token that cannot be shared costs the other process one exchange. */
export async function writeSharedToken(
  accounts: AccountSource,
  account: Account,
  token: { value: string; life: Lifetime },
): Promise<void> {
  const stored = {
    accessToken: token.value,
    expiresAt: token.life.expiresAt,
    boughtWith: boughtWith(account),
  };
  await accounts.writeToken(account.name, stored).catch(() => undefined);
}

/** A hash, so that the store shows no further secret. */
export function boughtWith(account: Pick<Account, 'clientId' | 'refreshToken'>): string {
  return createHash('sha256').update(`${account.clientId}\n${account.refreshToken}`).digest('hex');
}
