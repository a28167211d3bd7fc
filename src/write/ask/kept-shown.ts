/** What was shown, for as long as a yes to it is good; the oldest are let go where they are too many, or too large together. */

import { CODE_LIFETIME_MS } from './confirmation.ts';

export type KeptShown<Shown> = ReturnType<typeof createKeptShown<Shown>>;

interface Limits<Shown> {
  most: number;
  /** Of all of them; a single one can be larger. */
  mostSize: number;
  sizeOf(shown: Shown): number;
  /** Milliseconds that only grow. */
  now(): number;
}

export function createKeptShown<Shown>({ most, mostSize, sizeOf, now }: Limits<Shown>) {
  const kept = new Map<string, { shown: Shown; size: number; until: number }>();
  const makeRoom = () => {
    let all = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size, until }] of kept) {
      const isTooMuch = kept.size > 1 && (kept.size > most || all > mostSize);
      if (until > now() && !isTooMuch) continue;
      kept.delete(key);
      all -= size;
    }
  };
  return {
    /** Undefined where it is too old, or was let go. */
    find(key: string): Shown | undefined {
      makeRoom();
      return kept.get(key)?.shown;
    },
    keep(key: string, shown: Shown): void {
      kept.delete(key);
      kept.set(key, { shown, size: sizeOf(shown), until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    /** Once it is sent it is no longer what would be sent. */
    forget(key: string): void {
      kept.delete(key);
    },
  };
}
