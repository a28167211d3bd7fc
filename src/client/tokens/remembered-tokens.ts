/** Restricted data tokens that a caller bought, found again by the calls that they cover. */

import type { RestrictedResource } from '../client.ts';
import type { Wanted } from './restricted-purchase.ts';
import type { Token } from './token-keeper.ts';

interface Entry {
  account: string;
  method: string;
  path: RegExp;
  token: Token;
}

export class RememberedTokens {
  readonly #usable: (token: Token) => boolean;
  #entries: Entry[] = [];

  constructor(usable: (token: Token) => boolean) {
    this.#usable = usable;
  }

  get none(): boolean {
    return this.#entries.length === 0;
  }

  /** The newest comes first; what has expired is forgotten. */
  add(account: string, resources: readonly RestrictedResource[], token: Token): void {
    const added = resources.map(({ method, path }) => ({
      account,
      method: method.toUpperCase(),
      path: patternOf(path),
      token,
    }));
    this.#entries = [...added, ...this.#entries.filter((entry) => this.#usable(entry.token))];
  }

  find({ account, method, path }: Wanted): string | undefined {
    const match = this.#entries.find(
      (entry) =>
        entry.account === account &&
        entry.method === method &&
        entry.path.test(path) &&
        this.#usable(entry.token),
    );
    return match?.token.value;
  }

  remove(value: string): void {
    this.#entries = this.#entries.filter(({ token }) => token.value !== value);
  }
}

/** `/orders/{id}/address` covers any one segment in the place of `{id}`. */
function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^{}/]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
