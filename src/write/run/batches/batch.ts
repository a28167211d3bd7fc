/**
 * What a batch is to those who use it: a list of writes once it was agreed to, as it lies in the store and is sent; what
 * sends an item of it, and how far it is. Before the yes it is a list alone; its id is told as `batch_id`.
 */

import { AppError } from '../../../base/errors.ts';
import type { End } from '../../model/outcome.ts';

/** How long it is kept since it was last written to. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * A batch whose undo is asked for is paused for this long at most: longer than the question is valid, so that
 * nothing is sent between what it shows and the answer. A batch that nobody resumes continues by itself then.
 */
export const MAX_PAUSE_MS = 12 * 60_000;

/** One write of the list. */
export interface BatchItem {
  /** SKU, store, or number of the call: unique in the list. */
  key: string;
  /** What sending and looking need, as JSON; opaque here. */
  value: unknown;
}

export const READ_BACK_KINDS = ['same', 'differs', 'failed'] as const;

/** The service has what was sent; it has something else; it could not be read. */
export type ReadBackKind = (typeof READ_BACK_KINDS)[number];

/** What may not be written down, in the process that began it alone. */
export interface KeptInMemory {
  items: readonly BatchItem[];
  /** Keys of what the person took out of it before they said yes: it is told, and never sent. */
  takenOut?: readonly string[] | undefined;
}

/** How one item ended. */
export interface ItemOutcome {
  kind: End;
  /** In words, as they may be shown. */
  why?: string | undefined;
  journalId?: string | undefined;
  /** What reading it again said, where it was read; of what `accepted` it is. */
  readBack?: ReadBackKind | undefined;
  /** More of it, as JSON; opaque here. */
  facts?: unknown;
}

/** Certainly not applied (429, nothing was sent, no token): it stays to be sent. */
export interface Later {
  kind: 'later';
  why: string;
  /** How long to wait before anything is sent again, in milliseconds. */
  afterMs?: number | undefined;
  /** True where nothing else can be sent either: the run ends, and the same call goes on another time. */
  endsRun?: boolean | undefined;
}

/** Sent, and its outcome takes longer than this run has: it is looked at when the batch goes on, and never sent again. */
export interface Left {
  kind: 'left';
  why: string;
}

export type Sent = ItemOutcome | Later | Left;

/** The item is another process's now, or how far it is cannot be written down. */
export class BatchEndedError extends AppError {
  override readonly name = 'BatchEndedError';
}

/** Nothing of it can be written down for now, and nothing is sent unless it is: it goes on once it can. */
export class BatchWaitsError extends AppError {
  override readonly name = 'BatchWaitsError';
}

export interface SendParts {
  /** What was noted last for this item, by whichever process. */
  steps: unknown;
  /** True where what was noted may be lost: then it may have left whatever `steps` says. */
  mayHaveLeft?: boolean | undefined;
  /**
   * Resolves when it is on the disk.
   * @throws BatchEndedError when it cannot be written, or another process has the item now; BatchWaitsError when it
   * cannot be written for now: nothing more may be sent
   */
  note(step: unknown): Promise<void>;
  /** Aborts when time is up for an item that is under way, some seconds after `ending`: what was sent without an answer is looked at another time. */
  signal: AbortSignal;
  /** Aborts as soon as the batch is to end: the item is brought to its end, or `left` where that takes minutes. */
  ending: AbortSignal;
}

/** Sends what the list holds; whatever it throws counts as sent without an answer. */
export interface Sender {
  send(item: BatchItem, parts: SendParts): Promise<Sent>;
  /**
   * Called with up to 20 that are sent next; what is no longer as it was shown is not sent. An item that is missing in
   * the answer counts as unreadable. @throws whatever stands for "not now": it is asked again later
   */
  check?(
    items: readonly BatchItem[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, 'as_shown' | 'changed' | 'unreadable' | ItemOutcome>>;
  /** For an item that was sent without an outcome; `later` only where it was certainly never sent. */
  look(item: BatchItem, steps: unknown, parts: SendParts): Promise<Sent | 'not_applied' | 'unknown'>;
  /** Items that are under way at the same time. */
  atOnce: number;
}

export interface BatchProgress {
  /** Items with an outcome. */
  done: number;
  total: number;
  /** What it waits for, where it does. */
  why?: string | undefined;
}

export interface BatchWait {
  /** Milliseconds of the clock (`performance.now()`). */
  until: number;
  /** Ends the waiting, never the run. */
  signal: AbortSignal;
  onProgress(progress: BatchProgress): void;
}
