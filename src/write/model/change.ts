/**
 * Defines the model of a change: the thing, the marketplaces, the old and new values. Question, preview and
 * answer render it.
 */

import * as z from 'zod';
import { canonicalJson } from '../../base/canonical-json.ts';
import { type JsonDifference, type Segments, valueAt } from '../../base/json-difference.ts';
import type { CallOptions } from '../../call/client-types.ts';

const segmentsSchema: z.ZodType<Segments> = z.array(z.union([z.string(), z.number()]));

const differenceSchema: z.ZodType<JsonDifference> = z.object({
  path: z.string(),
  segments: segmentsSchema,
  kind: z.enum(['added', 'removed', 'changed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/**
 * The changed thing as the user knows it. Every text is the service's or the caller's, and only src/write/approval
 * may show it.
 */
const subjectSchema = z.discriminatedUnion('kind', [
  /** A store or warehouse. */
  z.object({
    kind: z.literal('store'),
    id: z.string(),
    alias: z.string().optional(),
    code: z.string().optional(),
  }),
  z.object({ kind: z.literal('listing'), sku: z.string(), title: z.string().optional() }),
  /** Any other change is named by its operation and parameters. */
  z.object({ kind: z.literal('operation') }),
]);
export type Subject = z.infer<typeof subjectSchema>;

/** A probable mistake in the sent values. */
const warningSchema = z.object({
  /** The dotted path in the body. */
  path: z.string(),
  /**
   * The same path in machine form. Names are the caller's or the service's: escape them where they are shown.
   */
  segments: segmentsSchema,
  /** The message has values as the caller gave them, JSON-quoted: escape it like other untrusted text. */
  message: z.string(),
  /**
   * The remedy for the caller, which is no part of the question to the user. It has values like `message`.
   */
  how: z.string().optional(),
});
export type Warning = z.infer<typeof warningSchema>;

/**
 * One change of one thing, which is also read from the disk. Several of them make a batch; `before` is what
 * an undo restores.
 */
export const changeSchema = z.object({
  subject: subjectSchema,
  /** The ids of the marketplaces where it applies; empty if the thing belongs to none. */
  places: z.array(z.string()).readonly(),
  /** The parameters that subject and marketplaces already name. */
  toldParameters: z.array(z.string()).readonly(),
  /** The old values that the write touches; undefined if they are unknown. */
  before: z.unknown().optional(),
  /** The new values of the same members. */
  after: z.unknown().optional(),
  /**
   * The values before, with pending writes of ours over them, which an undo restores; absent where none is
   * pending.
   */
  pending: z.unknown().optional(),
  /** The differences between the two; undefined if they are unknown. */
  differences: z.array(differenceSchema).readonly().optional(),
  /** The members that are sent without an old value to compare with, beside `differences`. */
  sent: z
    .array(z.object({ segments: segmentsSchema, value: z.unknown() }))
    .readonly()
    .optional(),
  /** True if `differences` has everything that the write changes. */
  isWhole: z.boolean(),
  /** The reason why no old values are shown, as our sentence; the service's words in it are marked. */
  noDifferences: z.string().optional(),
  /** The reason why it could not be undone afterwards, as a sentence; absent if it could. */
  cannotUndo: z.string().optional(),
  warnings: z.array(warningSchema).readonly(),
});
export type Change = z.infer<typeof changeSchema>;

/** Returns true if every value that would be written is already there. */
export function changesNothing({ differences, isWhole, sent = [] }: Change): boolean {
  return differences?.length === 0 && isWhole && sent.length === 0;
}

/** Returns the change of a write of which only the request can be shown. */
export const unknownChange = (noDifferences?: string): Change => ({
  subject: { kind: 'operation' },
  places: [],
  toldParameters: [],
  isWhole: false,
  warnings: [],
  noDifferences,
});

/** A write before it is sent: the change, the state that an approval is bound to, and the read-back. */
export interface WriteDiff {
  change: Change;
  /** The digest of the old values; undefined if they are unknown. */
  stateDigest?: string;
  /** The read-back, absent if nothing can be read. */
  readBack?: (call: CallOptions) => Promise<ReadBack>;
  /** True if the service reports that the thing to change does not exist. */
  isAbsent?: boolean;
}

/** The result of reading the written thing again; both lists are empty if the service has the sent values. */
export interface ReadBack {
  /** The members with neither the sent nor the old value. */
  differences: JsonDifference[];
  /** The members that still have the old value: accepted changes can take minutes to appear. */
  notYet: JsonDifference[];
  /** The reason why it could not be read back. */
  problem?: unknown;
  /**
   * All that was read, in the form of the change's `after`, or by the members that the write changes. It is
   * for the journal, and no user sees it.
   */
  found?: unknown;
}

export const AS_SENT: ReadBack = { differences: [], notYet: [] };

/**
 * Sorts the differences between sent and found values: a member with its old value is not visible yet, any
 * other differs.
 */
export function sortReadBack(differences: readonly JsonDifference[], before: unknown): ReadBack {
  const isOld = ({ segments, after }: JsonDifference) =>
    before !== undefined && canonicalJson(valueAt(before, segments)) === canonicalJson(after);
  return {
    differences: differences.filter((difference) => !isOld(difference)),
    notYet: differences.filter(isOld),
  };
}

/**
 * Returns the members that already read as wanted and are sent all the same. Reading them afterwards proves
 * nothing.
 */
export function findAlreadySet(
  planned: Change | undefined,
  { differences = [], isWhole }: Change,
): JsonDifference[] {
  if (planned?.differences === undefined) return [];
  // An earlier write with unknown changes, such as a deletion, may not be visible yet.
  const isOverUnknown = planned.isWhole && !isWhole;
  if (isOverUnknown && planned.differences.length === 0) return [{ path: '', segments: [], kind: 'changed' }];
  const read = new Set(planned.differences.map(({ segments }) => JSON.stringify(segments)));
  return differences.filter(({ segments }) => !read.has(JSON.stringify(segments)));
}

/**
 * A member that a write changes, with its whole value; `before` or `after` is absent if the member did not
 * exist.
 */
export const memberSchema = z.object({
  segments: segmentsSchema,
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type MemberChange = z.infer<typeof memberSchema>;
