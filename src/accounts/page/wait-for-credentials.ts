/** A call's wait for the person who fills in the credentials page. */

import { CancelledError } from '../../base/errors.ts';
import type { PageEnd } from './open-page.ts';

/**
 * Waits for the page's end, at most `maxMs` milliseconds (older clients give up on a call after 60 s); `waiting` when
 * it is still open then, which changes nothing for the page. @throws CancelledError when `signal` aborts
 */
export function waitForCredentials(
  done: Promise<PageEnd>,
  maxMs = 45_000,
  signal?: AbortSignal,
): Promise<PageEnd | 'waiting'> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(new CancelledError('The call was cancelled while it waited for the credentials page'));
    };
    const finish = (end: PageEnd | 'waiting') => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(end);
    };
    const timer = setTimeout(finish, maxMs, 'waiting');
    if (signal?.aborted) return cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    done.then(finish, () => finish('cancelled'));
  });
}
