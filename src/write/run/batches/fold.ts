/** What the lines of a batch say of its items: their order decides, whoever wrote them. */

import type { End } from '../../model/outcome.ts';
import { MAX_PAUSE_MS } from './batch.ts';
import type { Detail, Head, Line } from './lines.ts';

interface Entry {
  phase: 'pending' | 'sending' | 'ended';
  /** The run that has it now: the one that sent it, or that looks. */
  by?: string;
  sentBy?: string;
  steps?: Detail | undefined;
  left?: Detail | undefined;
  outcome?: RecordedOutcome;
  isWithdrawn?: boolean;
}

interface RecordedOutcome {
  kind: End;
  by: string;
  journalId?: string | undefined;
  d?: Detail | undefined;
}

/** Of what was taken back before it was sent: no run has written it. */
const WITHDRAWN: RecordedOutcome = { kind: 'not_sent', by: '' };

export function createFold() {
  const entries = new Map<number, Entry>();
  let items: Detail[] = [];
  let head: Head | undefined;
  let isStopped = false;
  let isWithdrawn = false;
  let hasWithdrawn = false;
  let hasGap = false;
  let whyHalted: string | undefined;
  /** The runs that the batch was taken from. */
  const silent = new Set<string>();
  /** The end of each pause, by its mark. */
  const pauses = new Map<string, number>();

  const phaseOf = (item: number) => {
    const phase = entries.get(item)?.phase ?? 'pending';
    return phase === 'pending' && hasGap ? 'sending' : phase;
  };
  const counts = new Map<End, number>();
  const count = (kind: End) => counts.get(kind) ?? 0;
  const change = (item: number, parts: Partial<Entry>) => {
    entries.set(item, { ...(entries.get(item) ?? { phase: 'pending' }), ...parts });
  };
  const end = (item: number, outcome: RecordedOutcome) => {
    const before = entries.get(item)?.outcome?.kind;
    if (before !== undefined) counts.set(before, count(before) - 1);
    counts.set(outcome.kind, count(outcome.kind) + 1);
    change(item, { phase: 'ended', outcome });
  };
  /** What is on its way stays with the run that has it. */
  const withdraw = (item: number) => {
    if (head === undefined || item >= head.total) return;
    change(item, { isWithdrawn: true });
    if (phaseOf(item) === 'pending') end(item, WITHDRAWN);
  };
  const addToItem = (line: Extract<Line, { i: number; by: string }>) => {
    const { i, by } = line;
    const entry = entries.get(i);
    const isOurs = entry?.by === by && entry.phase === 'sending';
    if (line.t === 'sending' && phaseOf(i) === 'pending') change(i, { phase: 'sending', by, sentBy: by });
    if (line.t === 'looking' && phaseOf(i) === 'sending') change(i, { phase: 'sending', by });
    if (line.t === 'step' && isOurs) change(i, { steps: line.d });
    if (line.t === 'left' && isOurs) change(i, { left: line.d });
    if (line.t === 'later' && isOurs) {
      change(i, { phase: 'pending' });
      if (entry?.isWithdrawn === true) end(i, WITHDRAWN);
    }
    if (line.t === 'end' && mayEnd(entry, by)) {
      const { kind, journalId, d } = line;
      end(i, { kind, by, journalId, d });
    }
  };
  return {
    /** Undefined until the first line. */
    head: () => head,
    items: () => items,
    /** Once they were opened: what they lie in is as long as they are. */
    forgetItems(): void {
      items = [];
    },
    isStopped: () => isStopped,
    /**
     * Returns the end of the last pause, or undefined where the batch is not paused. @param now milliseconds
     * since the epoch
     */
    pausedUntil(now: number): number | undefined {
      // A pause that ends too late is ignored, because a clock that was set back must not make it longer. The
      // clocks of two hosts may differ, so twice the maximum counts.
      const standing = [...pauses.values()].filter((until) => until > now && until <= now + 2 * MAX_PAUSE_MS);
      return standing.length === 0 || isStopped ? undefined : Math.max(...standing);
    },
    isPausedBy: (mark: string) => pauses.has(mark),
    /** Why it was ended between two items, until it goes on. */
    whyHalted: () => whyHalted,
    /** All or some of it was taken back. */
    hasWithdrawn: () => hasWithdrawn,
    /** The whole of it was taken back: that has ended it. */
    isWithdrawn: () => isWithdrawn,
    /** It was taken back, and is never sent from here on. */
    isItemWithdrawn: (item: number) => isWithdrawn || entries.get(item)?.isWithdrawn === true,
    /** A line is missing, and nobody knows which: what has no outcome may have been sent. */
    isDamaged: () => hasGap,
    phaseOf,
    /** True for the run that may send it, or that looks. */
    isOf: (item: number, run: string) => phaseOf(item) === 'sending' && entries.get(item)?.by === run,
    /**
     * Returns true where the run that was about to send the item may only be suspended, or where nobody knows
     * which run that was.
     */
    mayStillLeave: (item: number) => hasGap || silent.has(entries.get(item)?.sentBy ?? ''),
    stepsOf: (item: number) => entries.get(item)?.steps,
    /** Why it has no outcome yet. */
    leftOf: (item: number) => entries.get(item)?.left,
    outcomeOf: (item: number) => entries.get(item)?.outcome,
    /** Items that ended so. */
    count,
    /** @param line undefined for one that is none */
    add(line: Line | undefined): void {
      if (line?.t === 'sending') whyHalted = undefined;
      if (line === undefined) hasGap = true;
      else if (line.t === 'list') head ??= line;
      else if (line.t === 'halted') whyHalted = line.why;
      else if (line.t === 'doubt') [hasGap, isStopped, whyHalted] = [true, true, line.why];
      else if (line.t === 'items') items.push(line.d);
      else if (line.t === 'silent') silent.add(line.mark);
      else if (line.t === 'paused') pauses.set(line.mark, line.until);
      else if (line.t === 'resumed') pauses.delete(line.mark);
      else if (line.t === 'stop') isStopped = true;
      else if (line.t === 'withdrawn') {
        hasWithdrawn = true;
        if (line.items !== undefined) line.items.forEach(withdraw);
        else [isWithdrawn, isStopped] = [true, true];
      } else addToItem(line);
    },
  };
}

/**
 * Whoever has it; and who sent it, also later: a process that was silent for long knows better than the one that
 * looked meanwhile.
 */
function mayEnd(entry: Entry | undefined, by: string): boolean {
  if (entry === undefined || entry.phase === 'pending') return true;
  if (entry.phase === 'sending') return by === entry.by || by === entry.sentBy;
  return by === entry.sentBy && entry.outcome?.by !== by;
}
