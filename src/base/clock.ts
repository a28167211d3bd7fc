/** The time source of the client: the system clock, or one that tests control. */

import { type AnySignal, onAbort } from './cancel-signal.ts';

/** `now` is monotonic milliseconds, `wallClock` is Date.now(). */
export interface Clock {
  now(): number;
  wallClock(): number;
  /** Runs `run` once when the time has passed, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallClock: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts. */
export function sleep(clock: Clock, ms: number, signal: AnySignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const leave = onAbort(signal, () => {
      cancel();
      leave();
      reject(signal.reason);
    });
    const cancel = clock.after(ms, () => {
      leave();
      resolve();
    });
  });
}
