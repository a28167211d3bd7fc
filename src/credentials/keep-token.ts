/** Puts a rotated refresh token where the old one came from, so that a working one is there whatever ends when. */

import { CredentialError } from '../errors.ts';
import type { Place } from './places.ts';
import { grantOf, withNewToken } from './rotation.ts';

/** After the keychain failed it is asked again with the next call, but not more often than this. */
const RETRY_MS = 60_000;

interface Rotation {
  oldToken: string;
  newToken: string;
}

export interface TokenKeeper {
  /** Remembers which login a refresh token belongs to, from the moment it is handed out. */
  handedOut(refreshToken: string, grant: string): void;
  /** Resolves once the token is kept: durably, or, when the keychain fails, in memory with the person told. */
  keep(name: string, place: Place, rotation: Rotation): Promise<void>;
  /** Writes what could not be written before, when it is time to try again. */
  retry(name: string, place: Place): Promise<void>;
}

export function createTokenKeeper(options: {
  rejected: ReadonlySet<string>;
  tell: (message: string) => void;
  now: () => number;
}): TokenKeeper {
  const grants = new Map<string, string>();
  const unwritten = new Map<string, Rotation & { retryAt: number }>();

  /** Not written when the account was removed meanwhile, or belongs to a later login: that one wins. */
  const write = async (name: string, place: Place, { oldToken, newToken }: Rotation): Promise<void> => {
    const grant = grants.get(oldToken) ?? grantOf({ refreshToken: oldToken });
    const stored = await place.store.readFresh(name);
    if (stored === undefined || grantOf(stored) !== grant || stored.refreshToken === newToken) return;
    grants.set(newToken, grant);
    await place.store.write(name, withNewToken(stored, oldToken, newToken, options.rejected));
  };

  const keepInMemory = async (name: string, place: Place, rotation: Rotation): Promise<void> => {
    const held = await place.store.read(name);
    if (held === undefined) return;
    grants.set(rotation.newToken, grantOf(held));
    const { oldToken, newToken } = rotation;
    const isHeld = held.refreshToken === newToken;
    place.store.assume(name, isHeld ? held : withNewToken(held, oldToken, newToken, options.rejected));
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
    handedOut: (refreshToken, grant) => void grants.set(refreshToken, grant),
    keep: async (name, place, rotation) => {
      await attempt(name, place, rotation);
      const isGiven = place.given?.has('refreshToken') === true;
      // Arguments that left the refresh token out: it came from below, so it is replaced there.
      if (place.below !== undefined && !isGiven) await attempt(name, place.below, rotation);
      const home = isGiven ? 'argument' : (place.below ?? place).origin;
      if (home === 'environment') options.tell(environmentMessage(name));
      if (home === 'argument') options.tell(argumentMessage(name));
    },
    retry: async (name, place) => {
      const rotation = unwritten.get(name);
      if (rotation === undefined || options.now() < rotation.retryAt) return;
      await attempt(name, place.below ?? place, rotation);
    },
  };
}

const IN_MEMORY = 'The new one is used in memory until this program ends.';

function environmentMessage(name: string): string {
  return `The identity provider replaced the refresh token of account "${name}". ${IN_MEMORY} SELLER_REFRESH_TOKEN still holds the old one, which may stop working: authorise again and update SELLER_REFRESH_TOKEN, or move the account to the keychain with \`seller-commerce-mcp login\`, where replaced tokens are kept.`;
}

function argumentMessage(name: string): string {
  return `The identity provider replaced the refresh token that was given as an argument for account "${name}". ${IN_MEMORY} To keep the account, run \`seller-commerce-mcp login --account ${name}\`.`;
}
