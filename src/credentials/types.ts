/** What an account is, and what a store of accounts can do. */

/** Where a value came from; shown by `status`, never the value itself. */
export type Origin = 'argument' | 'environment' | 'keychain' | 'setting' | 'sandbox';

/** What is kept for one account. Secrets: clientSecret and refreshToken. */
export interface StoredAccount {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  /** `na`, `eu` or `fe`; instead of it both addresses may stand. */
  region?: 'na' | 'eu' | 'fe';
  baseUrl?: string;
  authUrl?: string;
  /** Not secret; fills parameters such as `sellerId` where an argument is left out. */
  sellerId?: string;
  /** Not secret; fills `MarketplaceId`, `marketplaceId` and `marketplaceIds` where left out. */
  marketplaceId?: string;
}

/** An access token shared by the processes that use one account. */
export interface StoredToken {
  accessToken: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Hash of the client id and refresh token it was bought with, so that a changed account never uses it. */
  boughtWith: string;
}

/** An account ready for use: addresses resolved, each value with its origin. */
export interface Account {
  name: string;
  clientId: string;
  clientSecret: string;
  refreshToken: string;
  baseUrl: string;
  authUrl: string;
  sellerId?: string;
  marketplaceId?: string;
  origins: Readonly<Partial<Record<keyof StoredAccount, Origin>>>;
}

/** A durable store of accounts (the OS keychain; a map in tests). Every method may throw CredentialError('unreachable'). */
export interface CredentialStore {
  /** Names of the stored accounts, sorted. */
  list(): Promise<string[]>;
  read(account: string): Promise<StoredAccount | undefined>;
  /** Replaces the account whole. */
  write(account: string, value: StoredAccount): Promise<void>;
  /** True when there was something to delete; its access token goes too. */
  delete(account: string): Promise<boolean>;
  readToken(account: string): Promise<StoredToken | undefined>;
  writeToken(account: string, token: StoredToken): Promise<void>;
  deleteToken(account: string): Promise<void>;
}

/** Where the client gets accounts from: every source of credentials behind one door. */
export interface AccountSource {
  /** Names that exist, sorted; `default` first when it does. */
  names(): Promise<string[]>;
  /** @throws CredentialError (`missing` names what is missing and how to give it; unknown names list those that exist). */
  get(name: string): Promise<Account>;
  /** The identity provider returned another refresh token: keeps it where the old one came from; resolves once it is safe. */
  rotated(name: string, oldRefreshToken: string, newRefreshToken: string): Promise<void>;
  /** Reads the durable store once more (another process may have rotated); undefined when nothing changed. */
  reread(name: string, rejectedRefreshToken: string): Promise<Account | undefined>;
  readToken(name: string): Promise<StoredToken | undefined>;
  writeToken(name: string, token: StoredToken): Promise<void>;
  deleteToken(name: string): Promise<void>;
}
