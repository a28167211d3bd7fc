/** Values given as arguments of one call, put over those of their account: in memory, for that account only. */

import { CredentialError } from '../errors.ts';
import type { Finder } from './find-account.ts';
import { checkOverride } from './missing-account.ts';
import type { Place, Places } from './places.ts';
import type { OverrideValues, StoredAccount } from './types.ts';

/** @throws CredentialError when what is left out cannot be filled from the same account */
export async function overrideAccount(
  name: string,
  values: OverrideValues,
  { finder, places }: { finder: Finder; places: Places },
): Promise<() => void> {
  const base = await findBase(name, values, finder);
  checkOverride(name, values, base?.stored);
  return places.cover(name, values, base?.stored, base?.place);
}

/** A keychain or environment that fails matters only when something has to come from it. */
async function findBase(
  name: string,
  values: OverrideValues,
  finder: Finder,
): Promise<{ place: Place; stored: StoredAccount } | undefined> {
  try {
    return await finder.find(name);
  } catch (error) {
    if (!finder.isName(name) || !(error instanceof CredentialError)) throw error;
    if (error.reason === 'missing' || isComplete(values)) return undefined;
    throw error;
  }
}

function isComplete({ clientId, clientSecret, refreshToken }: OverrideValues): boolean {
  return clientId !== undefined && clientSecret !== undefined && refreshToken !== undefined;
}
