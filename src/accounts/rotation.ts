/**
 * Stores a rotated refresh token where the old one came from, so that a working token exists whenever a
 * process ends.
 */

import { createHash } from 'node:crypto';
import { CredentialError } from '../base/errors.ts';
import { commandLine, hasCommandLine, howToLogin } from '../base/invocation.ts';
import type { StoredAccount } from './account.ts';
import type { OriginStore } from './cached-store.ts';

/** Caches grants per account object, because every call needs the grant. */
const knownGrants = new WeakMap<object, string>();

/** Identifies a login across refresh token rotations by a hash, which reveals nothing. */
export function grantOf(account: Pick<StoredAccount, 'refreshToken' | 'grantId'>): string {
  if (account.grantId !== undefined) return account.grantId;
  const known = knownGrants.get(account);
  if (known !== undefined) return known;
  const grant = createHash('sha256').update(account.refreshToken).digest('base64url').slice(0, 22);
  knownGrants.set(account, grant);
  return grant;
}

/** Returns the key of refused credentials. It covers all three values, because each alone may be right. */
export function credentialKey(account: StoredAccount): string {
  return JSON.stringify([account.clientId, account.clientSecret, account.refreshToken]);
}

/** Returns the newest stored credentials that were not refused yet; undefined when all were. */
export function findUsableCredentials(
  stored: StoredAccount,
  rejected: ReadonlySet<string>,
): StoredAccount | undefined {
  const { previousRefreshToken } = stored;
  if (rejected.size === 0 || !rejected.has(credentialKey(stored))) return stored;
  if (previousRefreshToken === undefined) return undefined;
  // The grant is pinned, because the older token is another value of the same login.
  const older = { ...stored, refreshToken: previousRefreshToken, grantId: grantOf(stored) };
  return rejected.has(credentialKey(older)) ? undefined : older;
}

export interface Rotation {
  oldToken: string;
  newToken: string;
}

/**
 * Builds the entry that replaces `stored`. It retains one older token, which stays valid until the new one is
 * first used. That is the old one, or another process's rotated token unless it was refused.
 */
export function withNewToken(
  stored: StoredAccount,
  { oldToken, newToken }: Rotation,
  rejected: ReadonlySet<string>,
): StoredAccount {
  if (stored.refreshToken === newToken) return stored;
  const previous = rejected.has(credentialKey(stored)) ? oldToken : stored.refreshToken;
  return { ...stored, refreshToken: newToken, previousRefreshToken: previous, grantId: grantOf(stored) };
}

/** The minimum time between two attempts to write after the keychain failed. */
const RETRY_MS = 60_000;

export function createRotationRecorder(options: {
  rejected: ReadonlySet<string>;
  tell: (message: string) => void;
  now: () => number;
}) {
  const grants = new Map<string, string>();
  const unwritten = new Map<string, Rotation & { retryAt: number }>();

  /**
   * Writes nothing when the account was removed meanwhile or belongs to a later login, which takes
   * precedence.
   */
  const write = async (name: string, place: OriginStore, rotation: Rotation): Promise<void> => {
    const { oldToken, newToken } = rotation;
    const grant = grants.get(oldToken) ?? grantOf({ refreshToken: oldToken });
    const stored = await place.store.readFresh(name);
    if (stored === undefined || grantOf(stored) !== grant || stored.refreshToken === newToken) return;
    grants.set(newToken, grant);
    await place.store.write(name, withNewToken(stored, rotation, options.rejected));
  };

  const storeInMemory = async (name: string, place: OriginStore, rotation: Rotation): Promise<void> => {
    const cached = await place.store.read(name);
    if (cached === undefined) return;
    grants.set(rotation.newToken, grantOf(cached));
    place.store.assume(name, withNewToken(cached, rotation, options.rejected));
    unwritten.set(name, { ...rotation, retryAt: options.now() + RETRY_MS });
  };

  const attempt = async (name: string, place: OriginStore, rotation: Rotation): Promise<void> => {
    try {
      await write(name, place, rotation);
      unwritten.delete(name);
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      await storeInMemory(name, place, rotation);
      options.tell(
        `The new refresh token of account "${name}" could not be written and is kept in memory for now. ${error.message} ${error.hint}`,
      );
    }
  };

  return {
    /** Records which login a refresh token belongs to when it is handed out. */
    handedOut: (account: StoredAccount) => void grants.set(account.refreshToken, grantOf(account)),
    /**
     * Resolves once the token is stored: durably, or in memory with a message to the user when the keychain
     * fails.
     */
    keep: async (name: string, place: OriginStore, rotation: Rotation) => {
      await attempt(name, place, rotation);
      if (place.origin === 'environment') options.tell(environmentMessage(name));
      if (place.origin === 'argument') options.tell(argumentMessage(name));
    },
    /** Repeats a failed write when it is due; undefined when there is none. */
    retry: (name: string, place: OriginStore): Promise<void> | undefined => {
      const rotation = unwritten.get(name);
      if (rotation === undefined || options.now() < rotation.retryAt) return undefined;
      return attempt(name, place, rotation);
    },
  };
}

const IN_MEMORY = 'The new one is used in memory until this program ends.';

function environmentMessage(name: string): string {
  return `The identity provider replaced the refresh token of account "${name}". ${IN_MEMORY} SELLER_REFRESH_TOKEN still holds the old one, which may stop working: authorize again and update SELLER_REFRESH_TOKEN, or ${toKeychain()}.`;
}

function argumentMessage(name: string): string {
  return `The identity provider replaced the refresh token that was given as an argument (account "${name}"). ${IN_MEMORY} To keep the account, ${howToLogin()}.`;
}

/** Returns the advice on where replaced tokens are stored. */
function toKeychain(): string {
  return hasCommandLine()
    ? `move the account to the keychain with \`${commandLine('login')}\`, where replaced tokens are kept`
    : 'empty these settings and give the credentials on the page that the assistant offers then: the keychain keeps replaced tokens';
}
