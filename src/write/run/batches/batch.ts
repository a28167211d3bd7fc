/**
 * Declares an approved batch of writes for its users: its items, the sender of an item, and the progress.
 * Before approval it is only a list; its id appears as `batch_id`.
 */

import { AppError } from '../../../base/errors.ts';
import type { ItemEnd } from '../../model/outcome.ts';

/** The time that a batch is stored after its last change. */
export const RETENTION_MS = 30 * 24 * 3_600_000;

/**
 * The max pause of a batch whose undo is asked for. It exceeds the lifetime of the question, so that nothing
 * is sent between its preview and the answer. A batch that nobody resumes continues by itself then.
 */
export const MAX_PAUSE_MS = 12 * 60_000;

export interface BatchItem {
  /** The SKU, store, or number of the call: unique in the batch. */
  key: string;
  /** The input for sending and checking, as JSON; opaque here. */
  value: unknown;
}

export const READ_BACK_KINDS = ['same', 'differs', 'failed'] as const;

/** `same`: the service has the sent values. `differs`: it has others. `failed`: it could not be read. */
export type ReadBackKind = (typeof READ_BACK_KINDS)[number];

/** The data that may not be stored, and stays in the process that began the batch. */
export interface InMemoryItems {
  items: readonly BatchItem[];
  /** The keys of the items that the user excluded before approval: they are reported, and never sent. */
  takenOut?: readonly string[] | undefined;
}

export interface ItemOutcome {
  kind: ItemEnd;
  /** The reason as text that may be shown. */
  why?: string | undefined;
  journalId?: string | undefined;
  /** The result of the read-back, if there was one; it qualifies `accepted`. */
  readBack?: ReadBackKind | undefined;
  /** More facts, as JSON; opaque here. */
  facts?: unknown;
}

/** The item was certainly not applied (429, nothing was sent, no token), and is still to be sent. */
export interface DelayedItem {
  kind: 'later';
  why: string;
  /** The milliseconds to wait before anything is sent again. */
  afterMs?: number | undefined;
  /** True if nothing else can be sent either: the run ends, and the same call resumes it later. */
  endsRun?: boolean | undefined;
}

/**
 * The item was sent, and its outcome takes longer than this run has. It is checked when the batch resumes,
 * and never sent again.
 */
export interface UnsettledItem {
  kind: 'left';
  why: string;
}

export type SendOutcome = ItemOutcome | DelayedItem | UnsettledItem;

/** Thrown if the item is another process's now, or its progress cannot be stored. */
export class BatchEndedError extends AppError {
  override readonly name = 'BatchEndedError';
}

/**
 * Thrown if nothing can be stored for now. Nothing is sent without a record, so the batch continues once it
 * can.
 */
export class BatchWaitsError extends AppError {
  override readonly name = 'BatchWaitsError';
}

export interface SendParts {
  /** The step that was last recorded for this item, by any process. */
  steps: unknown;
  /** True if a recorded step may be lost: the item may have left, whatever `steps` says. */
  mayHaveLeft?: boolean | undefined;
  /**
   * Records a step, and resolves when it is on the disk.
   * @throws BatchEndedError when it cannot be written, or another process has the item now; BatchWaitsError
   * when it cannot be written for now: nothing more may be sent
   */
  note(step: unknown): Promise<void>;
  /**
   * Aborts some seconds after `ending`, when time is up for an item in flight. A write without an answer is
   * checked another time.
   */
  signal: AbortSignal;
  /** Aborts as soon as the batch has to end: the item finishes, or is `left` if that takes minutes. */
  ending: AbortSignal;
}

/** Sends the items; whatever it throws counts as sent without an answer. */
export interface Sender {
  send(item: BatchItem, parts: SendParts): Promise<SendOutcome>;
  /**
   * Checks up to 20 items before they are sent; items that differ from what was shown are not sent. An item
   * that is missing in the result counts as unreadable.
   * @throws anything that means "not now"; the check is repeated later
   */
  check?(
    items: readonly BatchItem[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, 'as_shown' | 'changed' | 'unreadable' | ItemOutcome>>;
  /**
   * Checks an item that was sent without an outcome; it returns `later` only if the item was certainly never
   * sent.
   */
  look(item: BatchItem, steps: unknown, parts: SendParts): Promise<SendOutcome | 'not_applied' | 'unknown'>;
  /** The number of items in flight at the same time. */
  atOnce: number;
}

export interface BatchProgress {
  /** The number of items with an outcome. */
  done: number;
  total: number;
  /** The reason for waiting, if it waits. */
  why?: string | undefined;
}

export interface BatchWait {
  /** The milliseconds of the clock (`performance.now()`). */
  until: number;
  /** Ends the wait, never the run. */
  signal: AbortSignal;
  onProgress(progress: BatchProgress): void;
}
