/** What the journal keeps of one write, on file (lines) and for readers (entries). */

import * as z from 'zod';
import { RECORDED, type Recorded } from '../../outcome.ts';

/** A write that is about to happen. Values may be personal: the journal masks them. */
export interface Intent {
  account: string;
  /** Tells the account's owners apart: a name can become another seller's. */
  owner?: string;
  /** Operation id. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Undefined where the operation has no body. */
  body?: unknown;
  /** What is recorded instead of parameters and body, where marks stand in it for personal values. */
  recorded?: { parameters: Readonly<Record<string, unknown>>; body?: unknown };
  /** Known before anything is sent, so that a write that was cut off can be repeated safely. */
  idempotencyKey?: string;
  /** Id of the list that it is an item of. */
  batch?: string;
  /** Id of the entry that it takes back. */
  undoes?: string;
  /** What it changes, from what to what, in short and without personal values. */
  what?: string;
}

const differenceSchema = z.object({
  path: z.string(),
  sent: z.unknown().optional(),
  found: z.unknown().optional(),
});

/** One member that reads differently after the write; masked like the body. */
export type ReadBackDifference = { path: string; sent?: unknown; found?: unknown };

const outcomeFields = {
  outcome: z.enum(RECORDED),
  status: z.number().optional(),
  error: z.string().optional(),
  requestId: z.string().optional(),
  idempotencyKey: z.string().optional(),
  differences: z.array(differenceSchema).optional(),
};

/** How a write ended. A second outcome for the same id (after a later read-back, say) replaces the first. */
export interface WriteOutcome {
  outcome: Recorded;
  /** HTTP status. */
  status?: number;
  /** What went wrong, or why it was refused; never a secret. */
  error?: string;
  requestId?: string;
  /** The one that was sent; a repeat with it is the same write to the service. */
  idempotencyKey?: string;
  /** What the service has instead of what was sent; empty when it was read back and is the same. */
  differences?: readonly ReadBackDifference[];
}

const intentFields = {
  account: z.string(),
  owner: z.string().optional(),
  operation: z.string(),
  parameters: z.unknown().optional(),
  bodySha256: z.string().optional(),
  body: z.unknown().optional(),
  idempotencyKey: z.string().optional(),
  batch: z.string().optional(),
  undoes: z.string().optional(),
  what: z.string().optional(),
};
const lineFields = { v: z.literal(1), id: z.string(), time: z.iso.datetime() };

/** One line of the file. A refusal holds both halves, since nothing happens in between. */
export const lineSchema = z.discriminatedUnion('kind', [
  z.object({ ...lineFields, kind: z.literal('intent'), ...intentFields }),
  z.object({ ...lineFields, kind: z.literal('outcome'), ...outcomeFields }),
  z.object({ ...lineFields, kind: z.literal('refusal'), ...intentFields, ...outcomeFields }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** One write as a reader sees it. */
export interface JournalEntry extends WriteOutcome {
  id: string;
  /** When the intent was recorded, ISO 8601 in UTC. */
  time: string;
  account: string;
  /** Absent in what was recorded before owners were. */
  owner?: string;
  operation: string;
  /** Masked and shortened. */
  parameters?: unknown;
  /** SHA-256 of the canonical body as it was to be sent. */
  bodySha256?: string;
  /** Masked and shortened. */
  body?: unknown;
  /** Id of the list that it is an item of. */
  batch?: string;
  /** Id of the entry that it takes back. */
  undoes?: string;
  /** What it changes, in short; absent where the program does not know, and in what was recorded before it was. */
  what?: string;
  /** When the outcome was recorded; absent where none was, which is shown as `unknown`. */
  endedAt?: string;
}
