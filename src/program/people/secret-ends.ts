/** Warns the operator in time, and every day, that the client secret of an account ends. */

import { daysUntil, WARNING_DAYS } from '../../accounts/secret-life.ts';
import type { ServerStore } from '../../accounts/server/server-store.ts';
import { count } from '../../base/text/format-value.ts';

const DAY_MS = 86_400_000;

interface SecretEndWatch {
  /** Milliseconds since the epoch. */
  now(): number;
  tell(message: string): void;
}

export function watchSecretEnds(store: Pick<ServerStore, 'secretEnds'>, watching: SecretEndWatch) {
  let last = Promise.resolve();
  let first: number | undefined;
  const look = () => {
    last = last
      .then(async () => {
        first = await reportSecretEnds(store, watching);
      })
      .catch(() => undefined);
  };
  look();
  const timer = setInterval(look, DAY_MS).unref();
  return {
    /** Returns the earliest end, in milliseconds since the epoch; undefined when unknown. */
    first: () => first,
    /** Resolves when no check is in progress. */
    close() {
      clearInterval(timer);
      return last;
    },
  };
}

/**
 * Reports the secrets that end soon.
 * @returns the earliest end
 */
export async function reportSecretEnds(
  store: Pick<ServerStore, 'secretEnds'>,
  { now, tell }: SecretEndWatch,
): Promise<number | undefined> {
  const ends = await store.secretEnds();
  for (const { account, at, isExact } of ends) {
    const days = Math.floor(daysUntil(at, now()));
    if (days > WARNING_DAYS) continue;
    const when =
      days < 0
        ? 'has ended'
        : days === 0
          ? 'ends today'
          : `ends in ${count(days)} ${days === 1 ? 'day' : 'days'}`;
    const latest = isExact ? '' : ', if not before (it was first seen here 180 days before that)';
    tell(
      `The client secret of account ${account} ${when}, on ${new Date(at).toISOString().slice(0, 10)}${latest}. Rotate it in the developer console and replace its file in the secrets folder: it is read again by itself.`,
    );
  }
  return ends.length === 0 ? undefined : Math.min(...ends.map(({ at }) => at));
}
