/** The model of a change: of what, where, from which value to which. Question, preview and answer are words for it. */

import * as z from 'zod';
import { canonicalJson } from '../../base/canonical-json.ts';
import { type Difference, type Segments, valueAt } from '../../base/json-difference.ts';
import type { CallOptions } from '../../call/client-types.ts';

const segmentsSchema: z.ZodType<Segments> = z.array(z.union([z.string(), z.number()]));

const differenceSchema: z.ZodType<Difference> = z.object({
  path: z.string(),
  segments: segmentsSchema,
  kind: z.enum(['added', 'removed', 'changed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** What a write changes, as a person knows it. Every text is the service's or the caller's: shown only by src/write/ask. */
const subjectSchema = z.discriminatedUnion('kind', [
  /** A store or warehouse. */
  z.object({
    kind: z.literal('store'),
    id: z.string(),
    alias: z.string().optional(),
    code: z.string().optional(),
  }),
  z.object({ kind: z.literal('listing'), sku: z.string(), title: z.string().optional() }),
  /** Anything else is told by its operation and parameters. */
  z.object({ kind: z.literal('operation') }),
]);
export type Subject = z.infer<typeof subjectSchema>;

/** What is probably wrong with what is sent. */
const warningSchema = z.object({
  /** Dotted place in the body. */
  path: z.string(),
  /** The same place in machine form. Names are the caller's or the service's: escape them where they are shown. */
  segments: segmentsSchema,
  /** Holds values as the caller gave them, JSON-quoted: pass it through the same escaping as other foreign text. */
  message: z.string(),
  /** How to change it, for who makes the call; no part of the question to the person. Holds values like `message`. */
  how: z.string().optional(),
});
export type Warning = z.infer<typeof warningSchema>;

/** One change of one thing, as it is also read from the disk. Many of them make a batch; `before` is what takes it back. */
export const changeSchema = z.object({
  subject: subjectSchema,
  /** Ids of the marketplaces where it counts; empty where the thing belongs to none. */
  places: z.array(z.string()).readonly(),
  /** Parameters that subject and places tell already. */
  toldParameters: z.array(z.string()).readonly(),
  /** The values before, as far as the write touches them; undefined where they are not known. */
  before: z.unknown().optional(),
  /** The same after it. */
  after: z.unknown().optional(),
  /**
   * The values before, with pending writes of ours over them, which an undo restores; absent where none is
   * pending.
   */
  pending: z.unknown().optional(),
  /** Between the two; undefined where they cannot be told. */
  differences: z.array(differenceSchema).readonly().optional(),
  /** Members that are sent without a value before to compare them with, beside `differences`. */
  sent: z
    .array(z.object({ segments: segmentsSchema, value: z.unknown() }))
    .readonly()
    .optional(),
  /** Everything that the write changes is in `differences`. */
  isWhole: z.boolean(),
  /** Why no values before are shown, in a sentence of ours; words of the service in it are marked. */
  noDifferences: z.string().optional(),
  /** Why it could not be taken back afterwards, in a sentence; absent where it could. */
  cannotUndo: z.string().optional(),
  warnings: z.array(warningSchema).readonly(),
});
export type Change = z.infer<typeof changeSchema>;

/** Everything that it would write was read as it is wanted. */
export function changesNothing({ differences, isWhole, sent = [] }: Change): boolean {
  return differences?.length === 0 && isWhole && sent.length === 0;
}

/** A write of which only the request itself can be shown. */
export const unknownChange = (noDifferences?: string): Change => ({
  subject: { kind: 'operation' },
  places: [],
  toldParameters: [],
  isWhole: false,
  warnings: [],
  noDifferences,
});

/** A write before it is sent: what it changes, the state that a yes is good for, and how to read it back. */
export interface WriteDiff {
  change: Change;
  /** Digest of the values before; undefined where they are not known. */
  stateDigest?: string;
  /** Absent where nothing can be read. */
  readBack?: (call: CallOptions) => Promise<ReadBack>;
  /** The service says that what would be changed is not there. */
  isAbsent?: boolean;
}

/** What reading the written thing again has found; both lists are empty when the service has what was sent. */
export interface ReadBack {
  /** Neither what was sent nor what was there before. */
  differences: Difference[];
  /** Still what was there before: accepted changes can take minutes to be seen. */
  notYet: Difference[];
  /** Why it could not be read back, where it could not. */
  problem?: unknown;
  /**
   * All that was read, in the form of the change's `after`, or by the members that the write changes: for the
   * journal, and shown to nobody.
   */
  found?: unknown;
}

export const AS_SENT: ReadBack = { differences: [], notYet: [] };

/**
 * Sorts differences between what was sent and what was found: where the value from before still stands, the change is
 * not visible yet; anything else differs.
 */
export function sortReadBack(differences: readonly Difference[], before: unknown): ReadBack {
  const isOld = ({ segments, after }: Difference) =>
    before !== undefined && canonicalJson(valueAt(before, segments)) === canonicalJson(after);
  return {
    differences: differences.filter((difference) => !isOld(difference)),
    notYet: differences.filter(isOld),
  };
}

/** Of what reads as it is wanted already, what is sent all the same: what is read of it afterwards tells nothing. */
export function alikeOf(planned: Change | undefined, { differences = [], isWhole }: Change): Difference[] {
  if (planned?.differences === undefined) return [];
  // An earlier write of which it is not known what it changes, such as a deletion, may not be visible yet.
  const isOverUnknown = planned.isWhole && !isWhole;
  if (isOverUnknown && planned.differences.length === 0) return [{ path: '', segments: [], kind: 'changed' }];
  const read = new Set(planned.differences.map(({ segments }) => JSON.stringify(segments)));
  return differences.filter(({ segments }) => !read.has(JSON.stringify(segments)));
}

/** A member that a write changes, with its whole value; `before` or `after` is absent where the member was not there. */
export const memberSchema = z.object({
  segments: segmentsSchema,
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type Member = z.infer<typeof memberSchema>;
