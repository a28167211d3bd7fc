/** Access tokens beside their account: in the keychain for its accounts, in memory for all others. */

import { CredentialError } from '../errors.ts';
import type { Place } from './places.ts';
import type { AccountSource } from './types.ts';

type SharedTokens = Pick<AccountSource, 'readToken' | 'writeToken' | 'deleteToken'>;

/** A keychain that fails is passed over: an access token that cannot be shared costs an exchange, not the call. */
export function createSharedTokens(
  placeOf: (name: string) => Promise<Place>,
  learn: (secret: string) => void,
): SharedTokens {
  const within = async <T>(name: string, use: (place: Place) => Promise<T>): Promise<T | undefined> => {
    try {
      return await use(await placeOf(name));
    } catch (error) {
      if (error instanceof CredentialError) return undefined;
      throw error;
    }
  };
  return {
    readToken: async (name) => {
      const token = await within(name, ({ store }) => store.readToken(name));
      if (token !== undefined) learn(token.accessToken);
      return token;
    },
    writeToken: async (name, token) => {
      learn(token.accessToken);
      await within(name, ({ store }) => store.writeToken(name, token));
    },
    deleteToken: async (name) => {
      await within(name, ({ store }) => store.deleteToken(name));
    },
  };
}
