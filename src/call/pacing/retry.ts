/** Layer: tries again what may be tried again, within the call's deadline, and tells the worst that any attempt may have done. */

import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, CancelledError, NetworkError, RateLimitError, TimeoutError } from '../../base/errors.ts';
import { formatDuration } from '../../base/text/duration.ts';
import { buildApiError, howToCheck } from '../api-error.ts';
import type { ApiRequest, ApiResponse, Layer } from '../api-request.ts';
import { isTransient } from '../transport/network-failure.ts';
import { MAX_RETRY_AFTER_MS, retryAfterMsOf } from '../transport/response-headers.ts';
import { planRetry } from './backoff.ts';

const MAX_ATTEMPTS = 5;

type Attempt = { response: ApiResponse } | { error: unknown };

export function retry(options: { clock: Clock; random: () => number; maxAttempts?: number }): Layer {
  const { clock, random, maxAttempts = MAX_ATTEMPTS } = options;
  return (next) => async (request) => {
    let earlier: string | undefined;
    for (let attempts = 1; ; attempts++) {
      let attempt: Attempt;
      try {
        attempt = { response: await next(request) };
      } catch (error) {
        attempt = { error };
      }
      if (!mayRepeat(attempt, request)) return finish(attempt, request, earlier);
      const retryAfterMs =
        'response' in attempt ? retryAfterMsOf(attempt.response.headers, clock.wallClock()) : undefined;
      const remainingMs = request.deadline - clock.now();
      const plan = planRetry({ attempt: attempts, maxAttempts, random: random(), retryAfterMs, remainingMs });
      if (plan.kind === 'give up') return giveUp(attempt, request, { attempts, waitMs: plan.ms, earlier });
      earlier ??= doubtOf(attempt, request);
      if (plan.ms > 0) request.onProgress?.({ kind: 'wait', ms: Math.ceil(plan.ms), reason: 'retry' });
      try {
        await sleep(clock, plan.ms, request.signal);
      } catch (error) {
        throw inDoubt(error, request, earlier);
      }
    }
  };
}

/** 429 was refused before it was acted on, so anything may follow it; the rest depends on what a repeat would do. */
function mayRepeat(attempt: Attempt, request: ApiRequest): boolean {
  if (request.signal.aborted) return false;
  if ('response' in attempt) {
    const { status } = attempt.response;
    return status === 429 || (request.repeatable && (status === 500 || (status >= 502 && status <= 504)));
  }
  const { error } = attempt;
  if (!(error instanceof NetworkError || error instanceof TimeoutError)) return false;
  return isTransient(error) && (request.repeatable || error.fate === 'not-sent');
}

function finish(attempt: Attempt, request: ApiRequest, earlier: string | undefined): ApiResponse {
  if ('error' in attempt) throw inDoubt(attempt.error, request, earlier);
  const { response } = attempt;
  const isSuccess = response.status >= 200 && response.status < 300;
  if (isSuccess || earlier === undefined) return response;
  throw buildApiError(response, request, { earlier });
}

/** The last failure, told with how often it was tried and how long to wait. */
function giveUp(
  attempt: Attempt,
  request: ApiRequest,
  { attempts, waitMs, earlier }: { attempts: number; waitMs: number; earlier: string | undefined },
): ApiResponse {
  if ('error' in attempt) throw inDoubt(withAttempts(attempt.error, attempts), request, earlier);
  const addition = [
    attempts === 1 ? '' : `Tried ${attempts} times.`,
    `Call again in ${formatDuration(waitMs)}.`,
    waitMs === MAX_RETRY_AFTER_MS ? 'No longer wait than an hour is believed.' : '',
  ];
  const cause = buildApiError(attempt.response, request, {
    addition: addition.filter((part) => part !== '').join(' '),
    earlier,
  });
  if (cause.status !== 429) throw cause;
  const { message, hint, mayHaveBeenApplied } = cause;
  throw new RateLimitError(Math.ceil(waitMs), message, hint, { cause, mayHaveBeenApplied });
}

function withAttempts(error: unknown, attempts: number): unknown {
  if (!(error instanceof NetworkError) || attempts === 1) return error;
  const message = `${error.message} (tried ${attempts} times)`;
  return new NetworkError(error.code, error.fate, message, error.hint, { cause: error });
}

/** How an attempt ended that may have been applied, in a word of our own; undefined when nothing can have happened. */
function doubtOf(attempt: Attempt, request: ApiRequest): string | undefined {
  if (request.operation.effect === 'read') return undefined;
  if ('response' in attempt) {
    const { status } = attempt.response;
    return status >= 500 ? `status ${status}` : undefined;
  }
  const { error } = attempt;
  return error instanceof NetworkError && error.fate === 'unknown' ? error.code : undefined;
}

/** A repeat that failed does not make good what an earlier attempt may have done: its fate is the call's. */
function inDoubt(error: unknown, request: ApiRequest, earlier: string | undefined): unknown {
  if (earlier === undefined || !(error instanceof AppError)) return error;
  if ('fate' in error && error.fate === 'unknown') return error;
  const message = `The repeat failed: ${error.message}`;
  const hint = `${howToCheck(request, earlier)} ${error.hint}`.trim();
  const cause = { cause: error };
  if (error instanceof TimeoutError)
    return new TimeoutError(error.timeoutMs, 'unknown', message, hint, cause);
  if (error instanceof CancelledError) return new CancelledError(message, hint, 'unknown', cause);
  if (error instanceof RateLimitError) {
    return new RateLimitError(error.retryAfterMs, message, hint, { ...cause, mayHaveBeenApplied: true });
  }
  const code = error instanceof NetworkError ? error.code : 'REPEAT_FAILED';
  return new NetworkError(code, 'unknown', message, hint, cause);
}
