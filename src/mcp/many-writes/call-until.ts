/** A call in the background that gives its place up when the list is to end, and is left alone once it has left. */

import type { SendParts } from '../../batches/types.ts';
import type { CallOptions } from '../../client/client.ts';

/** A write may wait so long for its place under the limit; longer ones are sent another time. */
const MOST_WAIT_MS = 5 * 60_000;
/** What goes on this soon may have left already. */
const ABOUT_TO_LEAVE_MS = 100;

export interface BackgroundCall {
  options: CallOptions;
  /** Nothing of it is listened to any more. */
  end(): void;
}

export function callUntil({ signal, ending }: Pick<SendParts, 'signal' | 'ending'>): BackgroundCall {
  const leaving = new AbortController();
  let waitsUntil = 0;
  const leave = () => {
    if (performance.now() < waitsUntil - ABOUT_TO_LEAVE_MS) leaving.abort();
  };
  ending.addEventListener('abort', leave);
  return {
    options: {
      signal: AbortSignal.any([signal, leaving.signal]),
      timeoutMs: MOST_WAIT_MS,
      onProgress: ({ ms }) => {
        waitsUntil = performance.now() + ms;
        if (ending.aborted) leave();
      },
    },
    end: () => ending.removeEventListener('abort', leave),
  };
}
