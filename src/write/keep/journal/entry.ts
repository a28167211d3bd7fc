/** What the journal keeps of one write: as it is recorded (lines), and for readers (entries). */

import * as z from 'zod';
import { byteLength } from '../../../base/json.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { RECORDED } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';
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

export const intentSchema = z.object({
  account: z.string(),
  /** Tells the account's owners apart: a name can become another seller's. Absent in what was recorded before owners were. */
  owner: z.string().optional(),
  /** Of a server that several people use. */
  by: authorSchema.optional(),
  /** Operation id. */
  operation: z.string(),
  /** Masked and shortened. */
  parameters: z.unknown().optional(),
  /** SHA-256 of the canonical body as it was to be sent. */
  bodySha256: z.string().optional(),
  /** Masked and shortened; absent where the operation has none. */
  body: z.unknown().optional(),
  /** Known before anything is sent, so that a write that was cut off can be repeated safely. */
  idempotencyKey: z.string().optional(),
  /** Id of the list that it is an item of. */
  batch: z.string().optional(),
  /** Id of the entry that it takes back. */
  undoes: z.string().optional(),
  /**
   * What it changes, from what to what, in short and without personal values; absent where the program does not know,
   * and in what was recorded before it was.
   */
  what: z.string().optional(),
});

/** A write that is about to happen. Values may be personal: the journal masks them. */
export interface Intent extends Omit<z.infer<typeof intentSchema>, 'bodySha256'> {
  parameters: Readonly<Record<string, unknown>>;
  /** What is recorded instead of parameters and body, where marks stand in it for personal values. */
  recorded?: { parameters: Readonly<Record<string, unknown>>; body?: unknown };
}

const lineFields = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };

/** One record. A refusal holds both halves, since nothing happens in between. */
export const lineSchema = z.discriminatedUnion('kind', [
  z.object({ ...lineFields, kind: z.literal('intent'), ...intentSchema.shape }),
  z.object({ ...lineFields, kind: z.literal('outcome'), ...outcomeSchema.shape }),
  z.object({ ...lineFields, kind: z.literal('refusal'), ...intentSchema.shape, ...outcomeSchema.shape }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** One write as a reader sees it. `time` is when the intent was recorded, ISO 8601 in UTC. */
export interface JournalEntry extends Omit<Extract<JournalLine, { kind: 'refusal' }>, 'v' | 'kind'> {
  /** When the outcome was recorded; absent where none was, which is shown as `unknown`. */
  endedAt?: string;
}

// This part masks and bounds what is recorded.

/** Longest record as JSON, in bytes. */
export const MAX_LINE_BYTES = 16_384;
const MAX_ERROR = 500;
const MAX_NAME = 200;
const MAX_WHAT = 500;

/** What a line is about. */
export interface LineInput {
  kind: JournalLine['kind'];
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  intent?: Intent & { bodySha256?: string };
  outcome?: WriteOutcome;
}

/** Cut until it is not longer than a record may be. */
export function toLine(input: LineInput): JournalLine {
  for (const room of ROOMS) {
    const line = write(input, room);
    if (byteLength(JSON.stringify(line)) <= MAX_LINE_BYTES) return lineSchema.parse(line);
  }
  return lineSchema.parse(write(input, undefined));
}

/** Without room, only what is bounded by itself is written. */
const write = ({ kind, id, time, intent, outcome }: LineInput, room: Room | undefined) => ({
  v: 1,
  kind,
  id,
  time: new Date(time).toISOString(),
  ...(intent && describeIntent(intent, room)),
  ...(outcome && describeOutcome(outcome, room)),
});

function describeIntent(intent: NonNullable<LineInput['intent']>, room: Room | undefined): object {
  const { account, owner, operation, parameters, bodySha256, body, idempotencyKey } = intent;
  const { batch, undoes, what, by } = intent;
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
    what: what && maskAndShorten(what, MAX_WHAT),
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
