/** The life of one call: it ends when it is done, cancelled, past its deadline, or when the client closes. */

import type { Clock } from '../base/clock.ts';
import { CancelledError, TimeoutError } from '../base/errors.ts';
import { inWords } from '../base/text/duration.ts';

export interface CallScope {
  /** Aborts with the AppError that tells why. */
  signal: AbortSignal;
  /** In milliseconds of the clock. */
  deadline: number;
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
  endings: readonly (AbortSignal | undefined)[],
  leftMs = timeoutMs,
): CallScope {
  const controller = new AbortController();
  const cancel = () => controller.abort(new CancelledError('The call was cancelled.'));
  const stopTimer = clock.after(leftMs, () => controller.abort(deadlinePassed(timeoutMs)));
  for (const ending of endings) {
    if (ending?.aborted === true) cancel();
    ending?.addEventListener('abort', cancel);
  }
  const end = () => {
    stopTimer();
    for (const ending of endings) ending?.removeEventListener('abort', cancel);
  };
  return { signal: controller.signal, deadline: clock.now() + leftMs, end };
}

function deadlinePassed(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The call did not end within ${inWords(timeoutMs)}; the request was not sent.`,
    'Call again in a few seconds. The limit is the setting call-timeout-ms.',
  );
}

/** Waits for a shared piece of work without owning it: an abort ends the waiting, never the work. */
export function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    // Always listened to, so that work that fails after everyone has left is no unhandled rejection.
    work.then(
      (value) => {
        signal.removeEventListener('abort', stop);
        resolve(value);
      },
      (error) => {
        signal.removeEventListener('abort', stop);
        reject(error);
      },
    );
  });
}
