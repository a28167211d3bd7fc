/** Access tokens without a seller: bought with client credentials, one per account and scope. */

import type { Account, AccountSource } from '../../credentials/types.ts';
import type { Clock } from '../clock.ts';
import type { Exchange } from './token-exchange.ts';
import { TokenKeeper } from './token-keeper.ts';
import { lifetime } from './token-lifetime.ts';

export class GrantlessTokens {
  readonly #options: { accounts: AccountSource; exchange: Exchange; clock: Clock };
  readonly #keepers = new Map<string, TokenKeeper<{ value: string; life: ReturnType<typeof lifetime> }>>();

  constructor(options: { accounts: AccountSource; exchange: Exchange; clock: Clock }) {
    this.#options = options;
  }

  async get(name: string, scope: string, signal: AbortSignal): Promise<string> {
    const account = await this.#options.accounts.get(name);
    const key = [name, account.clientId, account.clientSecret, account.authUrl, scope].join('\n');
    const keeper =
      this.#keepers.get(key) ?? new TokenKeeper(this.#options.clock, () => this.#buy(account, scope));
    this.#keepers.set(key, keeper);
    return (await keeper.get(signal)).value;
  }

  reject(token: string): void {
    for (const keeper of this.#keepers.values()) keeper.reject(token);
  }

  async #buy(account: Account, scope: string) {
    const { clock, exchange } = this.#options;
    const issued = await exchange(account, { kind: 'client_credentials', scope });
    const now = { now: clock.now(), wallClock: clock.wallClock() };
    return { value: issued.accessToken, life: lifetime(issued.expiresInSeconds * 1000, now) };
  }
}
