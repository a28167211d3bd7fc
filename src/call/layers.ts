/** Every layer between a call and the transport, as two lists: those that whoever composes a client may change, and those below. */

import type { Clock } from '../base/clock.ts';
import { WriteTooLateError } from '../base/errors.ts';
import type { ApiRequest, ApiResponse, DispatchHooks, Layer, Send } from './api-request.ts';
import { type RateLimitOptions, rateLimit } from './pacing/rate-limit.ts';
import { requestTimeout } from './pacing/request-timeout.ts';
import { retry } from './pacing/retry.ts';
import { createLateness } from './pacing/too-late.ts';
import { accessToken, type Tokens } from './tokens/access-token.ts';

export interface LayerParts extends RateLimitOptions {
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random: () => number;
  tokens: Tokens;
  /** Name of the header that carries the access token. */
  accessTokenHeader: string;
}

/** Outermost first: a repeat gets a token of its own, and each time its place under the limit. */
export function standardLayers(parts: LayerParts): Layer[] {
  return [retry(parts), accessToken({ ...parts, header: parts.accessTokenHeader }), rateLimit(parts)];
}

/** Returns the last layers of each request, outermost first: it has its turn and its token, and leaves. */
export function bottomLayers(clock: Clock, timeoutMs: number): Layer[] {
  return [callDispatchHooks(clock), requestTimeout({ clock, timeoutMs })];
}

/** Lays the layers around `send`. */
export function compose(layers: readonly Layer[], send: Send): Send {
  return layers.reduceRight((next, layer) => layer(next), send);
}

const TOO_MANY = 429;

/**
 * Tells the caller just before its request leaves, and again when it did not leave or when the service
 * refused it for its rate limit. An error that a hook throws ends the call, because that attempt was not
 * applied.
 */
function callDispatchHooks(clock: Clock): Layer {
  return (next) => {
    const callWith = async (request: ApiRequest, hooks: DispatchHooks) => {
      // The age is measured from before `beforeDispatch`, so that the claim is never older than its measured age.
      const whyTooLate = createLateness(clock, request.wallDeadline);
      await hooks.beforeDispatch();
      let response: ApiResponse;
      try {
        response = await next({ ...request, whyTooLate });
      } catch (error) {
        if (error instanceof WriteTooLateError) await hooks.onNotApplied();
        throw error;
      }
      if (response.status === TOO_MANY) await hooks.onNotApplied();
      return response;
    };
    return (request) => {
      if (request.dispatchHooks !== undefined) return callWith(request, request.dispatchHooks);
      return request.operation.effect === 'read'
        ? next(request)
        : next({ ...request, whyTooLate: createLateness(clock, request.wallDeadline) });
    };
  };
}
