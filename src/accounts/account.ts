/** What an account is, and what a store of accounts can do. */

import * as z from 'zod';
import type { CredentialError } from '../base/errors.ts';
import { REGIONS } from '../service/facts/regions.ts';

/** Where a value came from; shown by `status`, never the value itself. */
export type Origin = 'argument' | 'environment' | 'keychain' | 'setting' | 'sandbox';

/** What is kept for one account. Secrets: clientSecret and refreshToken. */
export const storedAccountSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  refreshToken: z.string().min(1),
  /** `na`, `eu` or `fe`; instead of it both addresses may stand. */
  region: z.enum(REGIONS).optional(),
  baseUrl: z.string().optional(),
  authUrl: z.string().optional(),
  /** Not secret; fills parameters such as `sellerId` where an argument is left out. */
  sellerId: z.string().optional(),
  /** Not secret; fills `MarketplaceId`, `marketplaceId` and `marketplaceIds` where left out. */
  marketplaceId: z.string().optional(),
  /** The day when this client secret was first stored here, such as `2026-11-29`: Amazon ends a secret 180 days after it was made. Not secret. */
  secretSince: z.iso.date().optional(),
  /** The refresh token before this one: it stays valid until the new one is first used, so it is kept until the next rotation. Secret. */
  previousRefreshToken: z.string().optional(),
  /** Names the login that the refresh token descends from, so that a rotation never overwrites a later login. Not secret. */
  grantId: z.string().optional(),
});
export type StoredAccount = z.infer<typeof storedAccountSchema>;

/** An access token shared by the processes that use one account. */
export const storedTokenSchema = z.object({
  accessToken: z.string().min(1),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  /** Hash of the client id and refresh token it was bought with, so that a changed account never uses it. */
  boughtWith: z.string(),
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

/** An account ready for use: addresses resolved. */
export interface Account
  extends Pick<AccountProfile, 'name' | 'baseUrl' | 'authUrl' | 'sellerId' | 'marketplaceId'>,
    Pick<StoredAccount, 'clientId' | 'clientSecret' | 'refreshToken'> {}

/** The part of an account that is no secret: enough to show a request that is not sent. */
export interface AccountProfile {
  name: string;
  baseUrl: string;
  authUrl: string;
  sellerId?: string;
  marketplaceId?: string;
  /** Whose credentials these are, however often their refresh token is replaced; undefined while they are not known. */
  login?: {
    clientId: string;
    /** The seller's authorization that the refresh token descends from: a hash that gives nothing away. */
    grant: string;
  };
  /** True for credentials that came as arguments: nobody has verified whose they are. */
  isGiven?: boolean;
  /** True for the embedded sandbox: nothing real is behind its address. */
  isSandbox?: boolean;
  /** Whose limits its calls count against; undefined while the credentials are not known. */
  quota?: { application: string; seller: string };
}

/** The values of an account that a person gives. */
export type AccountField = Exclude<keyof StoredAccount, 'previousRefreshToken' | 'grantId' | 'secretSince'>;

/** Where each value of an account comes from that is there. */
export type Origins = Readonly<Partial<Record<AccountField, Origin>>>;

/** What `status` tells of an account, never a value. */
export interface AccountDescription {
  name: string;
  origins: Origins;
  /** Why the account cannot be used as it is; undefined when it can. */
  problem?: CredentialError;
}

/** What a caller gives as arguments; all three or it is refused. */
export type GivenValues = {
  readonly [Field in 'clientId' | 'clientSecret' | 'refreshToken']?: string | undefined;
};

/** Credentials given as arguments, before anybody said yes to them: checked and named, not yet of any use. */
interface GivenAccount {
  /** Under the name that calls can use once it is held. */
  profile: AccountProfile;
  /** Stands for the exact values and addresses; gives nothing of them away. */
  digest: string;
  /**
   * From now on the account exists, in memory, until the program ends. One that is held already stays as it is, with
   * the refresh token that it was rotated to. The returned function takes back what this call has added.
   */
  hold(): Promise<() => void>;
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
  /** A key of the program's own, by its id; undefined where there is none. */
  readKey(id: string): Promise<string | undefined>;
  writeKey(id: string, key: string): Promise<void>;
}

/** Where the client gets accounts from: every source of credentials behind one door. */
export interface AccountSource {
  /** Names that exist, sorted; `default` first when it does. */
  names(): Promise<string[]>;
  /** @throws CredentialError (`missing` names what is missing and how to give it; unknown names list those that exist). */
  get(name: string): Promise<Account>;
  /**
   * The part that is no secret; works without credentials when the addresses are configured.
   * @throws CredentialError
   */
  profile(name: string): Promise<AccountProfile>;
  /** The identity provider returned another refresh token: keeps it where the old one came from; resolves once it is safe. */
  rotated(name: string, oldRefreshToken: string, newRefreshToken: string): Promise<void>;
  /**
   * After `invalid_grant`: reads the durable store once more (another process may have rotated) and answers with
   * credentials that were not rejected yet, undefined when there are none. Call until undefined: it never repeats itself.
   */
  reread(name: string, rejectedRefreshToken: string): Promise<Account | undefined>;
  /** Reads it again where it is kept, for what a person has added since. @returns where that is */
  renew(name: string): Promise<Origin>;
  readToken(name: string): Promise<StoredToken | undefined>;
  writeToken(name: string, token: StoredToken): Promise<void>;
}

/** The source as the program itself uses it: what the client needs, and what tools, `status` and the page need. */
export interface Accounts extends AccountSource {
  /**
   * Values given as arguments, as an account of their own at the addresses of the account `like`: never in its place.
   * @throws InputError for values that are incomplete or cannot be right; CredentialError where no addresses are known
   */
  prepareGiven(values: GivenValues, like: string): Promise<GivenAccount>;
  /** Never throws for an account that is missing or incomplete: says so instead. */
  describe(name: string): Promise<AccountDescription>;
  /** Forgets what was read of an account, after its entry was written or deleted by this process. */
  forget(name: string): void;
  /** Resolves when no write of a rotated refresh token is under way, whatever became of it. A process that ends waits for it. */
  settled(): Promise<void>;
}

const ACCOUNT_NAME = /^[\w.@-]{1,64}$/;

/** True for a name that credentials can be stored under. */
export const isAccountName = (name: string) => ACCOUNT_NAME.test(name);

/** The colon keeps it apart from every account that can be stored, now or later. */
const GIVEN_NAME = /^given:[0-9a-f]{12}$/;

export function isGivenName(name: string): boolean {
  return GIVEN_NAME.test(name);
}
