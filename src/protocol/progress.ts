/** Tells a client that asked for progress how far a call has come, and why it takes its time. */

import type { Wait } from '../call/api-request.ts';
import type { CallProgress } from '../render/reading-session.ts';
import type { CallContext } from './call-context.ts';

/** Shorter waits are not worth a message. */
const WORTH_TELLING_MS = 1_000;

const REASONS: Record<Wait['reason'], string> = {
  'rate limit': "the service's rate limit",
  retry: 'the service to recover',
  queue: 'earlier calls of the same operation',
};

/** The protocol wants every number to be higher than the one before: what does not count moves it by this. */
const NUDGE = 0.001;

/**
 * A listener for progress; does nothing when the client sent no progress token.
 * @param clean takes secrets and personal data out of what is told
 */
export function createProgress(
  ctx: CallContext,
  clean: (text: string) => string,
): (progress: CallProgress) => void {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const last = progressOf(ctx.mcpReq.signal);
  return ({ message, done, total }) => {
    last.counts ||= done !== undefined;
    last.last = Math.max(done ?? 0, last.last + (last.counts ? NUDGE : 1));
    const params = {
      progressToken,
      progress: last.last,
      message: clean(message),
      total,
    };
    // The client may be gone; its call is then cancelled by the transport, not by us.
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** The last progress of each request: a request may start anew after a question, and its numbers go on. */
const lastProgress = new WeakMap<AbortSignal, { last: number; counts: boolean }>();

function progressOf(signal: AbortSignal) {
  const last = lastProgress.get(signal) ?? { last: 0, counts: false };
  lastProgress.set(signal, last);
  return last;
}

/** A listener for the client's waits that tells those of more than a second as progress. */
export function reportWaits(tell: (progress: CallProgress) => void): (wait: Wait) => void {
  return ({ ms, reason }) => {
    if (ms > WORTH_TELLING_MS)
      tell({ message: `Waiting ${(ms / 1000).toFixed(1)} s for ${REASONS[reason]}` });
  };
}
