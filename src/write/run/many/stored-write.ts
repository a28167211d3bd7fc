/** One write of a list as it lies on disk while the list is sent, and back: enough for another process to go on with it. */

import * as z from 'zod';
import { canonicalJson } from '../../../base/canonical-json.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { thingDigest } from '../../keep/history/kept-lists.ts';
import { membersOf } from '../../keep/history/members.ts';
import type { WriteValues } from '../../keep/history/values.ts';
import type { Change } from '../../plan/change.ts';
import type { ListedWrite } from '../../plan/listed-write.ts';
import type { BatchItem } from '../batches/types.ts';

const segmentsSchema = z.array(z.union([z.string(), z.number()]));
const changeSchema: z.ZodType<Change> = z.object({
  subject: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('store'),
      id: z.string(),
      alias: z.string().optional(),
      code: z.string().optional(),
    }),
    z.object({ kind: z.literal('listing'), sku: z.string(), title: z.string().optional() }),
    z.object({ kind: z.literal('operation') }),
  ]),
  places: z.array(z.string()),
  toldParameters: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  differences: z
    .array(
      z.object({
        path: z.string(),
        segments: segmentsSchema,
        kind: z.enum(['added', 'removed', 'changed']),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
      }),
    )
    .optional(),
  sent: z.array(z.object({ segments: segmentsSchema, value: z.unknown() })).optional(),
  isWhole: z.boolean(),
  noDifferences: z.string().optional(),
  cannotUndo: z.string().optional(),
  warnings: z.array(z.object({ path: z.string(), segments: segmentsSchema, message: z.string() })),
});
const parametersSchema = z.record(z.string(), z.unknown());
const storedSchema = z.object({
  kind: z.literal('write'),
  operation: z.string(),
  method: z.string(),
  parameters: parametersSchema,
  body: z.unknown().optional(),
  filledIn: z.record(z.string(), z.string()),
  basis: z.string().optional(),
  change: changeSchema,
  /** Absent where nothing of it is personal. */
  shown: z
    .object({ parameters: parametersSchema, body: z.unknown().optional(), change: changeSchema })
    .optional(),
  isMarked: z.boolean(),
  undoes: z.string().optional(),
});

/** A write that was taken from the disk: whose it is is known of the whole list. */
export interface StoredWrite
  extends Pick<ListedWrite, 'key' | 'input' | 'change' | 'shown' | 'basis' | 'marked' | 'undoes'> {
  filledIn: Readonly<Record<string, string>>;
}

/** True where the assistant does not see it as it is sent. */
export function isPersonal({ input, change, shown }: ListedWrite): boolean {
  if (shown.change === change && shown.parameters === input.parameters && shown.body === input.body)
    return false;
  const { parameters, body } = input;
  return (
    canonicalJson([shown.parameters, shown.body, shown.change]) !== canonicalJson([parameters, body, change])
  );
}

export function storeWrite(write: ListedWrite): BatchItem {
  const { key, input, request, change, shown, basis, marked, undoes } = write;
  const { operation, parameters, body } = input;
  const stored: z.input<typeof storedSchema> = {
    kind: 'write',
    operation: operation.id,
    method: request.method,
    parameters,
    body,
    filledIn: { ...request.filledIn },
    basis,
    change,
    isMarked: marked !== undefined,
    undoes,
    ...(isPersonal(write) ? { shown } : {}),
  };
  return { key, value: stored };
}

/** Digest of the listing or store that an item is about; undefined for what is no write of a list. */
export function storedThing({ value }: BatchItem): string | undefined {
  const { data } = storedSchema.safeParse(value);
  return data && thingDigest({ parameters: data.parameters });
}

/** What an item changes; empty for what is no write of a list. */
export function storedValues({ value }: BatchItem): WriteValues[] {
  const { data } = storedSchema.safeParse(value);
  if (data === undefined) return [];
  const members = membersOf(data.change).map(({ segments, ...values }) => ({
    segments: [...segments],
    ...values,
  }));
  return [{ parameters: { ...data.parameters, ...data.filledIn }, members }];
}

/** Undefined for what is no write of a list: another sender's item, or a file of another version. */
export function restoreWrite(
  { key, value }: BatchItem,
  account: string,
  operation: Operation,
): StoredWrite | undefined {
  const { data } = storedSchema.safeParse(value);
  if (data === undefined || data.operation !== operation.id) return undefined;
  const { parameters, body, change, basis, filledIn, undoes } = data;
  const shown = data.shown ?? { parameters, body, change };
  return {
    key,
    // What is there, or was there once, is never refused by our own checks.
    input: { operation, account, parameters, body, basis: undoes === undefined ? change.before : body },
    change,
    shown,
    filledIn,
    ...(basis === undefined ? {} : { basis }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(data.isMarked ? { marked: { parameters: shown.parameters, body: shown.body } } : {}),
  };
}
