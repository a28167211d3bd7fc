/**
 * Defines the outcomes of writes: of one write or item (`End`), as recorded in journal and history
 * (`Recorded`), and of a whole call (`Outcome`).
 */

import * as z from 'zod';

/**
 * `accepted_not_visible`: the service accepted it, and a read-back still showed the old values. `requested`:
 * the service works on it, and it may still fail. `not_accepted`: the service rejected it. `failed`: it was
 * not applied. `unknown`: it may have been applied. `changed_since`: not sent, because it is no longer as it
 * was shown. `not_sent`: withdrawn before its turn.
 */
export const ENDS = [
  'accepted',
  'accepted_not_visible',
  'requested',
  'not_accepted',
  'failed',
  'unknown',
  'changed_since',
  'not_sent',
] as const;
export type ItemEnd = (typeof ENDS)[number];

/** The ends whose write was applied, or may be; such a write can be undone. */
export const POSSIBLY_APPLIED: ReadonlySet<ItemEnd | undefined> = new Set<ItemEnd>([
  'accepted',
  'accepted_not_visible',
  'requested',
  'unknown',
]);

/**
 * `done`: the service accepted it. `requested`: it works on it, and it may still fail. `partly_accepted`: it
 * rejected some items. `not_accepted`: it rejected all with a status of 2xx. `refused`: nothing was sent,
 * because of a setting, the user or a check. The others are as in `End`.
 */
export const RECORDED = [
  'done',
  'accepted_not_visible',
  'requested',
  'partly_accepted',
  'not_accepted',
  'refused',
  'failed',
  'unknown',
] as const;
export type RecordedOutcome = (typeof RECORDED)[number];

/**
 * `waiting`: for the user, who is asked at a page. Only batches have `unfinished`, `stopped` and `expired`;
 * only batches and feeds have `under_way`.
 */
export const OUTCOMES = [
  'preview',
  'needs_confirmation',
  'waiting',
  'done',
  'accepted_not_visible',
  'partly_accepted',
  'not_accepted',
  'requested',
  'failed',
  'under_way',
  'unfinished',
  'stopped',
  'expired',
  'unknown',
  'no_change',
] as const;
export type WriteCallOutcome = (typeof OUTCOMES)[number];

/** A write that is only shown: as a preview, or with the code that sends it. */
export type ShownOutcome = { outcome: 'preview' } | { outcome: 'needs_confirmation'; code: string };

export const toShownOutcome = (code: string | undefined): ShownOutcome =>
  code === undefined ? { outcome: 'preview' } : { outcome: 'needs_confirmation', code };

/** Formats the next step: `line` has the code itself, `data` has it elsewhere. */
export function formatNextStep(code: string | undefined): { line: string; data: string } {
  if (code === undefined) return { line: ONLY_PREVIEW, data: ONLY_PREVIEW };
  return { line: showAndConfirm(`confirmationCode "${code}"`), data: showAndConfirm('confirmationCode') };
}

const ONLY_PREVIEW = 'This is a preview; nothing was sent.';
const showAndConfirm = (code: string): string =>
  `For the assistant: nothing was sent yet. Show this to the person. If they agree, call the tool again with ${code}, which is enough alone (works once, for exactly this content, for 10 minutes). The code does not prove that they agreed: ask.`;

/** The recorded outcome of each end, its text beside the item, and its short text for counts. */
export const END_FACTS: Readonly<
  Record<ItemEnd, { recorded: RecordedOutcome; words: string; short: string }>
> = {
  accepted: { recorded: 'done', words: 'accepted', short: 'accepted' },
  accepted_not_visible: {
    recorded: 'accepted_not_visible',
    words: 'accepted, not visible yet',
    short: 'accepted but not visible yet',
  },
  requested: {
    recorded: 'requested',
    words: 'requested, the service still works on it',
    short: 'requested and not done yet',
  },
  not_accepted: { recorded: 'not_accepted', words: 'not accepted', short: 'not accepted' },
  failed: { recorded: 'failed', words: 'failed, not applied', short: 'failed' },
  unknown: { recorded: 'unknown', words: 'not known whether it was applied', short: 'unknown' },
  changed_since: {
    recorded: 'refused',
    words: 'changed by somebody since it was shown, not sent',
    short: 'not sent because somebody else changed it',
  },
  not_sent: { recorded: 'refused', words: 'not sent', short: 'not sent' },
};

/** The first words of an answer about a write that was sent, or should have been. */
export const HEADS: Readonly<
  Record<Exclude<WriteCallOutcome, ShownOutcome['outcome'] | 'waiting' | 'no_change'>, string>
> = {
  done: 'Done',
  requested: 'Requested',
  failed: 'FAILED',
  accepted_not_visible: 'Accepted, not visible yet',
  partly_accepted: 'ACCEPTED IN PART',
  not_accepted: 'NOT ACCEPTED',
  unknown: 'NOT KNOWN WHETHER IT WAS APPLIED',
  under_way: 'Under way',
  unfinished: 'NOT FINISHED',
  stopped: 'Stopped',
  expired: 'ENDED AFTER 24 HOURS, NOT FINISHED',
};

/** Returns true if nothing is known to be done, so that the host gets an error. */
export const isBad = (outcome: WriteCallOutcome) =>
  outcome === 'not_accepted' || outcome === 'failed' || outcome === 'unknown';

/**
 * Maps recorded outcomes to ends. A write that was accepted in part is `unknown`, because the part is not
 * recorded.
 */
export const END_OF_RECORDED: Readonly<Record<RecordedOutcome, ItemEnd>> = {
  done: 'accepted',
  accepted_not_visible: 'accepted_not_visible',
  requested: 'requested',
  partly_accepted: 'unknown',
  not_accepted: 'not_accepted',
  refused: 'not_sent',
  failed: 'failed',
  unknown: 'unknown',
};

export type OutcomeCounts = Readonly<Record<ItemEnd | 'pending', number>>;

export const NO_COUNTS: OutcomeCounts = {
  accepted: 0,
  accepted_not_visible: 0,
  requested: 0,
  not_accepted: 0,
  failed: 0,
  unknown: 0,
  changed_since: 0,
  not_sent: 0,
  pending: 0,
};

// Every answer about a write has these members.

export const differenceSchema = z.looseObject({ path: z.string(), kind: z.string() });

export type WriteStructured = z.input<typeof writeOutput>;

export const writeOutput = z.looseObject({
  note: z.string(),
  outcome: z.enum(OUTCOMES),
  account: z.string(),
  operation: z.string(),
  request: z.looseObject({ method: z.string(), url: z.string() }).optional(),
  differences: z.array(differenceSchema).optional(),
  warnings: z.array(z.unknown()).optional(),
  confirmation_code: z.string().optional(),
  status: z.int().optional(),
  request_id: z.string().optional(),
  journal_id: z.string().optional(),
  read_back: z.looseObject({ matches: z.boolean().optional() }).optional(),
});
