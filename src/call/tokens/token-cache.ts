/** Caches one token, for as long as it is to be used: one purchase at a time however many ask, one renewal per rejected token. */

import type { Clock } from '../../base/clock.ts';
import { AppError, CancelledError, CredentialError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { isUsable, type Lifetime } from './token-lifetime.ts';

export interface Token {
  value: string;
  life: Lifetime;
}

/** The tokens that several processes buy together. */
export interface TokensOfReplicas {
  /**
   * The token that one of them has bought for this, other than the unwanted one; else bought now, by one at a time.
   * @param what names all that it depends on, secrets included; it is kept as a digest
   */
  get(what: string, unwanted: string | undefined, buy: () => Promise<Token>): Promise<Token>;
  /** Found by who asks for this from now on. */
  keep(what: string, token: Token): Promise<void>;
  /** The refresh token that came in the place of the one that this was bought with; a store that fails is as good as none. */
  keepRotated(what: string, refreshToken: string): Promise<void>;
  rotated(what: string): Promise<string | undefined>;
}

export class TokenCache<T extends Token> {
  readonly #clock: Clock;
  readonly #buy: (unwanted: string | undefined) => Promise<T>;
  #current: T | undefined;
  #buying: Promise<T> | undefined;
  #rejected: string | undefined;
  #failures = 0;
  #pauseUntil = 0;
  #failure: Failure | undefined;

  /** @param buy gets a token other than `unwanted` (expired or rejected); it is never cancelled by those who wait. */
  constructor(clock: Clock, buy: (unwanted: string | undefined) => Promise<T>) {
    this.#clock = clock;
    this.#buy = buy;
  }

  /** @throws what the purchase threw, to all who waited for it; the next call buys again, after a growing pause. */
  get(): T | Promise<T> {
    const token = this.#current;
    return token !== undefined && this.usable(token) ? token : this.renew();
  }

  /** Buys now, whatever is at hand; joins a purchase that is under way. */
  renew(buy = this.#buy): Promise<T> {
    if (this.#buying === undefined) {
      const buying = this.#purchase(buy);
      this.#buying = buying;
      // Later than this assignment even when the purchase fails at once; the error itself goes to those who wait.
      buying
        .catch(() => undefined)
        .finally(() => {
          this.#buying = undefined;
        });
    }
    return this.#buying;
  }

  /** The service refused this token: it is dropped only if it is still the current one. */
  reject(value: string): void {
    if (this.#current?.value !== value) return;
    this.#current = undefined;
    this.#rejected = value;
  }

  usable(token: T): boolean {
    return isUsable(token.life, this.#clock);
  }

  /** True while it holds or buys a token, or must remember a pause. */
  get busy(): boolean {
    const holds = this.#current !== undefined && this.usable(this.#current);
    return holds || this.#buying !== undefined || this.#clock.now() < this.#pauseUntil;
  }

  async #purchase(buy: (unwanted: string | undefined) => Promise<T>): Promise<T> {
    const pause = this.#pauseUntil - this.#clock.now();
    if (pause > 0 && this.#failure !== undefined) throw withPause(this.#failure, pause);
    try {
      const token = await buy(this.#current?.value ?? this.#rejected);
      this.#current = token;
      this.#failures = 0;
      return token;
    } catch (error) {
      if (error instanceof CancelledError) throw error;
      this.#failure = { error, hint: error instanceof AppError ? error.hint : '' };
      const ms = pauseMs(++this.#failures, error);
      this.#pauseUntil = this.#clock.now() + ms;
      throw withPause(this.#failure, ms);
    }
  }
}

/** Above this many, those that hold no token are forgotten: every order has its own path. */
const MAX_CACHES = 1000;

/** The caches of tokens that are bought for something: one for each key. */
export class TokenCaches {
  readonly #clock: Clock;
  readonly #ofReplicas: TokensOfReplicas | undefined;
  readonly #caches = new Map<string, TokenCache<Token>>();

  constructor(clock: Clock, ofReplicas?: TokensOfReplicas) {
    this.#clock = clock;
    this.#ofReplicas = ofReplicas;
  }

  async get(key: string, buy: () => Promise<Token>): Promise<string> {
    const cache = this.#caches.get(key) ?? this.#open(key, buy);
    this.#caches.set(key, cache);
    return (await cache.get()).value;
  }

  reject(value: string): void {
    for (const cache of this.#caches.values()) cache.reject(value);
  }

  #open(key: string, buy: () => Promise<Token>): TokenCache<Token> {
    if (this.#caches.size >= MAX_CACHES) {
      for (const [key, cache] of this.#caches) if (!cache.busy) this.#caches.delete(key);
    }
    const ofReplicas = this.#ofReplicas;
    return new TokenCache(this.#clock, (unwanted) => ofReplicas?.get(key, unwanted, buy) ?? buy());
  }
}

/** The last failure, with its own hint: thrown each time with the pause that is left. */
interface Failure {
  error: unknown;
  hint: string;
}

function withPause({ error, hint }: Failure, pause: number): unknown {
  if (pause > 0 && error instanceof AppError)
    error.hint = `${hint} The next attempt is made in ${formatDuration(pause)} at the earliest.`.trim();
  return error;
}

/** How long to leave the identity provider alone: credentials that were refused stay refused until somebody changes them. */
const MAX_AFTER_REFUSAL_MS = 300_000;
/** An outage ends by itself: the seller must not wait long after it. */
const MAX_AFTER_FAULT_MS = 10_000;

/** Returns the pause: none after the first failure (the next call tries again), then 1 s, doubling up to five minutes, or ten seconds for faults. */
export function pauseMs(failures: number, error: unknown): number {
  if (failures < 2) return 0;
  const longest = error instanceof CredentialError ? MAX_AFTER_REFUSAL_MS : MAX_AFTER_FAULT_MS;
  return Math.min(longest, 1000 * 2 ** (failures - 2));
}
