/** The run of a batch: what hangs is looked at, then the rest is sent, a few at a time, until it is done or told to end. */

import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../../base/clock.ts';
import { AppError, InputError } from '../../../base/errors.ts';
import {
  BatchEndedError,
  type BatchItem,
  BatchWaitsError,
  type ItemOutcome,
  type Later,
  type Left,
  type Sender,
  type SendParts,
  type Sent,
} from './batch.ts';
import { type BatchRecord, pausedWords, TAKEN_BACK } from './record.ts';
import { notGoingOn } from './store-failures.ts';

/** How often the store is asked for the word to stop, and the lease for another process. */
const LOOK_MS = 500;

/** What is under way when the run is to end gets this long: it may still wait for its place under the limit. */
const LAST_ITEMS_MS = 5_000;

/** How soon what could not be written for now is tried again. */
const WRITE_AGAIN_MS = 1_000;

/** The reason where it may go on as soon as that one has ended. */
export const ELSEWHERE = 'Another process works on it.';

/** A batch that stops for this reason continues by itself once its pause is over. */
export const PAUSED = 'It is paused.';

interface RunOptions {
  record: BatchRecord;
  items: readonly BatchItem[];
  sender: Sender;
  /** No other run has the same mark, and its changes carry it. */
  run: string;
  clock: Clock;
  /** Nothing more is begun once it aborts. */
  ending: AbortSignal;
  /** What is under way is given up once it aborts. */
  signal: AbortSignal;
  /** False when its time is over: then only what hangs is looked at. */
  maySend(): boolean;
  /** False once another process works on it. */
  isOurs(): Promise<boolean>;
  /** Called whenever something has changed. @param why what it waits for, where it does */
  tell(why: string | undefined): void;
}

/** Never rejects. Resolves to the reason where it ended before its time. */
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
  /** Of what was sent and could not be told yet. */
  let whyLeft: string | undefined;

  const end = (reason: string | undefined) => {
    why ??= reason;
    halt.abort();
  };
  const take = (settled: Settled) => {
    if (settled === 'ended') pauses.wentOn();
    else if (settled === 'lost') end(ELSEWHERE);
    else if (settled.kind === 'waits') {
      if (!pauses.begin({ kind: 'later', why: settled.why, afterMs: WRITE_AGAIN_MS })) end(settled.why);
    } else if (settled.kind === 'left') whyLeft = settled.why;
    else if (settled.endsRun === true || !pauses.begin(settled)) end(settled.why);
    options.tell(pauses.why());
  };
  /** One that fails ends the others between two items. */
  const inParallel = (next: () => Promise<boolean>) => {
    const work = async () => {
      while (await next());
    };
    const workers = Array.from({ length: Math.max(1, sender.atOnce) }, work);
    return Promise.all(workers.map((worker) => worker.catch((error: unknown) => end(notGoingOn(error)))));
  };
  const lookAtAll = () => {
    const hanging = numbersIn(record, 'sending');
    return inParallel(async () => {
      const item = ending.aborted ? undefined : hanging.shift();
      if (item === undefined) return false;
      const settled = await lookAtClaimed(item, parts);
      take(settled);
      if (!isOfKind(settled, 'waits')) return true;
      hanging.unshift(item);
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

  /** Outcomes that could not be written when they came. */
  const writeRest = async () => {
    for (;;) {
      const waits = await triedToWrite(record.writeRest());
      if (waits === undefined || ending.aborted) return;
      take(waits);
      await pauses.wait();
    }
  };

  const unwatch = watch(options, end);
  await lookAtAll();
  await sendAll();
  // What could not be read at first.
  await lookAtAll();
  await writeRest().catch((error: unknown) => end(notGoingOn(error)));
  await unwatch();
  // As long as the session's end is listened for, the list stays in memory.
  ending.removeEventListener('abort', giveTime);
  stopTimer();
  return why ?? (numbersIn(record, 'sending').length > 0 ? whyLeft : undefined);
}

const isPaused = ({ record, clock }: Pick<RunOptions, 'record' | 'clock'>) =>
  record.pausedUntil(clock.wallClock()) !== undefined;

function isOfKind(settled: Settled, kind: 'later' | 'waits'): boolean {
  return typeof settled === 'object' && settled.kind === kind;
}

/** Undefined once it is written. @throws as the record does where it is not to be written later either */
async function triedToWrite(work: Promise<unknown>): Promise<Waits | undefined> {
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

/** What others say: to stop, or that they work on it now. */
function watch(
  { record, clock, isOurs }: RunOptions,
  end: (why: string | undefined) => void,
): () => Promise<void> {
  const watching = new AbortController();
  /** One that was stopped before is only looked at. */
  const wasStopped = record.flags().isStopped;
  const look = async () => {
    while (!watching.signal.aborted) {
      await record.refresh().catch(() => undefined);
      if (record.flags().isStopped && !wasStopped) end(undefined);
      if (isPaused({ record, clock })) end(PAUSED);
      if (!(await isOurs())) end(ELSEWHERE);
      await sleep(clock, LOOK_MS, watching.signal).catch(() => undefined);
    }
  };
  const looking = look();
  return () => {
    watching.abort();
    return looking;
  };
}

// One item, sent at most once: claimed on the disk first, and where its outcome is missing looked at, never sent again.

/** `ended`: it has an outcome, whoever wrote it; `lost`: it is another run's. */
type Settled = 'ended' | 'lost' | Later | Left | Waits;

/** Nothing was sent, since it could not be written down first. */
interface Waits {
  kind: 'waits';
  why: string;
}

/** The words where the service cannot tell whether it was applied. */
const NOT_TOLD =
  'It was sent without an answer, and what can be read does not tell whether it was applied. It was not sent again.';
const NOT_APPLIED =
  'It was cut off while it was sent; what can be read shows that it was not applied. It was not sent again.';
const NOT_SEEN =
  'Another process was about to send it, and has not told what came of it. What can be read shows that it was not applied so far; that process may still send it. It was not sent again.';
const NOT_READ = 'An item was sent without an answer, and could not be read yet.';

/** @throws the system's error when the disk takes nothing more: then nothing was sent */
async function claimAndSend(i: number, parts: RunOptions): Promise<Settled> {
  const { record, run, sender, ending } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  const waits = await triedToWrite(record.write({ t: 'sending', i, by: run }));
  if (waits !== undefined) return waits;
  // Had another process claimed it before, or said to stop, that would be known by now.
  if (!record.isOf(i, run)) return record.phaseOf(i) === 'ended' ? 'ended' : 'lost';
  if (record.flags().isStopped || ending.aborted) {
    await triedToWrite(record.write({ t: 'later', i, by: run }));
    return { kind: 'later', why: 'It was ended between two items.', endsRun: true };
  }
  if (isPaused(parts)) {
    await triedToWrite(record.write({ t: 'later', i, by: run }));
    return { kind: 'later', why: PAUSED, endsRun: true };
  }
  let sent: Sent;
  try {
    sent = await sender.send(item, await sendParts(i, parts));
  } catch {
    if (!record.isOf(i, run)) return 'lost';
    if (parts.signal.aborted) return { kind: 'left', why: NOT_READ };
    const looked = await lookAtClaimed(i, parts);
    // It may have been sent: it is looked at once more, and no other one is sent in its place.
    return isOfKind(looked, 'waits') ? { kind: 'left', why: NOT_READ } : looked;
  }
  return settle(i, sent, parts);
}

/** @throws as `claimAndSend` */
async function lookAtClaimed(i: number, parts: RunOptions): Promise<Settled> {
  const { record, run, sender } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  if (!record.isOf(i, run)) {
    const waits = await triedToWrite(record.write({ t: 'looking', i, by: run }));
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
  // Nobody knows that it was never sent.
  if (typeof found === 'object' && found.kind === 'later' && record.isUnsure(i)) found = 'unknown';
  if (found === 'unknown') return settle(i, { kind: 'unknown', why: NOT_TOLD }, parts);
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

async function settle(i: number, sent: Sent, { record, run }: RunOptions): Promise<Settled> {
  if (sent.kind === 'left') {
    await triedToWrite(record.leave(i, run, sent.why));
    return sent;
  }
  if (sent.kind === 'later') {
    // Where it cannot be written for now, it is this run's all the same.
    await triedToWrite(record.write({ t: 'later', i, by: run }));
    return sent;
  }
  // Kept until it can be written.
  await triedToWrite(record.end(i, run, sent));
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
      if (record.isItemWithdrawn(i)) throw new InputError(TAKEN_BACK);
      const until = record.pausedUntil(clock.wallClock());
      if (until !== undefined) throw new BatchWaitsError(pausedWords(until));
    },
  };
}

// How long a run waits where nothing can be sent for now, and when it gives up.

/** Where nobody says how long; doubled each time until something is accepted or refused again. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

/** A run in which nothing has ended for this long ends, and so does one that could not even begin; the same call goes on. */
export const GIVE_UP_MS = 15 * 60_000;

function createPauses(clock: Clock, ending: AbortSignal) {
  let backoffMs = FIRST_MS;
  let until = 0;
  let lastEnd = clock.now();
  let why: string | undefined;
  return {
    /** False where it is not worth waiting any more. */
    begin(later: Later): boolean {
      const now = clock.now();
      until = Math.max(until, now + Math.min(later.afterMs ?? backoffMs, GIVE_UP_MS));
      backoffMs = Math.min(2 * backoffMs, LONGEST_MS);
      why = later.why;
      return now - lastEnd < GIVE_UP_MS;
    },
    /** An item has ended. */
    wentOn(): void {
      backoffMs = FIRST_MS;
      lastEnd = clock.now();
      why = undefined;
    },
    /** Until something may be sent, or the run ends. */
    async wait(): Promise<void> {
      while (!ending.aborted && clock.now() < until)
        await sleep(clock, until - clock.now(), ending).catch(() => undefined);
    },
    /** What is waited for; undefined where nothing is. */
    why: () => why,
  };
}

// What is sent next: in the order of the list, looked at shortly before, so that nothing is sent that is not as it was shown.

/** Looked at together, as the service answers them in one. */
const CHECKED_AT_ONCE = 20;
/** The next ones are looked at while so many are still to be sent, so that nobody waits for it. */
const NEXT_AT = 10;
/** What was looked at longer ago is looked at again. */
const FRESH_MS = 30_000;

const CHANGED = 'Somebody else changed it after it was shown. It was not sent.';
const UNREADABLE = 'What it is now could not be read before it was to be sent. It was not sent.';

/** @param waiting numbers of what is to be sent */
function createToSend(waiting: number[], { items, sender, record, run, clock, signal }: RunOptions) {
  const check = sender.check?.bind(sender);
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
      // Kept until it can be written.
      else await triedToWrite(record.end(item, run, outcome));
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
    /** Is sent first again. */
    putBack: (item: number) => void waiting.unshift(item),
    /** Undefined when nothing is left; `later` where the next ones could not be looked at. @throws the system's error when the disk takes nothing more */
    async next(): Promise<number | Later | undefined> {
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
