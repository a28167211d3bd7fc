/** All tokens of one session: which kind an operation asks for, and where each comes from. */

import type { Account, AccountSource } from '../../credentials/types.ts';
import type { RestrictedResource, TokenExchange } from '../client.ts';
import type { Clock } from '../clock.ts';
import type { ApiRequest, Send } from '../types.ts';
import type { TokenSource } from './access-token.ts';
import { RestrictedTokens } from './restricted-tokens.ts';
import { SellerTokens } from './seller-tokens.ts';
import { type Token, TokenCache } from './token-cache.ts';
import { type Exchange, tokenExchange } from './token-exchange.ts';
import { lifetime } from './token-lifetime.ts';

export interface TokensOptions {
  accounts: AccountSource;
  /** Retries and transport, for the identity provider. */
  sendExchange: Send;
  /** All layers, for the purchase of restricted tokens with the seller's. */
  send: Send;
  clock: Clock;
  timeoutMs: number;
  /** Aborts when the client closes. */
  closing: AbortSignal;
  /** Aborts a little later: a token exchange is let come to its end. */
  closingExchanges: AbortSignal;
  /** Told every token that comes back. */
  onSecret: (secret: string) => void;
  /** Told what a person should know although the call goes on. */
  warn: (message: string) => void;
}

export interface Tokens extends TokenSource {
  /** An exchange now, whatever token is at hand. */
  exchange(account: string, signal: AbortSignal): Promise<TokenExchange>;
  /** Keeps a restricted token that the caller bought. */
  remember(account: string, resources: readonly RestrictedResource[], token: string, expiresIn: number): void;
  /** Resolves when no exchange with a refresh token is under way, and what it brought is kept. */
  settled(): Promise<unknown>;
}

export function createTokens(options: TokensOptions): Tokens {
  const exchange = tokenExchange({
    ...options,
    send: options.sendExchange,
    closing: options.closingExchanges,
  });
  const seller = new SellerTokens({ ...options, exchange });
  const grantless = new GrantlessTokens({ ...options, exchange });
  const restricted = new RestrictedTokens(options);
  return {
    get(request) {
      const { auth } = request.operation;
      if (auth.kind === 'restricted') return restricted.get(request);
      if (auth.kind === 'grantless') return grantless.get(request, auth.scope);
      const covering = restricted.recall(request);
      return covering === undefined ? seller.get(request.account, request.signal) : Promise.resolve(covering);
    },
    reject(token) {
      for (const source of [seller, grantless, restricted]) source.reject(token);
    },
    exchange: (account, signal) => seller.exchange(account, signal),
    remember: (...purchase) => restricted.remember(...purchase),
    settled: () => seller.settled(),
  };
}

/** Tokens without a seller: bought with client credentials, one per account and scope. */
class GrantlessTokens {
  readonly #options: { accounts: AccountSource; exchange: Exchange; clock: Clock };
  readonly #caches = new Map<string, TokenCache<Token>>();

  constructor(options: { accounts: AccountSource; exchange: Exchange; clock: Clock }) {
    this.#options = options;
  }

  async get({ account: name, signal }: ApiRequest, scope: string): Promise<string> {
    const account = await this.#options.accounts.get(name);
    const key = [name, account.clientId, account.clientSecret, account.authUrl, scope].join('\n');
    const cache =
      this.#caches.get(key) ?? new TokenCache(this.#options.clock, () => this.#buy(account, scope));
    this.#caches.set(key, cache);
    return (await cache.get(signal)).value;
  }

  reject(token: string): void {
    for (const cache of this.#caches.values()) cache.reject(token);
  }

  async #buy(account: Account, scope: string) {
    const { clock, exchange } = this.#options;
    const issued = await exchange(account, { kind: 'client_credentials', scope });
    const now = { now: clock.now(), wallClock: clock.wallClock() };
    return { value: issued.accessToken, life: lifetime(issued.expiresInSeconds * 1000, now) };
  }
}
