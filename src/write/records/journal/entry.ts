/** Defines the record of one write: the lines added to the journal, and the entries that readers get. */

import * as z from 'zod';
import { byteLength } from '../../../base/json.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { RECORDED, type RecordedOutcome } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';
import type { WriteValues } from '../undo/write-values.ts';
import { isSensitivePath, maskAndShorten, SHRINK_LIMITS, type ShrinkLimits, shrink } from './mask.ts';

const differenceSchema = z.object({
  path: z.string(),
  sent: z.unknown().optional(),
  found: z.unknown().optional(),
});

/** One member that reads differently after the write; masked like the body. */
export type ReadBackDifference = z.infer<typeof differenceSchema>;

export const outcomeSchema = z.object({
  outcome: z.enum(RECORDED),
  /** HTTP status. */
  status: z.number().optional(),
  /** The reason for a failure or a refusal; never a secret. */
  error: z.string().optional(),
  requestId: z.string().optional(),
  /** The key that was sent; a repeat with it is the same write to the service. */
  idempotencyKey: z.string().optional(),
  /** The members that the service has otherwise than they were sent; empty when the read-back matches. */
  differences: z.array(differenceSchema).optional(),
});

/**
 * The outcome of a write. A second outcome for the same id (after a later read-back, say) replaces the first.
 */
export type WriteOutcome = z.infer<typeof outcomeSchema>;

/** Stored values: sealed, or in clear where none of them is personal and there is no keychain. */
export const storedValuesSchema = z.union([
  z.object({ sealed: z.string() }),
  z.object({ clear: z.unknown() }),
]);
export type StoredValues = z.infer<typeof storedValuesSchema>;

/** The facts of a write that are known without its values. */
export const factsSchema = z.object({
  /**
   * Distinguishes the account's owners, because a name can become another seller's. Older records lack it.
   */
  owner: z.string().optional(),
  /** The user who made the write, on a server that several users share. */
  by: authorSchema.optional(),
  /** The id of the batch that the write is an item of. */
  batch: z.string().optional(),
  /** The id of the entry that this write undoes. */
  undoes: z.string().optional(),
  /** True for an undo that restores only what nobody else has changed; the rest can still be undone. */
  isPart: z.boolean().optional(),
  /**
   * The change from old to new, in short and without personal values. It is absent where the program does not
   * know it, and in older records.
   */
  what: z.string().optional(),
  /** The `thingDigest` of the listing or store, where that is known without the values. */
  thing: z.string().optional(),
  /** The reason why the write could not be undone when it was made; its values are not recorded then. */
  cannot: z.string().optional(),
});

/** The request as it was sent, masked and shortened. */
export const requestSchema = z.object({
  parameters: z.unknown().optional(),
  /** SHA-256 of the canonical body as it was to be sent. */
  bodySha256: z.string().optional(),
  /** Absent where the operation has no body. */
  body: z.unknown().optional(),
  /** The key is known before anything is sent, so that a write that was cut off can be repeated safely. */
  idempotencyKey: z.string().optional(),
});

/**
 * The kind of a record. An undo finds a `write`. A `listing` is one of a feed, and the feed's own entry
 * represents it in the history. An `other` was rejected, or is not a write whose values are recorded.
 */
const recordedAs = z.enum(['write', 'listing', 'other']);
export type RecordedAs = z.infer<typeof recordedAs>;

/** A write that is about to happen. Its values may be personal; the journal masks them. */
export interface WriteIntent extends Omit<z.infer<typeof factsSchema>, 'by'> {
  account: string;
  /** Operation id. */
  operation: string;
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  /** The parameters and body to record instead, with placeholders for personal values. */
  recorded?: { parameters: Readonly<Record<string, unknown>>; body?: unknown };
}

const lineFields = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };

/**
 * An event in the journal, which other replicas get too: a write has begun, has ended, or was read back as it
 * was sent.
 */
export const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    ...lineFields,
    kind: z.literal('begun'),
    as: recordedAs,
    account: z.string(),
    operation: z.string(),
    ...factsSchema.shape,
    ...requestSchema.shape,
    values: storedValuesSchema.optional(),
  }),
  z.object({
    ...lineFields,
    kind: z.literal('ended'),
    ...outcomeSchema.shape,
    /** The values of the same members, as they were read back. */
    found: storedValuesSchema.optional(),
  }),
  z.object({ ...lineFields, kind: z.literal('seen') }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** One write as a reader sees it, without its values. */
export interface JournalEntry
  extends z.infer<typeof factsSchema>,
    z.infer<typeof requestSchema>,
    z.infer<typeof outcomeSchema> {
  id: string;
  /** The time of recording, before anything was sent; ISO 8601 in UTC. */
  time: string;
  account: string;
  operation: string;
  /** True for one listing of a feed. */
  isListing?: boolean;
  /** The time when the outcome was recorded; absent without an outcome, which is shown as `unknown`. */
  endedAt?: string;
}

/** A recorded write whose values can be opened. */
export interface RecordedWrite extends JournalEntry {
  /**
   * @returns undefined where no values are stored, or they cannot be read any more
   * @throws CredentialError when the keychain does not answer
   */
  open(): Promise<(WriteValues & { found?: readonly unknown[] }) | undefined>;
}

/** The outcomes of writes that the service accepted, or may have. */
const APPLIED: readonly RecordedOutcome[] = ['done', 'accepted_not_visible', 'requested', 'unknown'];
export const mayBeApplied = ({ outcome }: Pick<RecordedWrite, 'outcome'>) => APPLIED.includes(outcome);

// The functions below mask and bound what is recorded.

/** The maximum size of a record as JSON, in bytes. */
export const MAX_LINE_BYTES = 16_384;
const MAX_ERROR = 500;
const MAX_NAME = 200;
const MAX_WHAT = 500;

/** @param time milliseconds since the epoch */
export const buildBegun = (
  { id, time, as }: { id: string; time: number; as: RecordedAs },
  intent: WriteIntent & z.infer<typeof factsSchema> & { bodySha256?: string },
): JournalLine =>
  shortenToFit((room) => ({
    ...buildLineStamp(id, time),
    kind: 'begun',
    as,
    ...describeIntent(intent, room),
  }));

/** @param time milliseconds since the epoch */
export const buildEnded = (id: string, time: number, outcome: WriteOutcome): JournalLine =>
  shortenToFit((room) => ({ ...buildLineStamp(id, time), kind: 'ended', ...describeOutcome(outcome, room) }));

export const buildLineStamp = (id: string, time: number) => ({
  v: 1 as const,
  id,
  time: new Date(time).toISOString(),
});

/**
 * Shortens a line until it fits a record. The last attempt, without room, writes only what is bounded by
 * itself.
 */
function shortenToFit(build: (room: ShrinkLimits | undefined) => object): JournalLine {
  for (const room of SHRINK_LIMITS) {
    const line = build(room);
    if (byteLength(JSON.stringify(line)) <= MAX_LINE_BYTES) return lineSchema.parse(line);
  }
  return lineSchema.parse(build(undefined));
}

export const maskChangeText = (what: string) => maskAndShorten(what, MAX_WHAT);

function describeIntent(intent: Parameters<typeof buildBegun>[1], room: ShrinkLimits | undefined): object {
  const { account, owner, operation, parameters, bodySha256, body, idempotencyKey } = intent;
  const { batch, undoes, isPart, what, by, thing, cannot } = intent;
  return {
    account: shortenToCharacters(account, MAX_NAME),
    owner: owner && shortenToCharacters(owner, MAX_NAME),
    by: by && { name: shortenToCharacters(by.name, MAX_NAME), id: shortenToCharacters(by.id, MAX_NAME) },
    operation: shortenToCharacters(operation, MAX_NAME),
    parameters: room && shrink(parameters, room),
    bodySha256,
    body: room && shrink(body, room),
    idempotencyKey: idempotencyKey && shortenToCharacters(idempotencyKey, MAX_NAME),
    batch: batch && shortenToCharacters(batch, MAX_NAME),
    undoes: undoes && shortenToCharacters(undoes, MAX_NAME),
    isPart,
    what: what && maskChangeText(what),
    thing,
    cannot: cannot && shortenToCharacters(cannot, MAX_ERROR),
  };
}

function describeOutcome(outcome: WriteOutcome, room: ShrinkLimits | undefined): object {
  const { error, requestId, idempotencyKey, differences } = outcome;
  return {
    outcome: outcome.outcome,
    status: outcome.status,
    error: error && maskAndShorten(error, MAX_ERROR),
    requestId: requestId && shortenToCharacters(requestId, MAX_NAME),
    ...(idempotencyKey && { idempotencyKey: shortenToCharacters(idempotencyKey, MAX_NAME) }),
    differences: differences
      ?.slice(0, room?.items ?? 0)
      .map((difference) => describeDifference(difference, room)),
  };
}

function describeDifference(
  { path, sent, found }: ReadBackDifference,
  room: ShrinkLimits | undefined,
): object {
  const hidden = isSensitivePath(path);
  return {
    path: shortenToCharacters(path, MAX_NAME),
    sent: room && shrink(sent, room, hidden),
    found: room && shrink(found, room, hidden),
  };
}
