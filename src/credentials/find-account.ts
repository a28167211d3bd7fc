/** Finds what is stored of an account, or says which accounts there are instead. */

import type { Config } from '../config.ts';
import type { CredentialError } from '../errors.ts';
import { missingAccount } from './missing-account.ts';
import type { Place, Places } from './places.ts';
import type { AddressesFor, ResolveContext } from './resolve-account.ts';
import { settingsFor } from './settings-account.ts';
import type { StoredAccount } from './types.ts';

const ACCOUNT_NAME = /^[\w.@-]{1,64}$/;

export interface Finder {
  /** Whether an account can have this name. */
  isName(name: string): boolean;
  /** Sorted, `default` first. */
  names(): Promise<string[]>;
  /** The error to throw for this name, with the names that exist. */
  missing(name: string): Promise<CredentialError>;
  /** @throws CredentialError */
  placeOf(name: string): Promise<Place>;
  /** @throws CredentialError */
  find(name: string): Promise<{ place: Place; stored: StoredAccount }>;
  /** What completes an account that stands there. */
  contextOf(name: string, place: Pick<Place, 'origin' | 'given'>): ResolveContext;
}

export function createFinder(options: {
  config: Config;
  places: Places;
  addressesFor: AddressesFor;
  isSandbox: boolean;
  /** Called before an account is read, where something of it is still to be written. */
  beforeRead: (name: string, place: Place) => Promise<void>;
}): Finder {
  const { config, places, addressesFor, isSandbox, beforeRead } = options;
  const names = async () => (await places.names()).sort(defaultFirst);

  // That the names cannot be listed must not hide the error to be told.
  const missing = async (name: string) =>
    missingAccount(name, await names().catch(() => []), { sandbox: isSandbox });

  const placeOf = async (name: string): Promise<Place> => {
    if (!ACCOUNT_NAME.test(name)) throw await missing(name);
    return places.of(name);
  };

  return {
    isName: (name) => ACCOUNT_NAME.test(name),
    names,
    missing,
    placeOf,
    find: async (name) => {
      const place = await placeOf(name);
      await beforeRead(name, place);
      const stored = await place.store.read(name);
      if (stored === undefined) throw await missing(name);
      return { place, stored };
    },
    contextOf: (name, { origin, given }) => ({
      name,
      origin,
      given,
      settings: isSandbox ? {} : settingsFor(name, config),
      spApiSandbox: config.spApiSandbox,
      addressesFor,
    }),
  };
}

function defaultFirst(a: string, b: string): number {
  return Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1);
}
