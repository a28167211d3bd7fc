/** The record of one write: as it is added to the journal (lines), and for readers (entries). */

import * as z from 'zod';
import { byteLength } from '../../../base/json.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { RECORDED, type Recorded } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';
import type { WriteValues } from '../undo/write-values.ts';
import { isSensitivePath, maskAndShorten, ROOMS, type Room, shrink } from './mask.ts';

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
  /** What went wrong, or why it was refused; never a secret. */
  error: z.string().optional(),
  requestId: z.string().optional(),
  /** The one that was sent; a repeat with it is the same write to the service. */
  idempotencyKey: z.string().optional(),
  /** What the service has instead of what was sent; empty when it was read back and is the same. */
  differences: z.array(differenceSchema).optional(),
});

/** How a write ended. A second outcome for the same id (after a later read-back, say) replaces the first. */
export type WriteOutcome = z.infer<typeof outcomeSchema>;

/** Values as they lie in the store: sealed, or in clear where nothing of them is personal and there is no keychain. */
export const keptSchema = z.union([z.object({ sealed: z.string() }), z.object({ clear: z.unknown() })]);
export type KeptValues = z.infer<typeof keptSchema>;

/** The facts of a write that are known without its values. */
export const factsSchema = z.object({
  /** Tells the account's owners apart: a name can become another seller's. Absent in what was recorded before owners were. */
  owner: z.string().optional(),
  /** Of a server that several people use. */
  by: authorSchema.optional(),
  /** Id of the list that it is an item of. */
  batch: z.string().optional(),
  /** Id of the entry that it takes back. */
  undoes: z.string().optional(),
  /** The undo restores only what nobody else has changed; the rest can still be undone. */
  isPart: z.boolean().optional(),
  /**
   * What it changes, from what to what, in short and without personal values; absent where the program does not know,
   * and in what was recorded before it was.
   */
  what: z.string().optional(),
  /** `thingDigest` of the listing or store that it is about, where that is known without its values. */
  thing: z.string().optional(),
  /** Why it could not be taken back when it was made; nothing of its values is kept then. */
  cannot: z.string().optional(),
});

/** The request as it was sent, masked and shortened. */
export const requestSchema = z.object({
  parameters: z.unknown().optional(),
  /** SHA-256 of the canonical body as it was to be sent. */
  bodySha256: z.string().optional(),
  /** Absent where the operation has none. */
  body: z.unknown().optional(),
  /** Known before anything is sent, so that a write that was cut off can be repeated safely. */
  idempotencyKey: z.string().optional(),
});

/**
 * `write`: an undo finds it. `listing`: one of a feed, which stands for all of its listings where writes are told.
 * `other`: it was refused, or is no write to the service whose values are kept.
 */
const recordedAs = z.enum(['write', 'listing', 'other']);
export type RecordedAs = z.infer<typeof recordedAs>;

/** A write that is about to happen. Values may be personal: the journal masks them. */
export interface Intent extends Omit<z.infer<typeof factsSchema>, 'by'> {
  account: string;
  /** Operation id. */
  operation: string;
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  /** What is recorded instead of parameters and body, where marks stand in it for personal values. */
  recorded?: { parameters: Readonly<Record<string, unknown>>; body?: unknown };
}

const lineFields = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };

/** An event that is added to the journal, and handed to other replicas: a write begins, it ends, it was read as it was sent. */
export const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    ...lineFields,
    kind: z.literal('begun'),
    as: recordedAs,
    account: z.string(),
    operation: z.string(),
    ...factsSchema.shape,
    ...requestSchema.shape,
    values: keptSchema.optional(),
  }),
  z.object({
    ...lineFields,
    kind: z.literal('ended'),
    ...outcomeSchema.shape,
    /** The same members, as they were read back. */
    found: keptSchema.optional(),
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
  /** When it was recorded, before anything was sent; ISO 8601 in UTC. */
  time: string;
  account: string;
  operation: string;
  /** It is one listing of a feed. */
  isListing?: boolean;
  /** When the outcome was recorded; absent where none was, which is shown as `unknown`. */
  endedAt?: string;
}

/** A write that was recorded, with its values to be opened. */
export interface RecordedWrite extends JournalEntry {
  /** @returns undefined where they are not kept, or cannot be read any more @throws CredentialError when the keychain does not answer */
  open(): Promise<(WriteValues & { found?: readonly unknown[] }) | undefined>;
}

/** Accepted, or possibly so. */
const APPLIED: readonly Recorded[] = ['done', 'accepted_not_visible', 'requested', 'unknown'];
export const mayBeApplied = ({ outcome }: Pick<RecordedWrite, 'outcome'>) => APPLIED.includes(outcome);

// This part masks and bounds what is recorded.

/** Longest record as JSON, in bytes. */
export const MAX_LINE_BYTES = 16_384;
const MAX_ERROR = 500;
const MAX_NAME = 200;
const MAX_WHAT = 500;

/** @param time milliseconds since the epoch */
export const buildBegun = (
  { id, time, as }: { id: string; time: number; as: RecordedAs },
  intent: Intent & z.infer<typeof factsSchema> & { bodySha256?: string },
): JournalLine =>
  shortenToFit((room) => ({ ...stamp(id, time), kind: 'begun', as, ...describeIntent(intent, room) }));

/** @param time milliseconds since the epoch */
export const buildEnded = (id: string, time: number, outcome: WriteOutcome): JournalLine =>
  shortenToFit((room) => ({ ...stamp(id, time), kind: 'ended', ...describeOutcome(outcome, room) }));

export const stamp = (id: string, time: number) => ({
  v: 1 as const,
  id,
  time: new Date(time).toISOString(),
});

/** Cuts a line until it is not longer than a record may be; without room, only what is bounded by itself is written. */
function shortenToFit(build: (room: Room | undefined) => object): JournalLine {
  for (const room of ROOMS) {
    const line = build(room);
    if (byteLength(JSON.stringify(line)) <= MAX_LINE_BYTES) return lineSchema.parse(line);
  }
  return lineSchema.parse(build(undefined));
}

export const toWhat = (what: string) => maskAndShorten(what, MAX_WHAT);

function describeIntent(intent: Parameters<typeof buildBegun>[1], room: Room | undefined): object {
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
    what: what && toWhat(what),
    thing,
    cannot: cannot && shortenToCharacters(cannot, MAX_ERROR),
  };
}

function describeOutcome(outcome: WriteOutcome, room: Room | undefined): object {
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

function describeDifference({ path, sent, found }: ReadBackDifference, room: Room | undefined): object {
  const hidden = isSensitivePath(path);
  return {
    path: shortenToCharacters(path, MAX_NAME),
    sent: room && shrink(sent, room, hidden),
    found: room && shrink(found, room, hidden),
  };
}
