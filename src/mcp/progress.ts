/** Tells a client that asked for progress why a call is taking its time. */

import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from '../client/types.ts';

/** Shorter waits are not worth a message. */
const WORTH_TELLING_MS = 1_000;

const REASONS: Record<Wait['reason'], string> = {
  'rate limit': "the service's rate limit",
  retry: 'the service to recover',
  queue: 'earlier calls of the same operation',
};

/** A listener for waits; does nothing when the client sent no progress token. */
export function createProgress(ctx: ServerContext): (wait: Wait) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return ({ ms, reason }) => {
    if (ms <= WORTH_TELLING_MS) return;
    progress += 1;
    const message = `Waiting ${(ms / 1000).toFixed(1)} s for ${REASONS[reason]}`;
    // The client may be gone; its call is then cancelled by the transport, not by us.
    ctx.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {});
  };
}
