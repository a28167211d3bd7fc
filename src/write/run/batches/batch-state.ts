/** The state of a batch and of each item, and what a change makes of it. The order of the changes decides, whoever asks for them. */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { ENDS } from '../../model/outcome.ts';
import { MAX_PAUSE_MS } from './batch.ts';
import { detailSchema } from './batch-content.ts';

const i = z.int().nonnegative();
/** The mark of the run that asks for it: the one of its lease. */
const by = z.string();
const d = detailSchema.optional();

/** Earlier versions wrote each of them as a line; see old-batch-lines.ts. */
export const changeSchema = z.discriminatedUnion('t', [
  /** It is about to be sent. */
  z.object({ t: z.literal('sending'), i, by }),
  /** Another run looks what has become of it. */
  z.object({ t: z.literal('looking'), i, by }),
  /** How far it is. */
  z.object({ t: z.literal('step'), i, by, d }),
  /** It was certainly not applied, and is to be sent still. */
  z.object({ t: z.literal('later'), i, by }),
  /** It was sent, and its outcome takes longer than its run had: `d` says why. */
  z.object({ t: z.literal('left'), i, by, d }),
  /** `d`: `why`, `readBack` and `facts` of the outcome. */
  z.object({ t: z.literal('end'), i, by, kind: z.enum(ENDS), journalId: z.string().optional(), d }),
  z.object({ t: z.literal('stop') }),
  /** Ended between two items by what is no fault of it, such as a person who may no longer use the account. */
  z.object({ t: z.literal('halted'), why: z.string() }),
  /** The store may have lost something: what has no outcome may have been sent, and nothing more is sent. */
  z.object({ t: z.literal('doubt'), why: z.string() }),
  /** Taken back, and never sent from here on: these items, or the whole list. */
  z.object({ t: z.literal('withdrawn'), items: z.array(i).optional() }),
  /** The batch was taken from a run that was silent and may only be suspended: what it was about to send may still leave. */
  z.object({ t: z.literal('silent'), mark: z.string() }),
  /** Nothing is sent before `until`, in milliseconds since the epoch, unless the same mark resumes it. */
  z.object({ t: z.literal('paused'), mark: z.string(), until: z.number() }),
  z.object({ t: z.literal('resumed'), mark: z.string() }),
]);

export type Change = z.output<typeof changeSchema>;
export type ItemChange = Extract<Change, { i: number }>;

/** They say something of the whole batch. */
const flagsSchema = z.object({
  isStopped: z.boolean().default(false),
  /** The whole of it was taken back: that has ended it. */
  isWithdrawn: z.boolean().default(false),
  /** All or some of it was taken back. */
  hasWithdrawn: z.boolean().default(false),
  /** The store may have lost something: what has no outcome may have been sent. */
  isInDoubt: z.boolean().default(false),
  /** Why it was ended between two items, until it goes on. */
  whyHalted: z.string().optional(),
  /** The runs that the batch was taken from. */
  silent: z.array(z.string()).default([]),
  /** The end of each pause, by its mark. */
  pauses: z.record(z.string(), z.number()).default({}),
});

export type BatchFlags = z.output<typeof flagsSchema>;

/** `by` is empty where it was taken back before it was sent: no run has ended it. */
const outcomeSchema = z.object({ kind: z.enum(ENDS), by, journalId: z.string().optional(), d });

const itemSchema = z.object({
  /** The run that has it: the one that sends it, or that looks. Empty where none has. */
  owner: by,
  /** The run that sent it. */
  sender: by,
  step: d,
  /** Why it has no outcome yet. */
  reason: d,
  isWithdrawn: z.boolean(),
  outcome: outcomeSchema.optional(),
});

export type ItemState = z.output<typeof itemSchema>;

export const NO_FLAGS: BatchFlags = flagsSchema.parse({});
export const NOT_BEGUN: ItemState = { owner: '', sender: '', isWithdrawn: false };
const TAKEN_BACK: ItemState['outcome'] = { kind: 'not_sent', by: '' };

/** Flags that cannot be read say nothing of what was sent. */
export const parseFlags = (text: string): BatchFlags =>
  flagsSchema.safeParse(parseJson(text)).data ?? { ...NO_FLAGS, isInDoubt: true };

/** An item that cannot be read is some run's, and is looked at. */
export const parseItem = (text: string): ItemState =>
  itemSchema.safeParse(parseJson(text)).data ?? { ...NOT_BEGUN, owner: 'not known' };

export function phaseOf(
  item: ItemState,
  { isInDoubt }: Pick<BatchFlags, 'isInDoubt'>,
): 'pending' | 'sending' | 'ended' {
  if (item.outcome !== undefined) return 'ended';
  return item.owner !== '' || isInDoubt ? 'sending' : 'pending';
}

export function changeBatch(flags: BatchFlags, change: Exclude<Change, ItemChange>): BatchFlags {
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

/** An item on its way stays with the run that has it. */
export function withdrawItem(item: ItemState, flags: BatchFlags): ItemState {
  const isPending = phaseOf(item, flags) === 'pending';
  return { ...item, isWithdrawn: true, ...(isPending && { outcome: TAKEN_BACK }) };
}

/** @param holder the run that has the batch by now. @returns undefined where the change is not taken */
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
      return { ...item, owner: '', sender: '', ...(item.isWithdrawn && { outcome: TAKEN_BACK }) };
    case 'end': {
      const { kind, by: run, journalId, d: detail } = change;
      return mayEnd(item, run) ? { ...item, outcome: { kind, by: run, journalId, d: detail } } : undefined;
    }
  }
}

/**
 * The run that has the item may end it, and so may the one that sent it, also later: a process that was silent for long
 * knows better than the one that looked meanwhile.
 */
function mayEnd({ owner, sender, outcome }: ItemState, run: string): boolean {
  if (outcome !== undefined) return run === sender && outcome.by !== run;
  return owner === '' || run === owner || run === sender;
}

/**
 * Returns the end of the last pause, or undefined where the batch is not paused. @param now milliseconds
 * since the epoch
 */
export function pausedUntil({ isStopped, pauses }: BatchFlags, now: number): number | undefined {
  // A pause that ends too late is ignored, because a clock that was set back must not make it longer. The
  // clocks of two hosts may differ, so twice the maximum counts.
  const standing = Object.values(pauses).filter((until) => until > now && until <= now + 2 * MAX_PAUSE_MS);
  return standing.length === 0 || isStopped ? undefined : Math.max(...standing);
}
