/** Layer: adds the access token that an operation asks for, of the tokens of one session, and repeats a call once whose token was rejected or was not needed. */

import { checkStillOwner } from '../../accounts/owner.ts';
import type { Account, AccountProfile, AccountSource } from '../../accounts/types.ts';
import type { Clock } from '../../base/clock.ts';
import { parseErrors, saysTokenExpired } from '../api-error.ts';
import type { RestrictedResource, TokenExchange } from '../client.ts';
import { waitFor } from '../scope.ts';
import type { ApiRequest, ApiResponse, Layer, Send } from '../types.ts';
import { RestrictedTokens } from './restricted-tokens.ts';
import { SellerTokens } from './seller-tokens.ts';
import { type Token, TokenCache } from './token-cache.ts';
import { type Exchange, tokenExchange } from './token-exchange.ts';
import { lifetime } from './token-lifetime.ts';

/** Where tokens come from; one per kind of authentication. */
export interface TokenSource {
  get(request: ApiRequest): Promise<string>;
  /** The service refused this token. */
  reject(token: string): void;
  /** The token that the call can do with, where this one was only remembered for it; undefined for any other. */
  instead(request: ApiRequest, token: string): Promise<string> | undefined;
}

/** @param header name of the header that carries the token. */
export function accessToken(options: { tokens: TokenSource; header: string }): Layer {
  const { tokens } = options;
  const header = options.header.toLowerCase();
  return (next) => async (request) => {
    const token = await waitFor(tokens.get(request), request.signal);
    const response = await next(withHeader(request, header, token));
    if (isTokenRejected(response)) {
      tokens.reject(token);
      const fresh = await waitFor(tokens.get(request), request.signal);
      return next(withHeader(request, header, fresh));
    }
    const instead = response.status === 403 ? tokens.instead(request, token) : undefined;
    if (instead === undefined) return response;
    const second = await next(withHeader(request, header, await waitFor(instead, request.signal)));
    // Refused with either, the call itself is what may not be.
    if (second.status !== 403) tokens.reject(token);
    return second;
  };
}

function withHeader(request: ApiRequest, name: string, value: string): ApiRequest {
  return { ...request, headers: { ...request.headers, [name]: value } };
}

/** 401, or the 403 with which some services tell that a token is past its time. Nothing was acted on. */
function isTokenRejected({ status, body }: ApiResponse): boolean {
  return status === 401 || (status === 403 && saysTokenExpired(parseErrors(body)));
}

export interface TokensOptions {
  accounts: AccountSource;
  /** For the identity provider: nothing of the layers but repeats. */
  transport: Send;
  repeat: Layer;
  /** All layers, for the purchase of restricted tokens with the seller's. */
  send: Send;
  clock: Clock;
  timeoutMs: number;
  /** Aborts when the client closes. */
  closing: AbortSignal;
  /** Aborts a little later: a token exchange is let come to its end. */
  closingExchanges: AbortSignal;
  /** Told every token that comes back, with what it is in use as, and again before each use. */
  onSecret: (secret: string, use?: string) => void;
  /** Told what a person should know although the call goes on. */
  warn: (message: string) => void;
}

export interface Tokens extends TokenSource {
  /** An exchange now, whatever token is at hand. */
  exchange(account: string, signal: AbortSignal): Promise<TokenExchange>;
  /** Keeps a restricted token that the caller bought. */
  remember(
    owner: AccountProfile,
    resources: readonly RestrictedResource[],
    token: string,
    expiresIn: number,
  ): void;
  /** Resolves when no exchange with a refresh token is under way, and what it brought is kept. */
  settled(): Promise<unknown>;
}

export function createTokens(options: TokensOptions): Tokens {
  const exchange = tokenExchange({
    ...options,
    closing: options.closingExchanges,
  });
  const seller = new SellerTokens({ ...options, exchange });
  const grantless = new GrantlessTokens({ ...options, exchange });
  const restricted = new RestrictedTokens(options);
  const tokenFor = async (request: ApiRequest): Promise<string> => {
    const { auth } = request.operation;
    if (auth.kind === 'restricted') return restricted.get(request);
    if (auth.kind === 'grantless') return grantless.get(request.account, auth.scope);
    return restricted.recall(request) ?? seller.get(request.account);
  };
  const handOut = async (request: ApiRequest, taken: Promise<string>): Promise<string> => {
    const token = await taken;
    // After the token was taken, which belongs to the account as it was then: had that changed before, it is seen here.
    checkStillOwner(request.owner, await options.accounts.profile(request.account));
    // Of a thousand tokens, those that are used are the ones not to forget.
    options.onSecret(token);
    return token;
  };
  return {
    get: (request) => handOut(request, tokenFor(request)),
    instead(request, token) {
      if (!restricted.remembers(token)) return undefined;
      const isNeeded = request.operation.auth.kind === 'restricted';
      return handOut(request, isNeeded ? restricted.buy(request) : seller.get(request.account));
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

  async get(name: string, scope: string): Promise<string> {
    const account = await this.#options.accounts.get(name);
    const key = [name, account.clientId, account.clientSecret, account.authUrl, scope].join('\n');
    const cache =
      this.#caches.get(key) ?? new TokenCache(this.#options.clock, () => this.#buy(account, scope));
    this.#caches.set(key, cache);
    return (await cache.get()).value;
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
