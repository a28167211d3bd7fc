/** The layers between a call and the transport, as a list; whoever composes a client may give it another. */

import type { Layer, Send } from './api-request.ts';
import { type RateLimitOptions, rateLimit } from './pacing/rate-limit.ts';
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

/** Lays the layers around `send`. */
export function compose(layers: readonly Layer[], send: Send): Send {
  return layers.reduceRight((next, layer) => layer(next), send);
}
