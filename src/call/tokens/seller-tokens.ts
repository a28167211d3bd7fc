/** Access tokens of sellers: from memory, from another process, or bought with the refresh token, which may rotate. */

import type { Account, AccountSource } from '../../accounts/account.ts';
import type { AnySignal } from '../../base/cancel-signal.ts';
import type { TokenExchange } from '../client-types.ts';
import { readSharedToken, writeSharedToken } from './shared-token.ts';
import { type Token, TokenCache, type TokensOfReplicas } from './token-cache.ts';
import {
  type Exchange,
  type ExchangeOptions,
  type IssuedToken,
  TokenRefusedError,
} from './token-exchange.ts';
import { lifetime } from './token-lifetime.ts';

interface SellerToken extends Token {
  /** Absent when another process bought it. */
  exchange?: TokenExchange;
}

/** One set of credentials: its cache, and the newest form of the account. */
interface Holding {
  account: Account;
  cache: TokenCache<SellerToken>;
}

export interface SellerTokensOptions extends Pick<ExchangeOptions, 'clock'> {
  accounts: AccountSource;
  exchange: Exchange;
  /** Set if several processes buy tokens together. */
  ofReplicas?: TokensOfReplicas | undefined;
  /** Told what a person should know although the call goes on. */
  warn: (message: string) => void;
}

/** After `invalid_grant` the store is read again; more often than this nobody rotates meanwhile. */
const MAX_REREADS = 5;

export class SellerTokens {
  readonly #options: SellerTokensOptions;
  /** The tokens by credentials, so that changed ones start anew; a rotated account is found under its old and new form. */
  readonly #holdings = new Map<string, Holding>();
  /** Exchanges under way, until what they brought is kept. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: SellerTokensOptions) {
    this.#options = options;
  }

  async get(name: string): Promise<string> {
    const holding = this.#holdingOf(await this.#options.accounts.get(name));
    const token = holding.cache.get();
    return (token instanceof Promise ? await token : token).value;
  }

  /** Dropped wherever it is still the current one. */
  reject(token: string): void {
    for (const { cache } of this.#holdings.values()) cache.reject(token);
  }

  /** An exchange now, whatever token is at hand. */
  async exchange(name: string, signal: AnySignal): Promise<TokenExchange> {
    const holding = this.#holdingOf(await this.#options.accounts.get(name));
    for (;;) {
      signal.throwIfAborted();
      const { exchange } = await holding.cache.renew(() => this.#exchange(holding));
      if (exchange !== undefined) return exchange;
    }
  }

  #holdingOf(account: Account): Holding {
    const key = keyOf(account);
    const known = this.#holdings.get(key);
    if (known !== undefined) return known;
    const holding: Holding = {
      account,
      cache: new TokenCache(this.#options.clock, (unwanted) => this.#buy(holding, unwanted)),
    };
    this.#holdings.set(key, holding);
    return holding;
  }

  async #buy(holding: Holding, unwanted: string | undefined): Promise<SellerToken> {
    const { accounts, clock, ofReplicas } = this.#options;
    const shared = await readSharedToken(accounts, holding.account, clock, unwanted);
    if (shared !== undefined) return shared;
    const buy = () => this.#exchange(holding);
    return ofReplicas?.get(keyOf(holding.account), unwanted, buy) ?? buy();
  }

  settled(): Promise<unknown> {
    return Promise.allSettled(this.#underWay);
  }

  #exchange(holding: Holding): Promise<SellerToken> {
    const work = this.#exchangeAndKeep(holding).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return work;
  }

  async #exchangeAndKeep(holding: Holding): Promise<SellerToken> {
    const issued = await this.#exchangeOrReread(holding, MAX_REREADS);
    const used = holding.account.refreshToken;
    const rotated = issued.refreshToken !== undefined && issued.refreshToken !== used;
    if (rotated) await this.#rotate(holding, issued.refreshToken ?? used);
    const token = this.#tokenOf(issued, holding.account.refreshToken, rotated);
    await writeSharedToken(this.#options.accounts, holding.account, token);
    // The token is stored under the account's current form, because another process may know no other.
    await this.#options.ofReplicas?.keep(keyOf(holding.account), token);
    return token;
  }

  async #exchangeOrReread(holding: Holding, rereads: number): Promise<IssuedToken> {
    try {
      return await this.#options.exchange(holding.account, { kind: 'refresh_token' });
    } catch (error) {
      if (!(error instanceof TokenRefusedError) || error.code !== 'invalid_grant' || rereads === 0)
        throw error;
      const { name, refreshToken } = holding.account;
      const newer =
        (await this.#options.accounts.reread(name, refreshToken)) ?? (await this.#rotatedElsewhere(holding));
      if (newer === undefined) throw error;
      this.#follow(holding, newer);
      return this.#exchangeOrReread(holding, rereads - 1);
    }
  }

  /** Another machine may have been given the new one. */
  async #rotatedElsewhere({ account }: Holding): Promise<Account | undefined> {
    const refreshToken = await this.#options.ofReplicas?.rotated(keyOf(account));
    if (refreshToken === undefined) return undefined;
    await this.#options.accounts.rotated(account.name, account.refreshToken, refreshToken).catch(() => {});
    return { ...account, refreshToken };
  }

  /** The new refresh token is safe before the first use of the access token, which may end the old one. */
  async #rotate(holding: Holding, refreshToken: string): Promise<void> {
    const { name, refreshToken: old } = holding.account;
    await this.#options.ofReplicas?.keepRotated(keyOf(holding.account), refreshToken);
    try {
      await this.#options.accounts.rotated(name, old, refreshToken);
    } catch {
      this.#options.warn(
        `The new refresh token of account ${name} could not be stored; it is kept in memory only.`,
      );
    }
    this.#follow(holding, { ...holding.account, refreshToken });
  }

  /** Finds the holding under the account's new form too, and forgets the forms before the last. */
  #follow(holding: Holding, account: Account): void {
    const last = keyOf(holding.account);
    for (const [key, other] of this.#holdings)
      if (other === holding && key !== last) this.#holdings.delete(key);
    holding.account = account;
    this.#holdings.set(keyOf(account), holding);
  }

  #tokenOf(issued: IssuedToken, refreshToken: string, rotated: boolean): SellerToken {
    const { accessToken, tokenType, expiresInSeconds } = issued;
    const life = lifetime(expiresInSeconds * 1000, this.#options.clock);
    const { expiresAt } = life;
    const exchange = { accessToken, tokenType, expiresInSeconds, expiresAt, refreshToken, rotated };
    return { value: accessToken, life, exchange };
  }
}

/** Every call asks with the same object. */
const keys = new WeakMap<Account, string>();

function keyOf(account: Account): string {
  const known = keys.get(account);
  if (known !== undefined) return known;
  const { name, clientId, clientSecret, refreshToken, authUrl } = account;
  const key = [name, clientId, clientSecret, refreshToken, authUrl].join('\n');
  keys.set(account, key);
  return key;
}
