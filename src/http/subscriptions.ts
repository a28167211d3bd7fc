/**
 * Streams that clients listen to: limited per user, and ended with the token, the user's access or the
 * server.
 */

import { type Caller, keyOf } from './caller/caller.ts';

export interface Subscriptions {
  /**
   * Opens a stream.
   * @returns the signal that ends the stream; undefined when the user has the maximum number
   */
  open(caller: Caller, gone: AbortSignal): AbortSignal | undefined;
  /** Returns the number of open streams. */
  count(): number;
  /** Ends all streams. */
  end(): void;
}

export interface SubscriptionOptions {
  /** Returns whether the user still has access. */
  hasAccess(caller: Caller): Promise<boolean>;
  mostOfOne?: number;
  lookAgainMs?: number;
  now?: () => number;
}

/** The maximum streams of one user, who has a few clients with one each. */
const MAX_PER_USER = 8;
/** The interval at which access is checked again, and so the maximum delay of its revocation. */
const CHECK_INTERVAL_MS = 15_000;
/** The maximum timer, because longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createSubscriptions({
  hasAccess,
  mostOfOne = MAX_PER_USER,
  lookAgainMs = CHECK_INTERVAL_MS,
  now = Date.now,
}: SubscriptionOptions): Subscriptions {
  const byUser = new Map<string, Set<AbortController>>();
  return {
    open(caller, gone) {
      const userKey = keyOf(caller);
      const own = byUser.get(userKey) ?? new Set();
      if (own.size >= mostOfOne) return undefined;
      const ending = new AbortController();
      byUser.set(userKey, own.add(ending));
      const end = () => ending.abort();
      const timer = setTimeout(end, Math.min(MAX_TIMER_MS, Math.max(0, caller.expiresAt * 1000 - now())));
      const checking = setInterval(() => {
        hasAccess(caller).then(
          (has) => has || end(),
          () => end(),
        );
      }, lookAgainMs);
      for (const one of [timer, checking]) one.unref();
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        clearInterval(checking);
        own.delete(ending);
        if (own.size === 0) byUser.delete(userKey);
      });
      if (gone.aborted) end();
      else gone.addEventListener('abort', end, { once: true });
      return ending.signal;
    },
    count: () => [...byUser.values()].reduce((sum, { size }) => sum + size, 0),
    end() {
      for (const own of [...byUser.values()]) for (const ending of [...own]) ending.abort();
    },
  };
}
