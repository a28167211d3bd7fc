/** How far a batch is, from its record: the state, the counts, and what became of each item. */

import { type Counts, ENDS, NO_COUNTS } from '../../model/outcome.ts';
import type { BatchItem, ItemOutcome, KeptInMemory } from './batch.ts';
import { type BatchRecord, pausedWords, TAKEN_BACK } from './record.ts';

/** A batch goes on for so long after it was confirmed. */
export const GOES_ON_MS = 24 * 3_600_000;

const NOT_SENT_IN_TIME = `It was not sent within ${GOES_ON_MS / 3_600_000} hours.`;
const NOT_SENT_BEFORE_STOP = 'The batch was stopped before it was sent.';
const NEVER_TOLD = 'It was cut off while it was sent, and whether it was applied is not known.';
const LOST =
  'Its values cannot be read any more: they are damaged, were kept in the memory of a process that has ended, or cannot be decrypted. It cannot go on; the history has what was sent.';

/** What only the process knows that asks. */
interface Here {
  /** How it is worked on in this process. */
  running: 'under_way' | 'elsewhere' | undefined;
  /** True where another process works on it. */
  isHeld: boolean;
  /** True where its items can be had. */
  isReadable: boolean;
  why: string | undefined;
  isTold: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * `elsewhere`: another process works on it. `unfinished`: nobody does, and the same call goes on. `ended`: every item
 * has an outcome. `stopped` and `expired`: what had not been sent by then never is.
 */
export type BatchState = 'under_way' | 'elsewhere' | 'unfinished' | 'ended' | 'stopped' | 'expired';

/** A batch without its items. */
export type BatchSummary = ReturnType<typeof summarize>;

export interface BatchInfo extends BatchSummary, Pick<KeptInMemory, 'takenOut'> {
  /** In the order of the list; empty where the list cannot be read any more (its key is gone). */
  items: readonly BatchInfoItem[];
}

export interface BatchInfoItem extends BatchItem {
  /** Absent while it is still to be sent. */
  outcome?: ItemOutcome | undefined;
}

export function summarize(record: BatchRecord, here: Here) {
  const { head } = record;
  const { isWithdrawn, whyHalted } = record.flags();
  const { v: _version, check: _check, kept: _kept, takenOut: _out, ...known } = head;
  const isLost = !here.isReadable && !here.isHeld && here.running === undefined;
  const state = stateOf(record, here, isLost);
  const pausedUntil = isOver(state) ? undefined : record.pausedUntil(here.now);
  const whyPaused = pausedUntil === undefined ? undefined : pausedWords(pausedUntil);
  return {
    ...known,
    /** When what was shown of it was read. */
    shownAt: head.shownAt ?? head.createdAt,
    /** When it expires. */
    until: head.createdAt + GOES_ON_MS,
    state,
    /** True once somebody was told how it ended. */
    told: here.isTold,
    /** Why the last run of this process ended before its time, or waits. */
    why: isLost && state === 'stopped' ? LOST : (whyPaused ?? here.why ?? whyHalted),
    /** The whole of it was taken back: that has ended it, and the same call is another list. */
    isWithdrawn,
    counts: isOver(state) ? finalCounts(record) : countsOf(record),
    /** Items that were sent and have no outcome yet: running it looks at them, also where nothing more is sent. */
    inDoubt: hangingOf(record),
  };
}

/** True where nothing more is ever sent. */
export function isOver(state: BatchState): boolean {
  return state === 'ended' || state === 'stopped' || state === 'expired';
}

function stateOf(record: BatchRecord, here: Here, isLost: boolean): BatchState {
  const { head } = record;
  if (countsOf(record).pending === 0) return 'ended';
  if (here.running !== undefined) return here.running;
  if (here.isHeld) return 'elsewhere';
  if (record.flags().isStopped || isLost) return 'stopped';
  return isExpired(head.createdAt, here.now) ? 'expired' : 'unfinished';
}

/** Also where the clock was set back by more than that: nobody knows how old it is. */
export function isExpired(createdAt: number, now: number): boolean {
  return Math.abs(now - createdAt) >= GOES_ON_MS;
}

/** `pending`: without an outcome. */
export function countsOf({ head, count }: Pick<BatchRecord, 'head' | 'count'>): Counts {
  const counts = { ...NO_COUNTS, pending: head.total };
  for (const kind of ENDS) {
    counts[kind] = count(kind);
    counts.pending -= counts[kind];
  }
  return counts;
}

function finalCounts(record: BatchRecord): Counts {
  const counts = countsOf(record);
  if (counts.pending === 0) return counts;
  const hanging = hangingOf(record);
  return {
    ...counts,
    unknown: counts.unknown + hanging,
    not_sent: counts.not_sent + counts.pending - hanging,
    pending: 0,
  };
}

function hangingOf({ head, phaseOf }: BatchRecord): number {
  let hanging = 0;
  for (let item = 0; item < head.total; item++) if (phaseOf(item) === 'sending') hanging += 1;
  return hanging;
}

/** With each item; without them where they cannot be read. */
export async function inform(record: BatchRecord, summary: BatchSummary): Promise<BatchInfo> {
  const items = (await record.items().catch(() => undefined)) ?? [];
  const told: BatchInfoItem[] = [];
  for (const [i, { key, value }] of items.entries()) {
    const recorded = await record.outcomeOf(i);
    const outcome =
      recorded ?? (isOver(summary.state) ? await finalOutcome(record, i, summary.state) : undefined);
    told.push({ key, value, outcome });
  }
  const takenOut = await record.takenOut().catch(() => undefined);
  return { ...summary, items: told, ...(takenOut && { takenOut }) };
}

async function finalOutcome(record: BatchRecord, item: number, state: BatchState): Promise<ItemOutcome> {
  if (record.phaseOf(item) === 'sending') {
    const why = await record.whyLeft(item).catch(() => undefined);
    return { kind: 'unknown', why: why ?? NEVER_TOLD };
  }
  if (record.isItemWithdrawn(item)) return { kind: 'not_sent', why: TAKEN_BACK };
  return { kind: 'not_sent', why: state === 'expired' ? NOT_SENT_IN_TIME : NOT_SENT_BEFORE_STOP };
}
