/** What is sent next: in the order of the list, looked at shortly before, so that nothing is sent that is not as it was shown. */

import type { Clock } from '../client/clock.ts';
import { AppError } from '../errors.ts';
import type { BatchRecord } from './record.ts';
import type { BatchItem, ItemOutcome, Later, Sender } from './types.ts';

/** Looked at together, as the service answers them in one. */
const CHECKED_AT_ONCE = 20;
/** The next ones are looked at while so many are still to be sent, so that nobody waits for it. */
const NEXT_AT = 10;
/** What was looked at longer ago is looked at again. */
const FRESH_MS = 30_000;

const CHANGED = 'Somebody else changed it after it was shown. It was not sent.';
const UNREADABLE = 'What it is now could not be read before it was to be sent. It was not sent.';

export interface ToSend {
  /** Undefined when nothing is left; `later` where the next ones could not be looked at. @throws the system's error when the disk takes nothing more */
  next(): Promise<number | Later | undefined>;
  /** Is sent first again. */
  putBack(item: number): void;
}

export interface ToSendParts {
  /** Numbers of what is to be sent. */
  waiting: number[];
  items: readonly BatchItem[];
  check: Sender['check'];
  record: BatchRecord;
  run: string;
  clock: Clock;
  signal: AbortSignal;
}

export function createToSend(parts: ToSendParts): ToSend {
  const { waiting, items, check, record, run, clock, signal } = parts;
  const ready: { item: number; at: number }[] = [];
  let checking: Promise<Later | undefined> | undefined;

  const checkNext = async (ask: NonNullable<Sender['check']>): Promise<Later | undefined> => {
    const chunk = waiting.splice(0, CHECKED_AT_ONCE);
    let found: Awaited<ReturnType<typeof ask>>;
    try {
      found = await ask(
        chunk.flatMap((item) => items[item] ?? []),
        signal,
      );
    } catch (error) {
      waiting.unshift(...chunk);
      return { kind: 'later', why: notRead(error) };
    }
    // By the clock that goes on while the computer sleeps.
    const at = clock.wallClock();
    for (const item of chunk) {
      const outcome = toOutcome(found.get(items[item]?.key ?? ''));
      if (outcome === undefined) ready.push({ item, at });
      else await record.end(item, run, outcome, clock.wallClock());
    }
    return undefined;
  };
  const takeReady = () => {
    const first = ready[0];
    if (first !== undefined && Math.abs(clock.wallClock() - first.at) > FRESH_MS)
      waiting.unshift(...ready.splice(0).map(({ item }) => item));
    return ready.shift()?.item;
  };
  return {
    putBack: (item) => void waiting.unshift(item),
    async next() {
      if (check === undefined) return waiting.shift();
      for (;;) {
        const item = takeReady();
        if (ready.length <= NEXT_AT && waiting.length > 0) {
          checking ??= checkNext(check).finally(() => {
            checking = undefined;
          });
          // Whoever needs it meets its failure.
          checking.catch(() => undefined);
        }
        if (item !== undefined) return item;
        if (checking === undefined) return undefined;
        const later = await checking;
        if (later !== undefined) return later;
      }
    },
  };
}

function notRead(error: unknown): string {
  const why = 'What the next items are now could not be read';
  return error instanceof AppError ? `${why}: ${error.message}` : `${why}.`;
}

function toOutcome(
  found: 'as_shown' | 'changed' | 'unreadable' | ItemOutcome | undefined,
): ItemOutcome | undefined {
  if (found === 'as_shown') return undefined;
  if (found === 'changed') return { kind: 'changed_since', why: CHANGED };
  if (found === undefined || found === 'unreadable') return { kind: 'not_sent', why: UNREADABLE };
  return found;
}
