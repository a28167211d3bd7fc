/** Leases for tests: in a store beside the folder of a test, or held by nobody. */

import { createLeases, type Leases } from '../../src/store/leases.ts';
import { openStateStore } from '../../src/write/state-store.ts';

/** The same for every process that is given this folder. */
export function leasesBeside(folder: string): Leases {
  const store = openStateStore(`${folder}-state`);
  return createLeases(async () => store);
}

export const freeLeases: Leases = {
  take: async () => ({ release: async () => undefined }),
  holder: async () => undefined,
  within: (_name, work) => work(),
};

/** Opens the store with the rows that reviews and collections are compared with. */
export const comparisonsBeside = (folder: string) => openStateStore(`${folder}-state`);
