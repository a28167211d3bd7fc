/** The life of one call: it ends when it is done, cancelled, past its deadline, or when the client closes. */

import { type AnySignal, CancelSignal, onAbort } from '../base/cancel-signal.ts';
import type { Clock } from '../base/clock.ts';
import { CancelledError, TimeoutError } from '../base/errors.ts';
import { formatDuration } from '../base/text/duration.ts';

export interface CallScope {
  /** Aborts with the AppError that tells why. */
  ending: CancelSignal;
  /** The end of the call, in milliseconds of the clock. */
  deadline: number;
  /**
   * The deadline in milliseconds since the epoch, because the other clock may stop while the computer sleeps.
   */
  wallDeadline: number;
  /** Lets go of the timer and of the listeners. */
  end(): void;
}

/**
 * @param timeoutMs the setting, told when it has passed; `leftMs` is less where other work has used some of it.
 * @param endings signals that end the call early: the caller's own and the client's.
 */
export function openScope(
  clock: Clock,
  timeoutMs: number,
  endings: readonly (AnySignal | undefined)[],
  leftMs = timeoutMs,
): CallScope {
  const ending = new CancelSignal();
  const cancel = () => ending.abort(new CancelledError('The call was cancelled.'));
  const stopTimer = clock.after(leftMs, () => ending.abort(deadlinePassed(timeoutMs)));
  const leaves = endings.map((early) => {
    if (early?.aborted === true) cancel();
    return early && onAbort(early, cancel);
  });
  const end = () => {
    stopTimer();
    for (const leave of leaves) leave?.();
  };
  const [deadline, wallDeadline] = [clock.now() + leftMs, clock.wallClock() + leftMs];
  return { ending, deadline, wallDeadline, end };
}

function deadlinePassed(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The call did not end within ${formatDuration(timeoutMs)}; the request was not sent.`,
    'Call again in a few seconds. The limit is the setting call-timeout-ms.',
  );
}

/** Waits for a shared piece of work without owning it: an abort ends the waiting, never the work. */
export function waitFor<T>(work: Promise<T>, signal: AnySignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    const leave = onAbort(signal, stop);
    // Always waited for, so that work that fails after everyone has left is no unhandled rejection.
    work.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error) => {
        leave();
        reject(error);
      },
    );
  });
}
