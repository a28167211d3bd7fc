/** Streams that clients listen to: so many a person, and each ends with its token, with the person's access, and with the server. */

import { type Caller, keyOf } from './caller/caller.ts';

export interface Subscriptions {
  /** @returns ends the stream; undefined where the person has as many as there may be */
  open(caller: Caller, gone: AbortSignal): AbortSignal | undefined;
  /** How many are open. */
  count(): number;
  /** Ends all. */
  end(): void;
}

export interface SubscriptionOptions {
  /** Whether the person has access still. */
  hasAccess(caller: Caller): Promise<boolean>;
  mostOfOne?: number;
  lookAgainMs?: number;
  now?: () => number;
}

/** A client needs one; a person has a few clients. */
const MOST_OF_ONE = 8;
/** Access that is taken away ends a stream so much later at most. */
const LOOK_AGAIN_MS = 15_000;
/** Longer timers fire at once. */
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
