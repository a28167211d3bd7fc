/** A signed address of the service ends after five minutes, perhaps before it was used: then another one is asked for. */

import { NetworkError } from '../base/errors.ts';

/** Asked for in all. */
const MAX_ADDRESSES = 3;

/** @param work asks for an address and uses it; nothing of it may last where that one had ended. @throws what it throws */
export async function withFreshAddress<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const hasEnded = error instanceof NetworkError && error.code === 'ADDRESS_EXPIRED';
      if (!hasEnded || attempt >= MAX_ADDRESSES) throw error;
    }
  }
}
