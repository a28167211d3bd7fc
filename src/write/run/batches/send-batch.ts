/**
 * Runs a batch: it checks items without an outcome, then sends the rest, a few at a time, until it has to
 * end.
 */

import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../../base/clock.ts';
import { AppError, InputError } from '../../../base/errors.ts';
import {
  BatchEndedError,
  type BatchItem,
  BatchWaitsError,
  type DelayedItem,
  type ItemOutcome,
  type Sender,
  type SendOutcome,
  type SendParts,
  type UnsettledItem,
} from './batch.ts';
import { type BatchRecord, formatPause, WITHDRAWN_REASON } from './record.ts';
import { runEndReason } from './store-failures.ts';

/** The interval for reading a stop from the store, and for checking the lease. */
const POLL_MS = 500;

/**
 * The max time for items in flight when the run has to end: one may still wait for its slot under the rate
 * limit.
 */
const LAST_ITEMS_MS = 5_000;

/** The delay before a failed write is repeated. */
const WRITE_AGAIN_MS = 1_000;

/** The reason of a run that may continue once the other process has ended. */
export const ELSEWHERE = 'Another process works on it.';

/** A batch that stops for this reason continues by itself once its pause is over. */
export const PAUSED = 'It is paused.';

interface RunOptions {
  record: BatchRecord;
  items: readonly BatchItem[];
  sender: Sender;
  /** The unique mark of the run, which its changes carry. */
  run: string;
  clock: Clock;
  /** Stops further items when it aborts. */
  ending: AbortSignal;
  /** Gives up the items in flight when it aborts. */
  signal: AbortSignal;
  /** Returns false when the time is over; then items without an outcome are only checked. */
  maySend(): boolean;
  /** Returns false once another process works on the batch. */
  isOurs(): Promise<boolean>;
  /** Reports every change. @param why the reason for waiting, if it waits */
  tell(why: string | undefined): void;
}

/** Runs the batch; it never rejects. @returns the reason if it ended early */
export async function sendBatch(options: RunOptions): Promise<string | undefined> {
  const { record, sender, clock, maySend } = options;
  const halt = new AbortController();
  const ending = AbortSignal.any([options.ending, halt.signal]);
  const timeUp = new AbortController();
  const signal = AbortSignal.any([options.signal, timeUp.signal]);
  setMaxListeners(0, ending, signal);
  let stopTimer = () => {};
  const giveTime = () => {
    stopTimer = clock.after(LAST_ITEMS_MS, () => timeUp.abort());
  };
  ending.addEventListener('abort', giveTime);
  const parts: RunOptions = { ...options, ending, signal };
  const pauses = createPauses(clock, ending);
  let why: string | undefined;
  /** The reason why sent items have no outcome yet. */
  let whyLeft: string | undefined;

  const end = (reason: string | undefined) => {
    why ??= reason;
    halt.abort();
  };
  const take = (settled: Settled) => {
    if (settled === 'ended') pauses.reset();
    else if (settled === 'lost') end(ELSEWHERE);
    else if (settled.kind === 'waits') {
      if (!pauses.begin({ kind: 'later', why: settled.why, afterMs: WRITE_AGAIN_MS })) end(settled.why);
    } else if (settled.kind === 'left') whyLeft = settled.why;
    else if (settled.endsRun === true || !pauses.begin(settled)) end(settled.why);
    options.tell(pauses.why());
  };
  /** A worker that fails ends the others between two items. */
  const inParallel = (next: () => Promise<boolean>) => {
    const work = async () => {
      while (await next());
    };
    const workers = Array.from({ length: Math.max(1, sender.atOnce) }, work);
    return Promise.all(workers.map((worker) => worker.catch((error: unknown) => end(runEndReason(error)))));
  };
  const checkAll = () => {
    const inFlight = numbersIn(record, 'sending');
    return inParallel(async () => {
      const item = ending.aborted ? undefined : inFlight.shift();
      if (item === undefined) return false;
      const settled = await checkClaimed(item, parts);
      take(settled);
      if (!isOfKind(settled, 'waits')) return true;
      inFlight.unshift(item);
      await pauses.wait();
      return true;
    });
  };
  const sendAll = () => {
    const waiting = numbersIn(record, 'pending');
    const toSend = createToSend(waiting, parts);
    return inParallel(async () => {
      await pauses.wait();
      if (ending.aborted || record.flags().isStopped || !maySend()) return false;
      const item = await toSend.next();
      if (item === undefined) return false;
      const settled = typeof item === 'number' ? await claimAndSend(item, parts) : item;
      if (typeof item === 'number' && (isOfKind(settled, 'later') || isOfKind(settled, 'waits')))
        toSend.putBack(item);
      take(settled);
      return true;
    });
  };

  /** Writes the outcomes that could not be written when they came. */
  const writeRest = async () => {
    for (;;) {
      const waits = await tryToWrite(record.writeRest());
      if (waits === undefined || ending.aborted) return;
      take(waits);
      await pauses.wait();
    }
  };

  const unwatch = watch(options, end);
  await checkAll();
  await sendAll();
  // Some items could not be read at first.
  await checkAll();
  await writeRest().catch((error: unknown) => end(runEndReason(error)));
  await unwatch();
  // A listener on the session's end would keep the batch in memory.
  ending.removeEventListener('abort', giveTime);
  stopTimer();
  return why ?? (numbersIn(record, 'sending').length > 0 ? whyLeft : undefined);
}

const isPaused = ({ record, clock }: Pick<RunOptions, 'record' | 'clock'>) =>
  record.pausedUntil(clock.wallClock()) !== undefined;

function isOfKind(settled: Settled, kind: 'later' | 'waits'): boolean {
  return typeof settled === 'object' && settled.kind === kind;
}

/**
 * Tries to write.
 * @returns undefined once it is written
 * @throws as the record does if it cannot be written later either
 */
async function tryToWrite(work: Promise<unknown>): Promise<Waits | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof BatchWaitsError) return { kind: 'waits', why: error.message };
    throw error;
  }
}

function numbersIn(record: BatchRecord, phase: 'pending' | 'sending'): number[] {
  return Array.from({ length: record.head.total }, (_, item) => item).filter(
    (item) => record.phaseOf(item) === phase,
  );
}

/** Watches for a stop, a pause, or another process that works on the batch. */
function watch(
  { record, clock, isOurs }: RunOptions,
  end: (why: string | undefined) => void,
): () => Promise<void> {
  const watching = new AbortController();
  /** A batch that was stopped before is only checked. */
  const wasStopped = record.flags().isStopped;
  const poll = async () => {
    while (!watching.signal.aborted) {
      await record.refresh().catch(() => undefined);
      if (record.flags().isStopped && !wasStopped) end(undefined);
      if (isPaused({ record, clock })) end(PAUSED);
      if (!(await isOurs())) end(ELSEWHERE);
      await sleep(clock, POLL_MS, watching.signal).catch(() => undefined);
    }
  };
  const polling = poll();
  return () => {
    watching.abort();
    return polling;
  };
}

// Each item is sent at most once. The claim is on the disk first, and an item without an outcome is checked,
// never sent again.

/** `ended`: the item has an outcome from any run. `lost`: the item is another run's. */
type Settled = 'ended' | 'lost' | DelayedItem | UnsettledItem | Waits;

/** The item was not sent, because the claim could not be written first. */
interface Waits {
  kind: 'waits';
  why: string;
}

/** The reason if the service cannot tell whether the item was applied. */
const NOT_KNOWN =
  'It was sent without an answer, and what can be read does not tell whether it was applied. It was not sent again.';
const NOT_APPLIED =
  'It was cut off while it was sent; what can be read shows that it was not applied. It was not sent again.';
const NOT_SEEN =
  'Another process was about to send it, and has not told what came of it. What can be read shows that it was not applied so far; that process may still send it. It was not sent again.';
const NOT_READ = 'An item was sent without an answer, and could not be read yet.';

/**
 * Claims an item and sends it.
 * @throws the system's error when the disk accepts nothing more: then nothing was sent
 */
async function claimAndSend(i: number, parts: RunOptions): Promise<Settled> {
  const { record, run, sender, ending } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  const waits = await tryToWrite(record.write({ t: 'sending', i, by: run }));
  if (waits !== undefined) return waits;
  // An earlier claim by another process, or a stop, would be known by now.
  if (!record.isOf(i, run)) return record.phaseOf(i) === 'ended' ? 'ended' : 'lost';
  if (record.flags().isStopped || ending.aborted) {
    await tryToWrite(record.write({ t: 'later', i, by: run }));
    return { kind: 'later', why: 'It was ended between two items.', endsRun: true };
  }
  if (isPaused(parts)) {
    await tryToWrite(record.write({ t: 'later', i, by: run }));
    return { kind: 'later', why: PAUSED, endsRun: true };
  }
  let sent: SendOutcome;
  try {
    sent = await sender.send(item, await sendParts(i, parts));
  } catch {
    if (!record.isOf(i, run)) return 'lost';
    if (parts.signal.aborted) return { kind: 'left', why: NOT_READ };
    const checked = await checkClaimed(i, parts);
    // The item may have been sent, so it is checked once more, and no other is sent instead.
    return isOfKind(checked, 'waits') ? { kind: 'left', why: NOT_READ } : checked;
  }
  return settle(i, sent, parts);
}

/** Checks an item without an outcome. @throws as `claimAndSend` */
async function checkClaimed(i: number, parts: RunOptions): Promise<Settled> {
  const { record, run, sender } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  if (!record.isOf(i, run)) {
    const waits = await tryToWrite(record.write({ t: 'looking', i, by: run }));
    if (waits !== undefined) return waits;
  }
  if (!record.isOf(i, run)) return record.phaseOf(i) === 'ended' ? 'ended' : 'lost';
  let found: Awaited<ReturnType<Sender['look']>>;
  try {
    const known = await sendParts(i, parts);
    found = await sender.look(item, known.steps, known);
  } catch (error) {
    return error instanceof BatchWaitsError
      ? { kind: 'waits', why: error.message }
      : { kind: 'left', why: NOT_READ };
  }
  // A batch in doubt leaves open whether the item was sent.
  if (typeof found === 'object' && found.kind === 'later' && record.isUnsure(i)) found = 'unknown';
  if (found === 'unknown') return settle(i, { kind: 'unknown', why: NOT_KNOWN }, parts);
  if (found === 'not_applied') {
    const mayLeave = record.mayStillLeave(i);
    return settle(
      i,
      mayLeave ? { kind: 'unknown', why: NOT_SEEN } : { kind: 'failed', why: NOT_APPLIED },
      parts,
    );
  }
  return settle(i, found, parts);
}

async function settle(i: number, sent: SendOutcome, { record, run }: RunOptions): Promise<Settled> {
  if (sent.kind === 'left') {
    await tryToWrite(record.leave(i, run, sent.why));
    return sent;
  }
  if (sent.kind === 'later') {
    // If this cannot be written for now, the item stays this run's.
    await tryToWrite(record.write({ t: 'later', i, by: run }));
    return sent;
  }
  // The outcome stays in memory until it can be written.
  await tryToWrite(record.end(i, run, sent));
  return 'ended';
}

async function sendParts(i: number, { record, run, signal, ending, clock }: RunOptions): Promise<SendParts> {
  return {
    signal,
    ending,
    steps: await record.stepsOf(i),
    mayHaveLeft: record.isUnsure(i),
    async note(step) {
      let isTaken: boolean;
      try {
        isTaken = await record.step(i, run, step);
      } catch (cause) {
        if (cause instanceof BatchWaitsError) throw cause;
        throw new BatchEndedError('How far it is could not be written to the disk.', '', { cause });
      }
      if (!isTaken) throw new BatchEndedError('Another process has it now.');
      if (record.isItemWithdrawn(i)) throw new InputError(WITHDRAWN_REASON);
      const until = record.pausedUntil(clock.wallClock());
      if (until !== undefined) throw new BatchWaitsError(formatPause(until));
    },
  };
}

// The pauses decide how long a run waits if nothing can be sent for now, and when it gives up.

/** The first delay if the service names none; it doubles until an item is accepted or refused again. */
const MIN_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;

/**
 * A run without any outcome for this long ends, and so does one that could not begin; the same call resumes
 * it.
 */
export const GIVE_UP_MS = 15 * 60_000;

function createPauses(clock: Clock, ending: AbortSignal) {
  let backoffMs = MIN_DELAY_MS;
  let until = 0;
  let lastEnd = clock.now();
  let why: string | undefined;
  return {
    /** Begins a pause. @returns false if further waiting is not worthwhile */
    begin(later: DelayedItem): boolean {
      const now = clock.now();
      until = Math.max(until, now + Math.min(later.afterMs ?? backoffMs, GIVE_UP_MS));
      backoffMs = Math.min(2 * backoffMs, MAX_DELAY_MS);
      why = later.why;
      return now - lastEnd < GIVE_UP_MS;
    },
    /** Resets the pauses, because an item has ended. */
    reset(): void {
      backoffMs = MIN_DELAY_MS;
      lastEnd = clock.now();
      why = undefined;
    },
    /** Waits until something may be sent, or the run ends. */
    async wait(): Promise<void> {
      while (!ending.aborted && clock.now() < until)
        await sleep(clock, until - clock.now(), ending).catch(() => undefined);
    },
    /** Returns the reason for waiting; undefined if it does not wait. */
    why: () => why,
  };
}

// Items are sent in the order of the batch. Each is checked shortly before, so that only items in the shown
// state are sent.

/** The number of items that are checked together, because the service answers them in one call. */
const CHECKED_AT_ONCE = 20;
/** The next items are checked while so many are still to be sent, so that sending does not wait. */
const NEXT_AT = 10;
/** The max age of a check; older ones are repeated. */
const FRESH_MS = 30_000;

const CHANGED = 'Somebody else changed it after it was shown. It was not sent.';
const UNREADABLE = 'What it is now could not be read before it was to be sent. It was not sent.';

/** @param waiting the indexes of the items to send */
function createToSend(waiting: number[], { items, sender, record, run, clock, signal }: RunOptions) {
  const check = sender.check?.bind(sender);
  const ready: { item: number; at: number }[] = [];
  let checking: Promise<DelayedItem | undefined> | undefined;

  const checkNext = async (ask: NonNullable<Sender['check']>): Promise<DelayedItem | undefined> => {
    const chunk = waiting.splice(0, CHECKED_AT_ONCE);
    let found: Awaited<ReturnType<typeof ask>>;
    try {
      found = await ask(
        chunk.flatMap((item) => items[item] ?? []),
        signal,
      );
    } catch (error) {
      waiting.unshift(...chunk);
      return { kind: 'later', why: readFailure(error) };
    }
    // This clock continues while the computer sleeps.
    const at = clock.wallClock();
    for (const item of chunk) {
      const outcome = toOutcome(found.get(items[item]?.key ?? ''));
      if (outcome === undefined) ready.push({ item, at });
      // The outcome stays in memory until it can be written.
      else await tryToWrite(record.end(item, run, outcome));
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
    /** Puts an item back, to be sent first. */
    putBack: (item: number) => void waiting.unshift(item),
    /**
     * Returns the next item; undefined when none is left, or `later` if the next ones could not be checked.
     * @throws the system's error when the disk accepts nothing more
     */
    async next(): Promise<number | DelayedItem | undefined> {
      if (check === undefined) return waiting.shift();
      for (;;) {
        const item = takeReady();
        if (ready.length <= NEXT_AT && waiting.length > 0) {
          checking ??= checkNext(check).finally(() => {
            checking = undefined;
          });
          // The caller that needs the check gets its error.
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

function readFailure(error: unknown): string {
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
