/** A store whose answers are lost when a test says so: before it has done what it was asked, or after. */

import { StoreUnavailable } from '../../src/replicas/shared-step.ts';
import type { SharedStore } from '../../src/replicas/shared-store.ts';

/** `before`: it is not done; `after`: it is done, and nobody hears of it. */
export type Cut = 'none' | 'before' | 'after';

export function cutStore(store: SharedStore): { store: SharedStore; cut: (next: () => Cut) => void } {
  let next: () => Cut = () => 'none';
  return {
    store: {
      get isHere() {
        return store.isHere;
      },
      get lostAt() {
        return store.lostAt;
      },
      get bornAt() {
        return store.bornAt;
      },
      get replicas() {
        return store.replicas;
      },
      get isLost() {
        return store.isLost;
      },
      get share() {
        return store.share;
      },
      get generation() {
        return store.generation;
      },
      look: () => store.look(),
      now: () => store.now(),
      close: () => store.close(),
      async run(...asked) {
        const cut = next();
        if (cut === 'before') throw new StoreUnavailable('cut');
        const answer = await store.run(...asked);
        if (cut === 'after') throw new StoreUnavailable('cut');
        return answer;
      },
    },
    cut: (given) => {
      next = given;
    },
  };
}
