/** Keeps a rotated refresh token where the old one came from, so that a working one is there whatever ends when. */

import { createHash } from 'node:crypto';
import { CredentialError } from '../base/errors.ts';
import { commandLine, hasCommandLine, howToLogin } from '../base/invocation.ts';
import type { StoredAccount } from './account.ts';
import type { Place } from './cached-store.ts';

/** Every call asks for the grant of an account that is the same object as before. */
const knownGrants = new WeakMap<object, string>();

/** Names a login for as long as its refresh token is rotated; a hash, so that it gives nothing away. */
export function grantOf(account: Pick<StoredAccount, 'refreshToken' | 'grantId'>): string {
  if (account.grantId !== undefined) return account.grantId;
  const known = knownGrants.get(account);
  if (known !== undefined) return known;
  const grant = createHash('sha256').update(account.refreshToken).digest('base64url').slice(0, 22);
  knownGrants.set(account, grant);
  return grant;
}

/** What is remembered of credentials that the identity provider refused: all three, since each alone may be right. */
export function credentialKey(account: StoredAccount): string {
  return JSON.stringify([account.clientId, account.clientSecret, account.refreshToken]);
}

/** The stored credentials that were not refused yet, the newest first; undefined when all were. */
export function usable(stored: StoredAccount, rejected: ReadonlySet<string>): StoredAccount | undefined {
  const { previousRefreshToken } = stored;
  if (rejected.size === 0 || !rejected.has(credentialKey(stored))) return stored;
  if (previousRefreshToken === undefined) return undefined;
  // The grant is pinned: the older token is another value of the same login.
  const older = { ...stored, refreshToken: previousRefreshToken, grantId: grantOf(stored) };
  return rejected.has(credentialKey(older)) ? undefined : older;
}

export interface Rotation {
  oldToken: string;
  newToken: string;
}

/**
 * The entry that replaces `stored`. One older token stays beside the new one, because it is good until the new one is
 * first used: the old one, or, where another process has rotated since, that process's, unless it was refused already.
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

/** After the keychain failed it is asked again with the next call, but not more often than this. */
const RETRY_MS = 60_000;

export function createRotationKeeper(options: {
  rejected: ReadonlySet<string>;
  tell: (message: string) => void;
  now: () => number;
}) {
  const grants = new Map<string, string>();
  const unwritten = new Map<string, Rotation & { retryAt: number }>();

  /** Not written when the account was removed meanwhile, or belongs to a later login: that one wins. */
  const write = async (name: string, place: Place, rotation: Rotation): Promise<void> => {
    const { oldToken, newToken } = rotation;
    const grant = grants.get(oldToken) ?? grantOf({ refreshToken: oldToken });
    const stored = await place.store.readFresh(name);
    if (stored === undefined || grantOf(stored) !== grant || stored.refreshToken === newToken) return;
    grants.set(newToken, grant);
    await place.store.write(name, withNewToken(stored, rotation, options.rejected));
  };

  const keepInMemory = async (name: string, place: Place, rotation: Rotation): Promise<void> => {
    const held = await place.store.read(name);
    if (held === undefined) return;
    grants.set(rotation.newToken, grantOf(held));
    place.store.assume(name, withNewToken(held, rotation, options.rejected));
    unwritten.set(name, { ...rotation, retryAt: options.now() + RETRY_MS });
  };

  const attempt = async (name: string, place: Place, rotation: Rotation): Promise<void> => {
    try {
      await write(name, place, rotation);
      unwritten.delete(name);
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      await keepInMemory(name, place, rotation);
      options.tell(
        `The new refresh token of account "${name}" could not be written and is kept in memory for now. ${error.message} ${error.hint}`,
      );
    }
  };

  return {
    /** Remembers which login a refresh token belongs to, from the moment it is handed out. */
    handedOut: (account: StoredAccount) => void grants.set(account.refreshToken, grantOf(account)),
    /** Resolves once the token is kept: durably, or, when the keychain fails, in memory with the person told. */
    keep: async (name: string, place: Place, rotation: Rotation) => {
      await attempt(name, place, rotation);
      if (place.origin === 'environment') options.tell(environmentMessage(name));
      if (place.origin === 'argument') options.tell(argumentMessage(name));
    },
    /** Writes what could not be written before, when it is time to try again; undefined where there is nothing to write. */
    retry: (name: string, place: Place): Promise<void> | undefined => {
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

/** Where replaced tokens are kept. */
function toKeychain(): string {
  return hasCommandLine()
    ? `move the account to the keychain with \`${commandLine('login')}\`, where replaced tokens are kept`
    : 'empty these settings and give the credentials on the page that the assistant offers then: the keychain keeps replaced tokens';
}
