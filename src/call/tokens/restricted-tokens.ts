/** Restricted data tokens: bought for one method and path, or remembered from a purchase of the caller's. */

import type { AccountProfile, AccountSource } from '../../accounts/account.ts';
import { identityKey, isSameOwner } from '../../accounts/owner.ts';
import { ApiError, CredentialError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { fitsTemplate } from '../../service/facts/path-template.ts';
import { buildApiError } from '../api-error.ts';
import type { ApiRequest, ApiResponse, Send } from '../api-request.ts';
import type { RestrictedResource } from '../client-types.ts';
import { serviceAddress } from '../request/address.ts';
import { type CallScope, openScope } from '../scope.ts';
import { PersonalDataTokens } from './personal-data-tokens.ts';
import { type Token, TokenCaches, type TokensOfReplicas } from './token-cache.ts';
import { type ExchangeOptions, tokenRequest, tokenUnreachable } from './token-exchange.ts';
import { isUsable, lifetime, lifetimeSeconds } from './token-lifetime.ts';

/** A token that a caller bought, found by the calls that it covers. */
interface Bought {
  account: string;
  /** The identity that it was bought for, as a key. */
  owner: string;
  base: string;
  method: string;
  /** May hold placeholders: `/orders/{id}/address` covers any one segment in the place of `{id}`. */
  path: string;
  token: Token;
}

export interface RestrictedTokensOptions extends Pick<ExchangeOptions, 'clock' | 'timeoutMs' | 'onSecret'> {
  accounts: AccountSource;
  ofReplicas?: TokensOfReplicas | undefined;
  /** All layers, for a purchase with the seller's token. */
  send: Send;
  /** Aborts when the client closes. */
  closing: AbortSignal;
}

/** A read that can do without the token does not wait longer for it. */
const MAX_ELEMENTS_MS = 10_000;

export class RestrictedTokens {
  /** Tokens for operations that answer without one too. */
  readonly personalData: PersonalDataTokens;
  readonly #options: RestrictedTokensOptions;
  readonly #caches: TokenCaches;
  /** The newest first. */
  #bought: Bought[] = [];

  constructor(options: RestrictedTokensOptions) {
    this.#options = options;
    this.#caches = new TokenCaches(options.clock, options.ofReplicas);
    this.personalData = new PersonalDataTokens({
      ...options,
      buy: (request, elements) => this.#buyElements(request, elements),
      toToken: (value, expiresIn) => this.#tokenOf(value, expiresIn),
    });
  }

  /** Bought now unless one is at hand. */
  async get(request: ApiRequest): Promise<string> {
    return this.recall(request) ?? this.buy(request);
  }

  /** One of our own, whatever the caller bought. */
  buy(request: ApiRequest): Promise<string> {
    const wanted = wantedBy(request);
    const { account, owner, method, base, path } = wanted;
    return this.#caches.get([account, identityKey(owner), method, base, path].join('\n'), () =>
      this.#buy(wanted),
    );
  }

  /** The remembered token that covers this call, whether the call needs one or only returns more with it. */
  recall(request: ApiRequest): string | undefined {
    if (this.#bought.length === 0) return undefined;
    const { account, owner, base, method, path } = wantedBy(request);
    const key = identityKey(owner);
    const match = this.#bought.find(
      (one) =>
        one.account === account &&
        one.owner === key &&
        one.base === base &&
        one.method === method &&
        fitsTemplate(one.path, path) &&
        isUsable(one.token.life, this.#options.clock),
    );
    return match?.token.value;
  }

  /** True for one that the caller bought. */
  remembers(value: string): boolean {
    return this.#bought.some(({ token }) => token.value === value);
  }

  /**
   * Removes expired tokens.
   * @param owner the account as it was when the token was bought: after a change it covers nothing.
   */
  remember(
    owner: AccountProfile,
    resources: readonly RestrictedResource[],
    value: string,
    expiresIn: unknown,
  ): void {
    const { base } = serviceAddress(owner.baseUrl);
    const token = this.#tokenOf(value, expiresIn);
    const added = resources.map(({ method, path }) => ({
      account: owner.name,
      owner: identityKey(owner),
      base,
      method: method.toUpperCase(),
      path,
      token,
    }));
    const kept = this.#bought.filter((one) => isUsable(one.token.life, this.#options.clock));
    this.#bought = [...added, ...kept];
  }

  reject(value: string): void {
    this.#bought = this.#bought.filter(({ token }) => token.value !== value);
    this.#caches.reject(value);
    this.personalData.reject(value);
  }

  /** One that was bought while the account became another's is not kept: nobody knows whose it is. */
  async #buy(wanted: Wanted): Promise<Token> {
    const { accounts, clock, timeoutMs, closing, send } = this.#options;
    const scope = openScope(clock, timeoutMs, [closing]);
    try {
      const purchase = buildPurchase(wanted, scope);
      const { value, expiresIn } = readPurchase(await send(purchase), purchase);
      const token = this.#tokenOf(value, expiresIn);
      const isSame = isSameOwner(wanted.owner, await accounts.profile(wanted.account));
      return isSame ? token : { ...token, life: lifetime(0, clock) };
    } catch (error) {
      throw tokenUnreachable(error, wanted.account);
    } finally {
      scope.end();
    }
  }

  /** One token for all calls of the operation: its path goes out as a template. */
  async #buyElements(request: ApiRequest, dataElements: readonly string[]): Promise<ApiResponse> {
    const { clock, timeoutMs, closing, send } = this.#options;
    const scope = openScope(clock, Math.min(timeoutMs, MAX_ELEMENTS_MS), [closing]);
    const { base, ...wanted } = wantedBy(request);
    try {
      return await send(
        buildPurchase({ ...wanted, base, path: request.operation.path }, scope, dataElements),
      );
    } finally {
      scope.end();
    }
  }

  #tokenOf(value: string, expiresIn: unknown): Token {
    const { clock, onSecret } = this.#options;
    onSecret(value);
    return { value, life: lifetime(lifetimeSeconds(expiresIn) * 1000, clock) };
  }
}

// How a restricted data token is requested: for which call, the request for it, and what its answer says.

/** The operation only makes a token, so that it is repeated like a read. Limits as the public service states them. */
const RESTRICTED_DATA_TOKEN: Operation = {
  id: 'tokens/createRestrictedDataToken',
  group: 'tokens',
  name: 'createRestrictedDataToken',
  method: 'POST',
  path: '/tokens/2021-03-01/restrictedDataToken',
  version: '2021-03-01',
  parameters: [],
  effect: 'read',
  auth: { kind: 'seller' },
  rate: { requestsPerSecond: 1, burst: 10 },
  source: 'definitions',
};

/** The call that needs a token: a token of one seller serves no other, whatever the account is called. */
interface Wanted extends Pick<ApiRequest, 'account' | 'owner' | 'quota'> {
  method: string;
  base: string;
  /** The concrete one, without the query, from the root of the base address. */
  path: string;
}

/** Takes a call's address apart: what the path template does not cover belongs to the base address. */
function wantedBy(request: ApiRequest): Wanted {
  const { origin, pathname } = new URL(request.url);
  const segments = pathname.split('/');
  const cut = segments.length - (request.operation.path.split('/').length - 1);
  const base = origin + segments.slice(0, cut).join('/');
  return {
    account: request.account,
    owner: request.owner,
    quota: request.quota,
    method: request.method,
    base,
    path: `/${segments.slice(cut).join('/')}`,
  };
}

function buildPurchase(
  { method, path, base, ...whose }: Wanted,
  scope: CallScope,
  dataElements?: readonly string[],
): ApiRequest {
  return tokenRequest(
    {
      ...whose,
      operation: RESTRICTED_DATA_TOKEN,
      url: `${base}${RESTRICTED_DATA_TOKEN.path}`,
      body: JSON.stringify({ restrictedResources: [{ method, path, dataElements }] }),
    },
    scope,
  );
}

/** @throws ApiError | CredentialError when the answer is no token. */
function readPurchase(response: ApiResponse, purchase: ApiRequest): { value: string; expiresIn: unknown } {
  if (response.status < 200 || response.status >= 300) throw refused(response, purchase);
  const { restrictedDataToken: value, expiresIn } = isJsonObject(response.body) ? response.body : {};
  if (typeof value === 'string' && value !== '') return { value, expiresIn };
  throw new CredentialError('refused', 'The service answered without a restricted data token.', ROLE_HINT);
}

const ROLE_HINT =
  'This operation returns personal data and needs a restricted data token: the application must hold the role ' +
  'that gives access to it, and the seller must have authorized that role.';

function refused(response: ApiResponse, purchase: ApiRequest): ApiError {
  const error = buildApiError(response, purchase);
  if (response.status !== 403) return error;
  const { status, requestId } = error;
  const fields = { status, requestId };
  return new ApiError(fields, `No restricted data token was given. ${error.message}`, ROLE_HINT);
}
