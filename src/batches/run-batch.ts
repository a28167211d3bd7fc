/** The run of a batch: what hangs is looked at, then the rest is sent, a few at a time, until it is done or told to end. */

import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../client/clock.ts';
import { notGoingOn } from './disk-words.ts';
import { createPauses } from './pauses.ts';
import type { BatchRecord } from './record.ts';
import { lookAtItem, type RunParts, type Settled, sendItem } from './settle-item.ts';
import { createToSend } from './to-send.ts';
import type { BatchItem, Sender } from './types.ts';

/** How often the file is looked at for the word to stop, and the lease for another process. */
const LOOK_MS = 500;

/** What is under way when the run is to end gets this long: it may still wait for its place under the limit. */
const LAST_ITEMS_MS = 5_000;

/** The reason where it may go on as soon as that one has ended. */
export const ELSEWHERE = 'Another process works on it.';

export interface RunOptions {
  record: BatchRecord;
  items: readonly BatchItem[];
  sender: Sender;
  /** Of this run alone. */
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
export async function runBatch(options: RunOptions): Promise<string | undefined> {
  const { record, sender, clock, maySend } = options;
  const halt = new AbortController();
  const ending = AbortSignal.any([options.ending, halt.signal]);
  const timeUp = new AbortController();
  const signal = AbortSignal.any([options.signal, timeUp.signal]);
  setMaxListeners(0, ending, signal);
  let stopTimer = () => {};
  ending.addEventListener('abort', () => {
    stopTimer = clock.after(LAST_ITEMS_MS, () => timeUp.abort());
  });
  const parts: RunParts = { ...options, ending, signal, now: clock.wallClock };
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
    else if (settled.kind === 'left') whyLeft = settled.why;
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
      take(await lookAtItem(item, parts));
      return true;
    });
  };
  const sendAll = () => {
    const waiting = numbersIn(record, 'pending');
    const toSend = createToSend({ ...options, signal, waiting, check: sender.check?.bind(sender) });
    return inParallel(async () => {
      await pauses.wait();
      if (ending.aborted || record.fold.isStopped() || !maySend()) return false;
      const item = await toSend.next();
      if (item === undefined) return false;
      const settled = typeof item === 'number' ? await sendItem(item, parts) : item;
      if (typeof item === 'number' && isLater(settled)) toSend.putBack(item);
      take(settled);
      return true;
    });
  };

  const unwatch = watch(options, end);
  await lookAtAll();
  await sendAll();
  // What could not be read at first.
  await lookAtAll();
  await unwatch();
  stopTimer();
  return why ?? (numbersIn(record, 'sending').length > 0 ? whyLeft : undefined);
}

function isLater(settled: Settled): boolean {
  return typeof settled === 'object' && settled.kind === 'later';
}

function numbersIn({ head, fold }: BatchRecord, phase: 'pending' | 'sending'): number[] {
  return Array.from({ length: head.total }, (_, item) => item).filter((item) => fold.phaseOf(item) === phase);
}

/** What others say: to stop, or that they work on it now. */
function watch(
  { record, clock, isOurs }: RunOptions,
  end: (why: string | undefined) => void,
): () => Promise<void> {
  const watching = new AbortController();
  /** One that was stopped before is only looked at. */
  const wasStopped = record.fold.isStopped();
  const look = async () => {
    while (!watching.signal.aborted) {
      await record.refresh().catch(() => undefined);
      if (record.fold.isStopped() && !wasStopped) end(undefined);
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
