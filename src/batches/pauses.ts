/** How long a run waits where nothing can be sent for now, and when it gives up. */

import { type Clock, sleep } from '../client/clock.ts';
import type { Later } from './types.ts';

/** Where nobody says how long; doubled each time until something is accepted or refused again. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/** A run in which nothing has ended for this long ends; the same call goes on. */
const GIVE_UP_MS = 15 * 60_000;

export interface Pauses {
  /** False where it is not worth waiting any more. */
  begin(later: Later): boolean;
  /** An item has ended. */
  wentOn(): void;
  /** Until something may be sent, or the run ends. */
  wait(): Promise<void>;
  /** What is waited for; undefined where nothing is. */
  why(): string | undefined;
}

export function createPauses(clock: Clock, ending: AbortSignal): Pauses {
  let backoffMs = FIRST_MS;
  let until = 0;
  let lastEnd = clock.now();
  let why: string | undefined;
  return {
    begin(later) {
      const now = clock.now();
      until = Math.max(until, now + Math.min(later.afterMs ?? backoffMs, GIVE_UP_MS));
      backoffMs = Math.min(2 * backoffMs, LONGEST_MS);
      why = later.why;
      return now - lastEnd < GIVE_UP_MS;
    },
    wentOn() {
      backoffMs = FIRST_MS;
      lastEnd = clock.now();
      why = undefined;
    },
    async wait() {
      while (!ending.aborted && clock.now() < until)
        await sleep(clock, until - clock.now(), ending).catch(() => undefined);
    },
    why: () => why,
  };
}
