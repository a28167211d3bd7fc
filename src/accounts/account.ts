/** Types of an account, and the interfaces of its stores and sources. */

import * as z from 'zod';
import type { CredentialError } from '../base/errors.ts';
import { REGIONS } from '../service/facts/regions.ts';

/** The source of a value; `status` shows it, never the value itself. */
export type Origin = 'argument' | 'environment' | 'keychain' | 'setting' | 'sandbox';

/** The stored values of one account. Secrets: clientSecret and refreshToken. */
export const storedAccountSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  refreshToken: z.string().min(1),
  /** `na`, `eu` or `fe`; both addresses may be set instead. */
  region: z.enum(REGIONS).optional(),
  baseUrl: z.string().optional(),
  authUrl: z.string().optional(),
  /**
   * The seller's ID, which is not secret. It fills parameters such as `sellerId` where the argument is
   * missing.
   */
  sellerId: z.string().optional(),
  /**
   * The marketplace's ID, which is not secret. It fills `MarketplaceId`, `marketplaceId` and `marketplaceIds`
   * where they are missing.
   */
  marketplaceId: z.string().optional(),
  /**
   * The day on which this client secret was first stored, such as `2026-11-29`; Amazon ends a secret 180 days
   * after its creation. Not secret.
   */
  secretSince: z.iso.date().optional(),
  /**
   * The previous refresh token. It stays valid until the new one is first used, so it is stored until the
   * next rotation. Secret.
   */
  previousRefreshToken: z.string().optional(),
  /**
   * Identifies the login that the refresh token descends from, so that a rotation never overwrites a later
   * login. Not secret.
   */
  grantId: z.string().optional(),
});
export type StoredAccount = z.infer<typeof storedAccountSchema>;

/** An access token shared by the processes that use one account. */
export const storedTokenSchema = z.object({
  accessToken: z.string().min(1),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  /**
   * Hash of the client ID and refresh token that it was exchanged for, so that a changed account never uses
   * it.
   */
  boughtWith: z.string(),
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

/** An account that is ready for use, with its addresses resolved. */
export interface Account
  extends Pick<AccountProfile, 'name' | 'baseUrl' | 'authUrl' | 'sellerId' | 'marketplaceId'>,
    Pick<StoredAccount, 'clientId' | 'clientSecret' | 'refreshToken'> {}

/** The part of an account that is not secret: enough to show a request that is not sent. */
export interface AccountProfile {
  name: string;
  baseUrl: string;
  authUrl: string;
  sellerId?: string;
  marketplaceId?: string;
  /**
   * Identifies the login behind the credentials across refresh token rotations; undefined while it is
   * unknown.
   */
  login?: {
    clientId: string;
    /** Hash of the seller's authorization that the refresh token descends from; it reveals nothing. */
    grant: string;
  };
  /** True for credentials that were given as arguments, whose owner is unverified. */
  isGiven?: boolean;
  /** True for the embedded sandbox, whose address serves no real data. */
  isSandbox?: boolean;
  /** The application and seller whose rate limits apply; undefined while the credentials are unknown. */
  quota?: { application: string; seller: string };
}

/** The values of an account that a user enters. */
export type AccountField = Exclude<keyof StoredAccount, 'previousRefreshToken' | 'grantId' | 'secretSince'>;

/** The source of each value that an account has. */
export type Origins = Readonly<Partial<Record<AccountField, Origin>>>;

/** The description of an account that `status` shows, without any value. */
export interface AccountDescription {
  name: string;
  origins: Origins;
  /** The reason why the account is unusable; undefined when it is usable. */
  problem?: CredentialError;
}

/** Credentials that a caller gives as arguments; all three are required, or the call is refused. */
export type GivenValues = {
  readonly [Field in 'clientId' | 'clientSecret' | 'refreshToken']?: string | undefined;
};

/** Credentials given as arguments that are validated and named, but not yet approved or usable. */
interface GivenAccount {
  /** The profile under the name that calls can use after `hold`. */
  profile: AccountProfile;
  /** Identifies the exact values and addresses without revealing them. */
  digest: string;
  /**
   * Makes the account usable, in memory, until the program ends. An existing account retains its rotated
   * refresh token. The returned function reverts what this call added.
   */
  hold(): Promise<() => void>;
}

/**
 * A durable store of accounts (the OS keychain; a map in tests). Every method may throw
 * CredentialError('unreachable').
 */
export interface CredentialStore {
  /** Names of the stored accounts, sorted. */
  list(): Promise<string[]>;
  read(account: string): Promise<StoredAccount | undefined>;
  /** Replaces the whole account. */
  write(account: string, value: StoredAccount): Promise<void>;
  /** Deletes the account and its access token. Returns true when the account existed. */
  delete(account: string): Promise<boolean>;
  readToken(account: string): Promise<StoredToken | undefined>;
  writeToken(account: string, token: StoredToken): Promise<void>;
  deleteToken(account: string): Promise<void>;
  /** Reads a key of this program by its ID; undefined when there is none. */
  readKey(id: string): Promise<string | undefined>;
  writeKey(id: string, key: string): Promise<void>;
}

/** The client's single interface to accounts from every source of credentials. */
export interface AccountSource {
  /** Names of the existing accounts, sorted, with `default` first. */
  names(): Promise<string[]>;
  /**
   * Returns an account that is ready for use.
   * @throws CredentialError (`missing` lists the missing values and how to give them; for an unknown name,
   * the existing ones).
   */
  get(name: string): Promise<Account>;
  /**
   * Returns the part that is not secret; works without credentials when the addresses are configured.
   * @throws CredentialError
   */
  profile(name: string): Promise<AccountProfile>;
  /**
   * Stores a refresh token that the identity provider returned where the old one came from; resolves once it
   * is stored.
   */
  rotated(name: string, oldRefreshToken: string, newRefreshToken: string): Promise<void>;
  /**
   * Reads the durable store again after `invalid_grant`, because another process may have rotated the token.
   * Returns credentials that were not rejected yet, or undefined when there are none. It never repeats
   * itself, so call it until it returns undefined.
   */
  reread(name: string, rejectedRefreshToken: string): Promise<Account | undefined>;
  /**
   * Reads the account again from its store, because a user may have added values since.
   * @returns its origin
   */
  renew(name: string): Promise<Origin>;
  readToken(name: string): Promise<StoredToken | undefined>;
  writeToken(name: string, token: StoredToken): Promise<void>;
}

/**
 * The source of accounts for the whole program, with what tools, `status` and the page need beyond the
 * client.
 */
export interface Accounts extends AccountSource {
  /**
   * Prepares given values as a separate account at the addresses of the account `like`, which they never
   * replace.
   * @throws InputError for values that are incomplete or cannot be right; CredentialError where no addresses
   * are known
   */
  prepareGiven(values: GivenValues, like: string): Promise<GivenAccount>;
  /** Describes an account; a missing or incomplete one is reported, never thrown. */
  describe(name: string): Promise<AccountDescription>;
  /** Drops the cached values of an account after this process wrote or deleted its entry. */
  forget(name: string): void;
  /**
   * Resolves when no write of a rotated refresh token is in progress, whatever its outcome. A process waits
   * for it before it exits.
   */
  settled(): Promise<void>;
}

const ACCOUNT_NAME = /^[\w.@-]{1,64}$/;

/** Returns true for a valid name of stored credentials. */
export const isAccountName = (name: string) => ACCOUNT_NAME.test(name);

/** The colon distinguishes the name from every account that can ever be stored. */
const GIVEN_NAME = /^given:[0-9a-f]{12}$/;

export function isGivenName(name: string): boolean {
  return GIVEN_NAME.test(name);
}
