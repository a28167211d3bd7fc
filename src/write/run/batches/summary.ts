/**
 * Summarizes the progress of a batch from its record: the state, the counts, and the outcome of each item.
 */

import { ENDS, NO_COUNTS, type OutcomeCounts } from '../../model/outcome.ts';
import type { BatchItem, InMemoryItems, ItemOutcome } from './batch.ts';
import { type BatchRecord, formatPause, WITHDRAWN_REASON } from './record.ts';

/** The time for which a batch may continue after it was confirmed. */
export const BATCH_LIFETIME_MS = 24 * 3_600_000;

const NOT_SENT_IN_TIME = `It was not sent within ${BATCH_LIFETIME_MS / 3_600_000} hours.`;
const NOT_SENT_BEFORE_STOP = 'The batch was stopped before it was sent.';
const NO_OUTCOME = 'It was cut off while it was sent, and whether it was applied is not known.';
const LOST =
  'Its values cannot be read any more: they are damaged, were kept in the memory of a process that has ended, or cannot be decrypted. It cannot go on; the history has what was sent.';

/** The facts that only this process knows. */
interface LocalState {
  /** How this process works on it. */
  running: 'under_way' | 'elsewhere' | undefined;
  /** True if another process works on it. */
  isHeld: boolean;
  /** True if its items can be read. */
  isReadable: boolean;
  why: string | undefined;
  isTold: boolean;
  /** The milliseconds since the epoch. */
  now: number;
}

/**
 * `elsewhere`: another process works on it. `unfinished`: no process does, and the same call resumes it.
 * `ended`: every item has an outcome. `stopped` and `expired`: items that were not sent by then never are.
 */
export type BatchState = 'under_way' | 'elsewhere' | 'unfinished' | 'ended' | 'stopped' | 'expired';

/** A batch without its items. */
export type BatchSummary = ReturnType<typeof summarize>;

export interface BatchInfo extends BatchSummary, Pick<InMemoryItems, 'takenOut'> {
  /** The items in their order; empty if they can no longer be read (their key is gone). */
  items: readonly BatchInfoItem[];
}

export interface BatchInfoItem extends BatchItem {
  /** The outcome, absent while the item is still to be sent. */
  outcome?: ItemOutcome | undefined;
}

export function summarize(record: BatchRecord, here: LocalState) {
  const { head } = record;
  const { isWithdrawn, whyHalted } = record.flags();
  const { v: _version, check: _check, kept: _kept, takenOut: _out, ...known } = head;
  const isLost = !here.isReadable && !here.isHeld && here.running === undefined;
  const state = stateOf(record, here, isLost);
  const pausedUntil = isOver(state) ? undefined : record.pausedUntil(here.now);
  const whyPaused = pausedUntil === undefined ? undefined : formatPause(pausedUntil);
  return {
    ...known,
    /** The time when the shown state was read. */
    shownAt: head.shownAt ?? head.createdAt,
    /** The time when it expires. */
    until: head.createdAt + BATCH_LIFETIME_MS,
    state,
    /** True once its outcome was reported. */
    told: here.isTold,
    /** The reason why the last run of this process ended early, or waits. */
    why: isLost && state === 'stopped' ? LOST : (whyPaused ?? here.why ?? whyHalted),
    /** The whole batch was withdrawn, which ended it; the same call begins another one. */
    isWithdrawn,
    counts: isOver(state) ? finalCounts(record) : countsOf(record),
    /** The number of sent items without an outcome: a run checks them, even if nothing more is sent. */
    inDoubt: countInFlight(record),
  };
}

/** Returns true if nothing more is ever sent. */
export function isOver(state: BatchState): boolean {
  return state === 'ended' || state === 'stopped' || state === 'expired';
}

function stateOf(record: BatchRecord, here: LocalState, isLost: boolean): BatchState {
  const { head } = record;
  if (countsOf(record).pending === 0) return 'ended';
  if (here.running !== undefined) return here.running;
  if (here.isHeld) return 'elsewhere';
  if (record.flags().isStopped || isLost) return 'stopped';
  return isExpired(head.createdAt, here.now) ? 'expired' : 'unfinished';
}

/**
 * Returns true for an expired batch. If the clock was set back by more than that, its age is unknown, and it
 * counts as expired.
 */
export function isExpired(createdAt: number, now: number): boolean {
  return Math.abs(now - createdAt) >= BATCH_LIFETIME_MS;
}

/** Counts the outcomes; `pending` items have none. */
export function countsOf({ head, count }: Pick<BatchRecord, 'head' | 'count'>): OutcomeCounts {
  const counts = { ...NO_COUNTS, pending: head.total };
  for (const kind of ENDS) {
    counts[kind] = count(kind);
    counts.pending -= counts[kind];
  }
  return counts;
}

function finalCounts(record: BatchRecord): OutcomeCounts {
  const counts = countsOf(record);
  if (counts.pending === 0) return counts;
  const inFlight = countInFlight(record);
  return {
    ...counts,
    unknown: counts.unknown + inFlight,
    not_sent: counts.not_sent + counts.pending - inFlight,
    pending: 0,
  };
}

function countInFlight({ head, phaseOf }: BatchRecord): number {
  let inFlight = 0;
  for (let item = 0; item < head.total; item++) if (phaseOf(item) === 'sending') inFlight += 1;
  return inFlight;
}

/** Adds the items to the summary; none if they cannot be read. */
export async function addItemOutcomes(record: BatchRecord, summary: BatchSummary): Promise<BatchInfo> {
  const items = (await record.items().catch(() => undefined)) ?? [];
  const infos: BatchInfoItem[] = [];
  for (const [i, { key, value }] of items.entries()) {
    const recorded = await record.outcomeOf(i);
    const outcome =
      recorded ?? (isOver(summary.state) ? await finalOutcome(record, i, summary.state) : undefined);
    infos.push({ key, value, outcome });
  }
  const takenOut = await record.takenOut().catch(() => undefined);
  return { ...summary, items: infos, ...(takenOut && { takenOut }) };
}

async function finalOutcome(record: BatchRecord, item: number, state: BatchState): Promise<ItemOutcome> {
  if (record.phaseOf(item) === 'sending') {
    const why = await record.whyLeft(item).catch(() => undefined);
    return { kind: 'unknown', why: why ?? NO_OUTCOME };
  }
  if (record.isItemWithdrawn(item)) return { kind: 'not_sent', why: WITHDRAWN_REASON };
  return { kind: 'not_sent', why: state === 'expired' ? NOT_SENT_IN_TIME : NOT_SENT_BEFORE_STOP };
}
