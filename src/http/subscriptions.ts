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
const MOST_OF_ONE = 8;
/** The interval at which access is checked again, and so the maximum delay of its revocation. */
const LOOK_AGAIN_MS = 15_000;
/** The maximum timer, because longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createSubscriptions({
  hasAccess,
  mostOfOne = MOST_OF_ONE,
  lookAgainMs = LOOK_AGAIN_MS,
  now = Date.now,
}: SubscriptionOptions): Subscriptions {
  const byPerson = new Map<string, Set<AbortController>>();
  return {
    open(caller, gone) {
      const person = keyOf(caller);
      const own = byPerson.get(person) ?? new Set();
      if (own.size >= mostOfOne) return undefined;
      const ending = new AbortController();
      byPerson.set(person, own.add(ending));
      const end = () => ending.abort();
      const timer = setTimeout(end, Math.min(LONGEST_TIMER_MS, Math.max(0, caller.expiresAt * 1000 - now())));
      const looking = setInterval(() => {
        hasAccess(caller).then(
          (has) => has || end(),
          () => end(),
        );
      }, lookAgainMs);
      for (const one of [timer, looking]) one.unref();
      ending.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        clearInterval(looking);
        own.delete(ending);
        if (own.size === 0) byPerson.delete(person);
      });
      if (gone.aborted) end();
      else gone.addEventListener('abort', end, { once: true });
      return ending.signal;
    },
    count: () => [...byPerson.values()].reduce((sum, { size }) => sum + size, 0),
    end() {
      for (const own of [...byPerson.values()]) for (const ending of [...own]) ending.abort();
    },
  };
}
