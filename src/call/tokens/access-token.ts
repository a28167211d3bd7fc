/** Layer: adds the access token that an operation asks for, of the tokens of one session, and repeats a call once whose token was rejected or was not needed. */

import { checkStillOwner } from '../../accounts/owner.ts';
import type { AnySignal } from '../../base/cancel-signal.ts';
import { saysExpired } from '../api-error.ts';
import type { ApiRequest, ApiResponse, Layer } from '../api-request.ts';
import type { TokenExchange } from '../client-types.ts';
import { waitFor } from '../scope.ts';
import type { AccountTokens } from './account-tokens.ts';
import { RestrictedTokens, type RestrictedTokensOptions } from './restricted-tokens.ts';
import { SellerTokens, type SellerTokensOptions } from './seller-tokens.ts';
import { TokenCaches } from './token-cache.ts';
import { type Exchange, type ExchangeOptions, tokenExchange } from './token-exchange.ts';
import { lifetime } from './token-lifetime.ts';

/** @param header name of the header that carries the token. */
export function accessToken(options: { tokens: Tokens; header: string }): Layer {
  const { tokens } = options;
  const header = options.header.toLowerCase();
  return (next) => async (request) => {
    const token = await waitFor(tokens.get(request), request.signal);
    const response = await next(withHeader(request, header, token));
    if (isTokenRejected(response)) {
      tokens.reject(token);
      const fresh = await waitFor(tokens.get(request), request.signal);
      return tokens.told(request, await next(withHeader(request, header, fresh)));
    }
    const instead = response.status === 403 ? tokens.instead(request, token) : undefined;
    if (instead === undefined) return tokens.told(request, response);
    const other = await waitFor(instead, request.signal);
    if (other === undefined) return response;
    const second = await next(withHeader(request, header, other));
    // Refused with either, the call itself is what may not be.
    if (second.status !== 403) tokens.deny(token);
    return tokens.told(request, second);
  };
}

function withHeader(request: ApiRequest, name: string, value: string): ApiRequest {
  // The added header comes first, here and in every layer, because V8 takes ten times as long if it follows copied ones.
  return { ...request, headers: { [name]: value, ...request.headers } };
}

/** 401, or the 403 with which some services tell that a token is past its time. Nothing was acted on. */
const isTokenRejected = (response: ApiResponse): boolean => response.status === 401 || saysExpired(response);

type TokensOptions = ExchangeOptions &
  RestrictedTokensOptions &
  Omit<SellerTokensOptions, 'exchange'> & {
    /** The tokens of the process, if its sessions share them. */
    shared?: AccountTokens | undefined;
  };

/** Provides the tokens of each kind of authentication. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #exchange: Exchange;
  readonly #seller: SellerTokens;
  /** Tokens without a seller, bought with client credentials, one per account and scope. */
  readonly #grantless: TokenCaches;
  readonly #restricted: RestrictedTokens;

  constructor(options: TokensOptions) {
    this.#options = options;
    const { shared } = options;
    this.#exchange = shared?.exchange ?? tokenExchange(options);
    this.#seller = shared?.seller ?? new SellerTokens({ ...options, exchange: this.#exchange });
    this.#grantless = shared?.grantless ?? new TokenCaches(options.clock, options.ofReplicas);
    this.#restricted = new RestrictedTokens(options);
  }

  async get(request: ApiRequest): Promise<string> {
    return this.#handOut(request, await this.#tokenFor(request));
  }

  /** The token that the call can do with, where this one was only remembered for it; undefined for any other. */
  instead(request: ApiRequest, token: string): Promise<string | undefined> | undefined {
    const isExtra = this.#restricted.personalData.remembers(token);
    if (!this.#restricted.remembers(token) && !isExtra) return this.#forDocument(request);
    const isNeeded = request.operation.auth.kind === 'restricted';
    const taken = isNeeded ? this.#restricted.buy(request) : this.#ofSeller(request.account);
    return taken.then((other) => this.#handOut(request, other));
  }

  /** A document with buyers' data is given against a token for its own path: which documents those are shows in a refusal. */
  #forDocument(request: ApiRequest): Promise<string | undefined> | undefined {
    const { operation } = request;
    if (operation.id !== 'reports/getReportDocument' || operation.auth.kind !== 'seller') return undefined;
    return this.#restricted.buy(request).then(
      (token) => this.#handOut(request, token),
      () => undefined,
    );
  }

  /** The service took another token in its place. */
  deny(token: string): void {
    if (this.#restricted.personalData.remembers(token)) this.#restricted.personalData.deny(token);
    else if (this.#restricted.remembers(token)) this.#restricted.reject(token);
  }

  /** The answer, with what it can hold of buyers' data. */
  told(request: ApiRequest, response: ApiResponse): ApiResponse {
    // A token that the caller bought may be shown to them.
    if (this.#restricted.recall(request) !== undefined) return response;
    const personalData = this.#restricted.personalData.accessOf(request, response);
    return personalData === undefined ? response : { ...response, personalData };
  }

  /** The service refused this token. */
  reject(token: string): void {
    for (const source of [this.#seller, this.#grantless, this.#restricted]) source.reject(token);
  }

  /** An exchange now, whatever token is at hand. */
  async exchange(account: string, signal: AnySignal): Promise<TokenExchange> {
    await this.#mayUse(account);
    return this.#seller.exchange(account, signal);
  }

  /** Keeps a restricted token that the caller bought. */
  remember(...purchase: Parameters<RestrictedTokens['remember']>): void {
    this.#restricted.remember(...purchase);
  }

  /** Resolves when no exchange with a refresh token is under way, and what it brought is kept. */
  settled(): Promise<unknown> {
    return this.#options.shared === undefined ? this.#seller.settled() : Promise.resolve();
  }

  /** Checks that this session has the account, because shared tokens belong to all accounts. */
  async #mayUse(account: string): Promise<void> {
    if (this.#options.shared !== undefined) await this.#options.accounts.get(account);
  }

  #ofSeller(account: string): Promise<string> {
    const token = () => this.#seller.get(account);
    return this.#options.shared === undefined ? token() : this.#mayUse(account).then(token);
  }

  #tokenFor(request: ApiRequest): string | Promise<string> {
    const { auth } = request.operation;
    if (auth.kind === 'restricted') return this.#restricted.get(request);
    if (auth.kind === 'grantless') return this.#grantlessToken(request.account, auth.scope);
    const bought = this.#restricted.recall(request);
    if (bought !== undefined || !this.#restricted.personalData.serves(request))
      return bought ?? this.#ofSeller(request.account);
    return this.#restricted.personalData
      .get(request)
      .then((token) => token ?? this.#ofSeller(request.account));
  }

  async #grantlessToken(name: string, scope: string): Promise<string> {
    const account = await this.#options.accounts.get(name);
    const key = [name, account.clientId, account.clientSecret, account.authUrl, scope].join('\n');
    return this.#grantless.get(key, async () => {
      const issued = await this.#exchange(account, { kind: 'client_credentials', scope });
      return {
        value: issued.accessToken,
        life: lifetime(issued.expiresInSeconds * 1000, this.#options.clock),
      };
    });
  }

  async #handOut(request: ApiRequest, token: string): Promise<string> {
    const { accounts, onSecret } = this.#options;
    // After the token was taken, which belongs to the account as it was then: had that changed before, it is seen here.
    checkStillOwner(request.owner, await accounts.profile(request.account));
    // Each use reports the token again, so that a used one is not forgotten among a thousand.
    onSecret(token);
    return token;
  }
}
