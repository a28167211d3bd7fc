/** The tokens of accounts that the sessions of a process share: ten people of one seller are one exchange. */

import type { AccountSource } from '../../accounts/account.ts';
import { CancelSignal } from '../../base/cancel-signal.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Replicas } from '../../replicas/sealed.ts';
import type { Send } from '../api-request.ts';
import { retry } from '../pacing/retry.ts';
import { SellerTokens } from './seller-tokens.ts';
import { TokenCaches } from './token-cache.ts';
import { CLOSING_MS, EXCHANGE_ATTEMPTS, type Exchange, tokenExchange } from './token-exchange.ts';
import { tokensOfReplicas } from './tokens-of-replicas.ts';

/** Bought for no seller, or with a seller's refresh token; which of them a session may have, its own accounts say. */
export interface AccountTokens {
  exchange: Exchange;
  seller: SellerTokens;
  /** Tokens without a seller, bought with client credentials, one per account and scope. */
  grantless: TokenCaches;
}

export interface AccountTokensOptions {
  /** The source of all accounts. */
  accounts: AccountSource;
  send: Send;
  timeoutMs: number;
  /** Set if several processes buy tokens together. */
  replicas?: Replicas | undefined;
  clock?: Clock;
  random?: () => number;
  onSecret: (secret: string, use?: string) => void;
  /** Told what a person should know although the call goes on. */
  warn: (message: string) => void;
}

/** Belongs to the process. */
export function createAccountTokens(
  options: AccountTokensOptions,
): AccountTokens & { close(): Promise<void> } {
  const { accounts, send: transport, timeoutMs, clock = systemClock, random = Math.random } = options;
  const { onSecret, warn, replicas } = options;
  const ofReplicas = replicas && tokensOfReplicas(replicas, clock);
  const ending = new CancelSignal();
  const repeat = retry({ clock, random, maxAttempts: EXCHANGE_ATTEMPTS });
  const closingExchanges = ending.signal;
  const exchange = tokenExchange({ clock, transport, repeat, timeoutMs, closingExchanges, onSecret });
  const seller = new SellerTokens({ accounts, clock, exchange, warn, ofReplicas });
  return {
    exchange,
    seller,
    grantless: new TokenCaches(clock, ofReplicas),
    async close() {
      await new Promise<void>((resolve) => {
        const stopTimer = clock.after(CLOSING_MS, resolve);
        void seller.settled().then(() => {
          stopTimer();
          resolve();
        });
      });
      ending.abort();
    },
  };
}
