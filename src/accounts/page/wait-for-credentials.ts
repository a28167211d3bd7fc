/** A call's wait for the person who fills in the credentials page. */

import { sleep, systemClock } from '../../base/clock.ts';
import { CancelledError } from '../../base/errors.ts';
import type { PageEnd } from './open-page.ts';

/**
 * Waits for the page's end, at most `maxMs` milliseconds (older clients give up on a call after 60 s); `waiting` when
 * it is still open then, which changes nothing for the page. @throws CancelledError when `signal` aborts
 */
export async function waitForCredentials(
  done: Promise<PageEnd>,
  maxMs = 45_000,
  signal?: AbortSignal,
): Promise<PageEnd | 'waiting'> {
  const over = new AbortController();
  const endings = signal === undefined ? [over.signal] : [over.signal, signal];
  const late = sleep(systemClock, maxMs, AbortSignal.any(endings)).then(() => 'waiting' as const);
  try {
    return await Promise.race([done.catch(() => 'cancelled' as const), late]);
  } catch {
    throw new CancelledError('The call was cancelled while it waited for the credentials page');
  } finally {
    over.abort();
  }
}
