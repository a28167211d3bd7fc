/** Restricted data tokens: bought for one method and path, or remembered from a purchase of the caller's. */

import { identityKey, isSameOwner } from '../../accounts/owner.ts';
import type { AccountProfile, AccountSource } from '../../accounts/types.ts';
import type { Clock } from '../../base/clock.ts';
import { ApiError, CredentialError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { fitsTemplate } from '../../service/facts/path-template.ts';
import { buildApiError } from '../api-error.ts';
import type { RestrictedResource } from '../client.ts';
import { serviceAddress } from '../request/address.ts';
import { openScope } from '../scope.ts';
import type { ApiRequest, ApiResponse, Quota, Send } from '../types.ts';
import { type Token, TokenCache } from './token-cache.ts';
import { tokenUnreachable } from './token-exchange.ts';
import { isUsable, type Lifetime, lifetime, lifetimeSeconds } from './token-lifetime.ts';

export interface RestrictedTokensOptions {
  accounts: AccountSource;
  /** Sends with the seller's token, with retries and pacing. */
  send: Send;
  clock: Clock;
  timeoutMs: number;
  closing: AbortSignal;
  onSecret: (secret: string) => void;
}

/** Above this many, those that hold no token are forgotten: every order has its own path. */
const MAX_CACHES = 1000;

export class RestrictedTokens {
  readonly #options: RestrictedTokensOptions;
  readonly #caches = new Map<string, TokenCache<Token>>();
  readonly #remembered = new RememberedTokens((token) => this.#usable(token));

  constructor(options: RestrictedTokensOptions) {
    this.#options = options;
  }

  /** Bought now unless one is at hand. */
  async get(request: ApiRequest): Promise<string> {
    const wanted = wantedBy(request);
    return this.#remembered.find(wanted) ?? (await this.#cacheOf(wanted).get()).value;
  }

  /** One of our own, whatever the caller bought. */
  async buy(request: ApiRequest): Promise<string> {
    return (await this.#cacheOf(wantedBy(request)).get()).value;
  }

  /** The remembered token that covers this call, whether the call needs one or only returns more with it. */
  recall(request: ApiRequest): string | undefined {
    return this.#remembered.none ? undefined : this.#remembered.find(wantedBy(request));
  }

  /** True for one that the caller bought. */
  remembers(value: string): boolean {
    return this.#remembered.holds(value);
  }

  /** @param owner the account as it was when the token was bought: after a change it covers nothing. */
  remember(
    owner: AccountProfile,
    resources: readonly RestrictedResource[],
    value: string,
    expiresIn: unknown,
  ): void {
    this.#remembered.add(owner, resources, this.#tokenOf(value, expiresIn));
  }

  reject(value: string): void {
    this.#remembered.remove(value);
    for (const cache of this.#caches.values()) cache.reject(value);
  }

  #usable({ life }: Token): boolean {
    const { clock } = this.#options;
    return isUsable(life, { now: clock.now(), wallClock: clock.wallClock() });
  }

  #cacheOf(wanted: Wanted): TokenCache<Token> {
    const { account, owner, method, base, path } = wanted;
    const key = [account, identityKey(owner), method, base, path].join('\n');
    const cache = this.#caches.get(key) ?? this.#open(wanted);
    this.#caches.set(key, cache);
    return cache;
  }

  #open(wanted: Wanted): TokenCache<Token> {
    if (this.#caches.size >= MAX_CACHES) {
      for (const [key, cache] of this.#caches) if (!cache.busy) this.#caches.delete(key);
    }
    return new TokenCache(this.#options.clock, () => this.#buy(wanted));
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
      return isSame ? token : { ...token, life: this.#lasting(0) };
    } catch (error) {
      throw tokenUnreachable(error, wanted.account);
    } finally {
      scope.end();
    }
  }

  #tokenOf(value: string, expiresIn: unknown): Token {
    this.#options.onSecret(value);
    return { value, life: this.#lasting(lifetimeSeconds(expiresIn) * 1000) };
  }

  #lasting(lengthMs: number): Lifetime {
    const { clock } = this.#options;
    return lifetime(lengthMs, { now: clock.now(), wallClock: clock.wallClock() });
  }
}

interface Entry {
  account: string;
  /** The identity that it was bought for, as a key. */
  owner: string;
  base: string;
  method: string;
  /** May hold placeholders: `/orders/{id}/address` covers any one segment in the place of `{id}`. */
  path: string;
  token: Token;
}

/** What a caller bought, found again by the calls that it covers. */
class RememberedTokens {
  readonly #usable: (token: Token) => boolean;
  #entries: Entry[] = [];

  constructor(usable: (token: Token) => boolean) {
    this.#usable = usable;
  }

  get none(): boolean {
    return this.#entries.length === 0;
  }

  /** The newest comes first; what has expired is forgotten. */
  add(owner: AccountProfile, resources: readonly RestrictedResource[], token: Token): void {
    const { base } = serviceAddress(owner.baseUrl);
    const added = resources.map(({ method, path }) => ({
      account: owner.name,
      owner: identityKey(owner),
      base,
      method: method.toUpperCase(),
      path,
      token,
    }));
    this.#entries = [...added, ...this.#entries.filter((entry) => this.#usable(entry.token))];
  }

  find({ account, owner, base, method, path }: Wanted): string | undefined {
    const key = identityKey(owner);
    const match = this.#entries.find(
      (entry) =>
        entry.account === account &&
        entry.owner === key &&
        entry.base === base &&
        entry.method === method &&
        fitsTemplate(entry.path, path) &&
        this.#usable(entry.token),
    );
    return match?.token.value;
  }

  holds(value: string): boolean {
    return this.#entries.some(({ token }) => token.value === value);
  }

  remove(value: string): void {
    this.#entries = this.#entries.filter(({ token }) => token.value !== value);
  }
}

// How a restricted data token is requested: for which call, the request for it, and what its answer says.

/** Nothing but a token comes of it, so it is repeated like a read. Limits as the public service states them. */
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

/** The call that needs a token: its path is the concrete one, without the query, from the root of the base address. */
interface Wanted {
  account: string;
  /** Whose call it is: a token of one seller serves no other, whatever the account is called. */
  owner: AccountProfile;
  quota: Quota;
  method: string;
  base: string;
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

function buildPurchase(wanted: Wanted, scope: { signal: AbortSignal; deadline: number }): ApiRequest {
  const { account, owner, quota, method, path, base } = wanted;
  return {
    operation: RESTRICTED_DATA_TOKEN,
    account,
    owner,
    quota,
    method: 'POST',
    url: `${base}${RESTRICTED_DATA_TOKEN.path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ restrictedResources: [{ method, path }] }),
    repeatable: true,
    // No token is as large: of such an answer nothing is read.
    unread: true,
    signal: scope.signal,
    deadline: scope.deadline,
  };
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
