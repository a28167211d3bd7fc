/** The sandbox's tokens: what was issued, until when it is good, and which refresh token replaced which. */

import { randomBytes } from 'node:crypto';

export interface AccessToken {
  kind: 'seller' | 'grantless' | 'restricted';
  expiresAt: number;
  /** The calls that a restricted token opens. */
  resources?: readonly RestrictedResource[];
}

interface RestrictedResource {
  method: string;
  path: string;
  /** The personal data that the token is for; absent for all. */
  dataElements?: readonly string[] | undefined;
}

export type TokenVerdict = { token: AccessToken } | { refused: 'missing' | 'unknown' | 'expired' };

interface RefreshToken {
  /** The token that it was bought with: dies when this one is first used. */
  parent: string | undefined;
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

export const buildClientId = (): string => `amzn1.application-oa2-client.${randomBytes(16).toString('hex')}`;
export const buildClientSecret = (): string => `amzn1.oa2-cs.v1.${randomBytes(32).toString('hex')}`;
export const buildRefreshToken = (): string => `Atzr|${random(96)}`;

export class TokenBook {
  readonly #access = new Map<string, AccessToken>();
  readonly #refresh = new Map<string, RefreshToken>();
  readonly #now: () => number;
  readonly #lifetimeMs: number;
  readonly #rotate: boolean;

  constructor(firstRefreshToken: string, now: () => number, lifetimeMs: number, rotate: boolean) {
    this.#refresh.set(firstRefreshToken, { parent: undefined });
    this.#now = now;
    this.#lifetimeMs = lifetimeMs;
    this.#rotate = rotate;
  }

  acceptsRefreshToken(token: string): boolean {
    return this.#refresh.has(token);
  }

  /** The refresh token to hand out for this one, which stays good until its successor is first used. */
  useRefreshToken(token: string): string | undefined {
    const known = this.#refresh.get(token);
    if (known === undefined) return undefined;
    this.#forgetAncestors(known);
    if (!this.#rotate) return token;
    const successor = buildRefreshToken();
    this.#refresh.set(successor, { parent: token });
    return successor;
  }

  #forgetAncestors(token: RefreshToken): void {
    for (let name = token.parent; name !== undefined; ) {
      const ancestor = this.#refresh.get(name);
      this.#refresh.delete(name);
      name = ancestor?.parent;
    }
    token.parent = undefined;
  }

  issue(kind: AccessToken['kind'], resources?: AccessToken['resources'], name?: string): string {
    const token = name ?? (kind === 'restricted' ? `Atz.sprdt|${random(64)}` : `Atza|${random(96)}`);
    const expiresAt = this.#now() + this.#lifetimeMs;
    this.#access.set(token, { kind, expiresAt, ...(resources && { resources }) });
    return token;
  }

  check(token: string | undefined): TokenVerdict {
    if (token === undefined || token === '') return { refused: 'missing' };
    const known = this.#access.get(token);
    if (known === undefined) return { refused: 'unknown' };
    return known.expiresAt <= this.#now() ? { refused: 'expired' } : { token: known };
  }

  expireAll(): void {
    for (const token of this.#access.values()) token.expiresAt = 0;
  }

  revoke(token: string): void {
    this.#access.delete(token);
  }
}
