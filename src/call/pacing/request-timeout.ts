/** Layer: one request that has left ends after the client's timeout, however patient the call around it is. */

import { CancelSignal, onAbort } from '../../base/cancel-signal.ts';
import type { Clock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import type { ApiRequest, Layer } from '../api-request.ts';

/** Calls that end no later than that anyway pass through. */
export function requestTimeout({ clock, timeoutMs }: { clock: Clock; timeoutMs: number }): Layer {
  return (next) => {
    const bounded = async (request: ApiRequest) => {
      const { signal } = request;
      const either = new CancelSignal();
      const stopTimer = clock.after(timeoutMs, () => either.abort(tooLate(timeoutMs)));
      const leave = onAbort(signal, () => either.abort(signal.reason));
      if (signal.aborted) either.abort(signal.reason);
      try {
        return await next({ ...request, signal: either });
      } finally {
        stopTimer();
        leave();
      }
    };
    return (request) => (request.deadline - clock.now() <= timeoutMs ? next(request) : bounded(request));
  };
}

function tooLate(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The request did not end within ${formatDuration(timeoutMs)}; it was not sent.`,
    'The limit is the setting call-timeout-ms.',
  );
}
