/** Layer: every call waits for its place under the limit of its account and operation. */

import { requestsPerSecondOf, retryAfterMsOf } from '../transport/response-headers.ts';
import type { ApiRequest, ApiResponse, Clock, Layer } from '../types.ts';
import { CallQueue } from './call-queue.ts';

/** @param closing aborts when the client closes, so that no timer outlives it. */
export function rateLimit(options: { clock: Clock; closing: AbortSignal }): Layer {
  const { clock, closing } = options;
  const queues = new Map<string, CallQueue>();
  return (next) => async (request) => {
    const queue = queueOf(queues, request, () => new CallQueue(request.operation.rate, clock, closing));
    await queue.enter(request);
    let response: ApiResponse | undefined;
    try {
      response = await next(request);
      return response;
    } finally {
      queue.leave(response === undefined ? { status: undefined } : outcomeOf(response, clock.wallClock()));
    }
  };
}

function queueOf(queues: Map<string, CallQueue>, request: ApiRequest, open: () => CallQueue): CallQueue {
  const key = `${request.account}\n${request.operation.id}`;
  const queue = queues.get(key) ?? open();
  queues.set(key, queue);
  return queue;
}

function outcomeOf(response: ApiResponse, wallClock: number) {
  return {
    status: response.status,
    requestsPerSecond: requestsPerSecondOf(response.headers),
    retryAfterMs: retryAfterMsOf(response.headers, wallClock),
  };
}
