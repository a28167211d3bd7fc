/** A clock that stands still until a test moves it; sleepers wake in order. */

import type { Clock } from '../../src/base/clock.ts';

export interface FakeClock extends Clock {
  /** Moves both clocks on and lets everything that was due happen, in order. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock alone, as a person or a time service does. */
  jump(ms: number): void;
  /** How long each sleep was asked for, in order. */
  sleeps: number[];
  /** How many sleep now. */
  sleeping(): number;
  /** Returns the milliseconds until the next of them wakes, or Infinity where none sleeps. */
  untilNext(): number;
  sleep(ms: number): Promise<void>;
}

/** More in one move of the clock is a loop. */
const MAX_WAKES = 20_000;

interface Sleeper {
  at: number;
  wake: () => void;
}

/** @param settle lets everything happen that can, while the clock stands still */
export function fakeClock(settle: () => Promise<void> = settled): FakeClock {
  let now = 1000;
  let offset = 1_700_000_000_000;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];
  const after = (ms: number, run: () => void) => {
    sleeps.push(ms);
    const sleeper = { at: now + ms, wake: run };
    sleepers.add(sleeper);
    return () => void sleepers.delete(sleeper);
  };
  const first = () => [...sleepers].sort((a, b) => a.at - b.at)[0];
  return {
    sleeps,
    sleeping: () => sleepers.size,
    untilNext: () => (first()?.at ?? Number.POSITIVE_INFINITY) - now,
    now: () => now,
    wallClock: () => offset + now,
    jump: (ms) => {
      offset += ms;
    },
    after,
    sleep: (ms) => new Promise((resolve) => void after(ms, resolve)),
    async advance(ms) {
      const end = now + ms;
      await settle();
      let wakes = 0;
      for (let next = first(); next !== undefined && next.at <= end; next = first()) {
        if (++wakes > MAX_WAKES) throw new Error('The sleepers come to no end.');
        now = Math.max(now, next.at);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}

/** Lets every promise that can settle do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
