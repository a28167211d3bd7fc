/** Layer: tries again what may be tried again, within the call's deadline. */

import { NetworkError, RateLimitError, TimeoutError } from '../../errors.ts';
import { inWords } from '../../text/duration.ts';
import { buildApiError } from '../api-error.ts';
import type { Clock } from '../clock.ts';
import { isTransient } from '../transport/network-failure.ts';
import { retryAfterMsOf } from '../transport/response-headers.ts';
import type { ApiRequest, ApiResponse, Layer, Send } from '../types.ts';
import { planRetry } from './retry-delay.ts';

export const MAX_ATTEMPTS = 5;

type Outcome = { response: ApiResponse } | { error: unknown };

export function retry(options: { clock: Clock; random: () => number; maxAttempts?: number }): Layer {
  const { clock, random, maxAttempts = MAX_ATTEMPTS } = options;
  return (next) => async (request) => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(next, request);
      if (!mayRepeat(outcome, request)) return finish(outcome);
      const retryAfterMs =
        'response' in outcome ? retryAfterMsOf(outcome.response.headers, clock.wallClock()) : undefined;
      const remainingMs = request.deadline - clock.now();
      const plan = planRetry({ attempt, maxAttempts, random: random(), retryAfterMs, remainingMs });
      if (plan.kind === 'give up') return giveUp(outcome, request, attempt, plan.ms);
      if (plan.ms > 0) request.onProgress?.({ kind: 'wait', ms: Math.ceil(plan.ms), reason: 'retry' });
      await clock.sleep(plan.ms, request.signal);
    }
  };
}

async function attemptOnce(next: Send, request: ApiRequest): Promise<Outcome> {
  try {
    return { response: await next(request) };
  } catch (error) {
    return { error };
  }
}

/** 429 was refused before it was acted on, so anything may follow it; the rest depends on what a repeat would do. */
function mayRepeat(outcome: Outcome, request: ApiRequest): boolean {
  if (request.signal.aborted) return false;
  if ('response' in outcome) {
    const { status } = outcome.response;
    return status === 429 || (request.repeatable && (status === 500 || (status >= 502 && status <= 504)));
  }
  const { error } = outcome;
  if (!(error instanceof NetworkError || error instanceof TimeoutError)) return false;
  return isTransient(error) && (request.repeatable || error.fate === 'not-sent');
}

function finish(outcome: Outcome): ApiResponse {
  if ('response' in outcome) return outcome.response;
  throw outcome.error;
}

/** The last failure, told with how often it was tried and how long to wait. */
function giveUp(outcome: Outcome, request: ApiRequest, attempts: number, waitMs: number): ApiResponse {
  if ('error' in outcome) throw withAttempts(outcome.error, attempts);
  const tried = attempts === 1 ? '' : ` Tried ${attempts} times.`;
  const cause = buildApiError(outcome.response, request, `${tried} Call again in ${inWords(waitMs)}.`.trim());
  if (outcome.response.status !== 429) throw cause;
  throw new RateLimitError(Math.ceil(waitMs), cause.message, cause.hint, { cause });
}

function withAttempts(error: unknown, attempts: number): unknown {
  if (!(error instanceof NetworkError) || attempts === 1) return error;
  const message = `${error.message} (tried ${attempts} times)`;
  return new NetworkError(error.code, error.fate, message, error.hint, { cause: error });
}
