/** Restricted data tokens: bought for one method and path, or remembered from a purchase of the caller's. */

import { ApiError, CredentialError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { buildApiError } from '../api-error.ts';
import type { RestrictedResource } from '../client.ts';
import type { Clock } from '../clock.ts';
import { openScope } from '../scope.ts';
import type { ApiRequest, ApiResponse, Send } from '../types.ts';
import { RememberedTokens } from './remembered-tokens.ts';
import { buildPurchase, type Wanted, wantedBy } from './restricted-purchase.ts';
import { type Token, TokenKeeper } from './token-keeper.ts';
import { isUsable, lifetime, lifetimeSeconds } from './token-lifetime.ts';
import { tokenUnreachable } from './token-refusal.ts';

export interface RestrictedTokensOptions {
  /** Sends with the seller's token, with retries and pacing. */
  send: Send;
  clock: Clock;
  timeoutMs: number;
  closing: AbortSignal;
  onSecret: (secret: string) => void;
}

/** Above this many, those that hold no token are forgotten: every order has its own path. */
const MAX_KEEPERS = 1000;

export class RestrictedTokens {
  readonly #options: RestrictedTokensOptions;
  readonly #keepers = new Map<string, TokenKeeper<Token>>();
  readonly #remembered = new RememberedTokens((token) => this.#usable(token));

  constructor(options: RestrictedTokensOptions) {
    this.#options = options;
  }

  /** Bought now unless one is at hand. */
  async get(request: ApiRequest): Promise<string> {
    const wanted = wantedBy(request);
    return this.#remembered.find(wanted) ?? (await this.#keeperOf(wanted).get(request.signal)).value;
  }

  /** The remembered token that covers this call, whether the call needs one or only returns more with it. */
  recall(request: ApiRequest): string | undefined {
    return this.#remembered.none ? undefined : this.#remembered.find(wantedBy(request));
  }

  remember(
    account: string,
    resources: readonly RestrictedResource[],
    value: string,
    expiresIn: unknown,
  ): void {
    this.#remembered.add(account, resources, this.#tokenOf(value, expiresIn));
  }

  reject(value: string): void {
    this.#remembered.remove(value);
    for (const keeper of this.#keepers.values()) keeper.reject(value);
  }

  #usable({ life }: Token): boolean {
    const { clock } = this.#options;
    return isUsable(life, { now: clock.now(), wallClock: clock.wallClock() });
  }

  #keeperOf(wanted: Wanted): TokenKeeper<Token> {
    const { account, method, base, path } = wanted;
    const key = [account, method, base, path].join('\n');
    const keeper = this.#keepers.get(key) ?? this.#open(wanted);
    this.#keepers.set(key, keeper);
    return keeper;
  }

  #open(wanted: Wanted): TokenKeeper<Token> {
    if (this.#keepers.size >= MAX_KEEPERS) {
      for (const [key, keeper] of this.#keepers) if (!keeper.busy) this.#keepers.delete(key);
    }
    return new TokenKeeper(this.#options.clock, () => this.#buy(wanted));
  }

  async #buy(wanted: Wanted): Promise<Token> {
    const { clock, timeoutMs, closing, send } = this.#options;
    const scope = openScope(clock, timeoutMs, [closing]);
    try {
      const purchase = buildPurchase(wanted, scope);
      return this.#read(await send(purchase), purchase);
    } catch (error) {
      throw tokenUnreachable(error, wanted.account);
    } finally {
      scope.end();
    }
  }

  #read(response: ApiResponse, purchase: ApiRequest): Token {
    if (response.status < 200 || response.status >= 300) throw refused(response, purchase);
    const body = isJsonObject(response.body) ? response.body : {};
    if (typeof body.restrictedDataToken !== 'string' || body.restrictedDataToken === '') {
      throw new CredentialError(
        'refused',
        'The service answered without a restricted data token.',
        ROLE_HINT,
      );
    }
    return this.#tokenOf(body.restrictedDataToken, body.expiresIn);
  }

  #tokenOf(value: string, expiresIn: unknown): Token {
    const { clock, onSecret } = this.#options;
    onSecret(value);
    const now = { now: clock.now(), wallClock: clock.wallClock() };
    return { value, life: lifetime(lifetimeSeconds(expiresIn) * 1000, now) };
  }
}

const ROLE_HINT =
  'This operation returns personal data and needs a restricted data token: the application must hold the role ' +
  'that gives access to it, and the seller must have authorised that role.';

function refused(response: ApiResponse, purchase: ApiRequest): ApiError {
  const error = buildApiError(response, purchase);
  if (response.status !== 403) return error;
  const { status, errors, requestId } = error;
  const fields = { status, errors, ...(requestId === undefined ? {} : { requestId }) };
  return new ApiError(fields, `No restricted data token was given. ${error.message}`, ROLE_HINT);
}
