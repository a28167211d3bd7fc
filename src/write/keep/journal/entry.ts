/** What the journal keeps of one write, on file (lines) and for readers (entries). */

import * as z from 'zod';
import { RECORDED } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';

const differenceSchema = z.object({
  path: z.string(),
  sent: z.unknown().optional(),
  found: z.unknown().optional(),
});

/** One member that reads differently after the write; masked like the body. */
export type ReadBackDifference = z.infer<typeof differenceSchema>;

const outcomeSchema = z.object({
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

const intentSchema = z.object({
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

/** One line of the file. A refusal holds both halves, since nothing happens in between. */
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
