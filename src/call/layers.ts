/** Every layer between a call and the transport, as two lists: those that whoever composes a client may change, and those below. */

import type { Clock } from '../base/clock.ts';
import type { ApiRequest, Layer, Send } from './api-request.ts';
import { type RateLimitOptions, rateLimit } from './pacing/rate-limit.ts';
import { requestTimeout } from './pacing/request-timeout.ts';
import { retry } from './pacing/retry.ts';
import { accessToken, type Tokens } from './tokens/access-token.ts';

export interface LayerParts extends RateLimitOptions {
  /** From 0 to 1, for the jitter of retries. */
  random: () => number;
  tokens: Tokens;
  /** Name of the header that carries the access token. */
  accessTokenHeader: string;
}

/** Outermost first: a repeat gets a token of its own, and each time its place under the limit. */
export function standardLayers(parts: LayerParts): Layer[] {
  return [retry(parts), accessToken({ ...parts, header: parts.accessTokenHeader }), rateLimit(parts)];
}

/** What each request passes last, outermost first: it has its place and its token, and leaves. */
export function bottomLayers(clock: Clock, timeoutMs: number): Layer[] {
  return [tellLeaving, requestTimeout({ clock, timeoutMs })];
}

/** Lays the layers around `send`. */
export function compose(layers: readonly Layer[], send: Send): Send {
  return layers.reduceRight((next, layer) => layer(next), send);
}

const TOO_MANY = 429;

/**
 * The caller is told just before its request leaves, and when the service has refused it for its limit. What its
 * `leaving` throws ends the call: nothing of that attempt was sent then.
 */
const tellLeaving: Layer = (next) => {
  const tell = async (request: ApiRequest, leaving: NonNullable<ApiRequest['leaving']>) => {
    await leaving.begin();
    const response = await next(request);
    if (response.status === TOO_MANY) await leaving.refused();
    return response;
  };
  return (request) => (request.leaving === undefined ? next(request) : tell(request, request.leaving));
};
