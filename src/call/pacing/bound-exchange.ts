/** Innermost layer: one request that has left ends after the client's timeout, however patient the call around it is. */

import type { Clock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { inWords } from '../../base/text/duration.ts';
import type { Layer } from '../types.ts';

/** Calls that end no later than that anyway pass through. */
export function boundExchange({ clock, timeoutMs }: { clock: Clock; timeoutMs: number }): Layer {
  return (next) => async (request) => {
    if (request.deadline - clock.now() <= timeoutMs) return next(request);
    const bound = new AbortController();
    const pass = () => bound.abort(request.signal.reason);
    if (request.signal.aborted) pass();
    request.signal.addEventListener('abort', pass);
    const stopTimer = clock.after(timeoutMs, () => bound.abort(tooLate(timeoutMs)));
    try {
      return await next({ ...request, signal: bound.signal });
    } finally {
      stopTimer();
      request.signal.removeEventListener('abort', pass);
    }
  };
}

function tooLate(timeoutMs: number): TimeoutError {
  return new TimeoutError(
    timeoutMs,
    'not-sent',
    `The request did not end within ${inWords(timeoutMs)}; it was not sent.`,
    'The limit is the setting call-timeout-ms.',
  );
}
