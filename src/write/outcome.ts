/** What becomes of writes, in one vocabulary: of one write or item (`End`), as journal and history spell it (`Recorded`), and of a whole call (`Outcome`). */

/**
 * `accepted_not_visible`: the service said yes, and a read-back still showed the values from before; `not_accepted`: it
 * said no; `failed`: it was not applied; `unknown`: it may have been applied; `changed_since`: not sent, since it is no
 * longer as it was shown; `not_sent`: withdrawn before its turn.
 */
export const ENDS = [
  'accepted',
  'accepted_not_visible',
  'not_accepted',
  'failed',
  'unknown',
  'changed_since',
  'not_sent',
] as const;
export type End = (typeof ENDS)[number];

/** What it says of old and new values is so, or may be; it can be taken back. */
export const MAY_BE_APPLIED: ReadonlySet<End | undefined> = new Set<End>([
  'accepted',
  'accepted_not_visible',
  'unknown',
]);

/**
 * `done`: the service said yes; `partly_accepted`: it said no to some items; `not_accepted`: it said no, though by a
 * status of 2xx; `refused`: nothing was sent, by a setting, the person or a check. The others as in `End`.
 */
export const RECORDED = [
  'done',
  'accepted_not_visible',
  'partly_accepted',
  'not_accepted',
  'refused',
  'failed',
  'unknown',
] as const;
export type Recorded = (typeof RECORDED)[number];

/** `waiting`: for the person, who is asked at a page. `unfinished`, `stopped` and `expired` are of lists alone, as is `under_way` but for feeds. */
export const OUTCOMES = [
  'preview',
  'needs_confirmation',
  'waiting',
  'done',
  'accepted_not_visible',
  'partly_accepted',
  'not_accepted',
  'requested',
  'under_way',
  'unfinished',
  'stopped',
  'expired',
  'unknown',
  'no_change',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A write that is only shown: as a preview, or with the code that sends it. */
export type Shown = { outcome: 'preview' } | { outcome: 'needs_confirmation'; code: string };

export const toShown = (code: string | undefined): Shown =>
  code === undefined ? { outcome: 'preview' } : { outcome: 'needs_confirmation', code };

export const RECORDED_AS: Readonly<Record<End, Recorded>> = {
  accepted: 'done',
  accepted_not_visible: 'accepted_not_visible',
  not_accepted: 'not_accepted',
  failed: 'failed',
  unknown: 'unknown',
  changed_since: 'refused',
  not_sent: 'refused',
};

/** Of what was accepted in part it is not known which part this one is. */
export const ENDED_AS: Readonly<Record<Recorded, End>> = {
  done: 'accepted',
  accepted_not_visible: 'accepted_not_visible',
  partly_accepted: 'unknown',
  not_accepted: 'not_accepted',
  refused: 'not_sent',
  failed: 'failed',
  unknown: 'unknown',
};

export type Counts = Readonly<Record<End | 'pending', number>>;

/** Where counting begins. */
export const NO_COUNTS: Counts = {
  accepted: 0,
  accepted_not_visible: 0,
  not_accepted: 0,
  failed: 0,
  unknown: 0,
  changed_since: 0,
  not_sent: 0,
  pending: 0,
};
