/**
 * Defines the state of a batch and of each item, and applies changes to it. The order of the changes decides,
 * whichever process requests them.
 */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { ENDS } from '../../model/outcome.ts';
import { MAX_PAUSE_MS } from './batch.ts';
import { detailSchema } from './batch-content.ts';

const i = z.int().nonnegative();
/** The mark of the requesting run, which is that of its lease. */
const by = z.string();
const d = detailSchema.optional();

/** Earlier versions stored each change as a line; see old-batch-lines.ts. */
export const changeSchema = z.discriminatedUnion('t', [
  /** The item is about to be sent. */
  z.object({ t: z.literal('sending'), i, by }),
  /** Another run checks the outcome of the item. */
  z.object({ t: z.literal('looking'), i, by }),
  /** The item has reached a further step. */
  z.object({ t: z.literal('step'), i, by, d }),
  /** The item was certainly not applied, and is still to be sent. */
  z.object({ t: z.literal('later'), i, by }),
  /** The item was sent, and its outcome takes longer than its run had: `d` is the reason. */
  z.object({ t: z.literal('left'), i, by, d }),
  /** The outcome; `d` has its `why`, `readBack` and `facts`. */
  z.object({ t: z.literal('end'), i, by, kind: z.enum(ENDS), journalId: z.string().optional(), d }),
  z.object({ t: z.literal('stop') }),
  /**
   * The batch stopped between two items for an external reason, such as a user who may no longer use the
   * account.
   */
  z.object({ t: z.literal('halted'), why: z.string() }),
  /** The store may have lost data: items without an outcome may have been sent, and nothing more is sent. */
  z.object({ t: z.literal('doubt'), why: z.string() }),
  /** These items, or the whole batch, were withdrawn and are never sent from now on. */
  z.object({ t: z.literal('withdrawn'), items: z.array(i).optional() }),
  /**
   * The batch was taken from a silent run that may only be suspended: the item that it was about to send may
   * still leave.
   */
  z.object({ t: z.literal('silent'), mark: z.string() }),
  /**
   * The batch sends nothing before `until`, in milliseconds since the epoch, unless the same mark resumes it.
   */
  z.object({ t: z.literal('paused'), mark: z.string(), until: z.number() }),
  z.object({ t: z.literal('resumed'), mark: z.string() }),
]);

export type BatchChange = z.output<typeof changeSchema>;
export type ItemChange = Extract<BatchChange, { i: number }>;

/** The flags of the whole batch. */
const flagsSchema = z.object({
  isStopped: z.boolean().default(false),
  /** The whole batch was withdrawn, which has ended it. */
  isWithdrawn: z.boolean().default(false),
  /** All or some of the batch was withdrawn. */
  hasWithdrawn: z.boolean().default(false),
  /** The store may have lost data: items without an outcome may have been sent. */
  isInDoubt: z.boolean().default(false),
  /** The reason for the stop between two items, until the batch resumes. */
  whyHalted: z.string().optional(),
  /** The runs that the batch was taken from. */
  silent: z.array(z.string()).default([]),
  /** The end of each pause, by its mark. */
  pauses: z.record(z.string(), z.number()).default({}),
});

export type BatchFlags = z.output<typeof flagsSchema>;

/** `by` is empty if the item was withdrawn before it was sent, because no run has ended it. */
const outcomeSchema = z.object({ kind: z.enum(ENDS), by, journalId: z.string().optional(), d });

const itemSchema = z.object({
  /** The run that claims the item, to send it or to check it; empty if none does. */
  owner: by,
  /** The run that sent it. */
  sender: by,
  step: d,
  /** The reason why it has no outcome yet. */
  reason: d,
  isWithdrawn: z.boolean(),
  outcome: outcomeSchema.optional(),
});

export type ItemState = z.output<typeof itemSchema>;

export const NO_FLAGS: BatchFlags = flagsSchema.parse({});
export const NEW_ITEM_STATE: ItemState = { owner: '', sender: '', isWithdrawn: false };
const WITHDRAWN: ItemState['outcome'] = { kind: 'not_sent', by: '' };

/** Flags that cannot be read leave open what was sent, so the batch is in doubt. */
export const parseFlags = (text: string): BatchFlags =>
  flagsSchema.safeParse(parseJson(text)).data ?? { ...NO_FLAGS, isInDoubt: true };

/** An item that cannot be read counts as claimed, so that a run checks it. */
export const parseItem = (text: string): ItemState =>
  itemSchema.safeParse(parseJson(text)).data ?? { ...NEW_ITEM_STATE, owner: 'not known' };

export function phaseOf(
  item: ItemState,
  { isInDoubt }: Pick<BatchFlags, 'isInDoubt'>,
): 'pending' | 'sending' | 'ended' {
  if (item.outcome !== undefined) return 'ended';
  return item.owner !== '' || isInDoubt ? 'sending' : 'pending';
}

export function changeBatch(flags: BatchFlags, change: Exclude<BatchChange, ItemChange>): BatchFlags {
  const { silent, pauses } = flags;
  switch (change.t) {
    case 'stop':
      return { ...flags, isStopped: true };
    case 'halted':
      return { ...flags, whyHalted: change.why };
    case 'doubt':
      return { ...flags, isInDoubt: true, isStopped: true, whyHalted: change.why };
    case 'withdrawn':
      if (change.items !== undefined) return { ...flags, hasWithdrawn: true };
      return { ...flags, hasWithdrawn: true, isWithdrawn: true, isStopped: true };
    case 'silent':
      return silent.includes(change.mark) ? flags : { ...flags, silent: [...silent, change.mark] };
    case 'paused':
      return { ...flags, pauses: { ...pauses, [change.mark]: change.until } };
    case 'resumed': {
      const { [change.mark]: _over, ...others } = pauses;
      return { ...flags, pauses: others };
    }
  }
}

/** Withdraws an item; one in flight stays with its run. */
export function withdrawItem(item: ItemState, flags: BatchFlags): ItemState {
  const isPending = phaseOf(item, flags) === 'pending';
  return { ...item, isWithdrawn: true, ...(isPending && { outcome: WITHDRAWN }) };
}

/**
 * Applies a change to an item.
 * @param holder the run that has the batch now
 * @returns undefined if the change is rejected
 */
export function changeItem(
  item: ItemState,
  change: ItemChange,
  { flags, holder }: { flags: BatchFlags; holder: string | null },
): ItemState | undefined {
  const phase = phaseOf(item, flags);
  const isOwn = phase === 'sending' && item.owner === change.by;
  const isHolder = holder === change.by;
  switch (change.t) {
    case 'sending':
      return phase === 'pending' && isHolder ? { ...item, owner: change.by, sender: change.by } : undefined;
    case 'looking':
      return phase === 'sending' && isHolder ? { ...item, owner: change.by } : undefined;
    case 'step':
      return isOwn && isHolder ? { ...item, step: change.d } : undefined;
    case 'left':
      return isOwn ? { ...item, reason: change.d } : undefined;
    case 'later':
      if (!isOwn) return undefined;
      return { ...item, owner: '', sender: '', ...(item.isWithdrawn && { outcome: WITHDRAWN }) };
    case 'end': {
      const { kind, by: run, journalId, d: detail } = change;
      return mayEnd(item, run) ? { ...item, outcome: { kind, by: run, journalId, d: detail } } : undefined;
    }
  }
}

/**
 * Returns true if the run may end the item: the one that claims it, or the one that sent it, also later. A
 * process that was silent for long knows more than the one that checked meanwhile.
 */
function mayEnd({ owner, sender, outcome }: ItemState, run: string): boolean {
  if (outcome !== undefined) return run === sender && outcome.by !== run;
  return owner === '' || run === owner || run === sender;
}

/**
 * Returns the end of the last pause, or undefined where the batch is not paused.
 * @param now milliseconds since the epoch
 */
export function pausedUntil({ isStopped, pauses }: BatchFlags, now: number): number | undefined {
  // A pause that ends too late is ignored, because a clock that was set back must not make it longer. The
  // clocks of two hosts may differ, so twice the maximum counts.
  const active = Object.values(pauses).filter((until) => until > now && until <= now + 2 * MAX_PAUSE_MS);
  return active.length === 0 || isStopped ? undefined : Math.max(...active);
}
