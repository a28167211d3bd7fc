/** Innermost layer: the caller is told just before its request leaves, and when the service has refused it for its limit. */

import type { Layer } from './types.ts';

const TOO_MANY = 429;

/** What a caller's `leaving` throws ends the call: nothing of that attempt was sent then. */
export const tellLeaving: Layer = (next) => async (request) => {
  const { leaving } = request;
  if (leaving === undefined) return next(request);
  await leaving.begin();
  // It may have been told to end meanwhile.
  request.signal.throwIfAborted();
  const response = await next(request);
  if (response.status === TOO_MANY) await leaving.refused();
  return response;
};
