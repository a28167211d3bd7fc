/**
 * Converts one write of a batch to its stored form and back, so that another process can resume the batch.
 */

import * as z from 'zod';
import type { AccountProfile } from '../../../accounts/account.ts';
import { canonicalJson } from '../../../base/canonical-json.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { changeSchema } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import type { Write } from '../../model/write.ts';
import { thingDigest, type WriteValues } from '../../records/undo/write-values.ts';
import type { BatchItem } from '../batches/batch.ts';

const parametersSchema = z.record(z.string(), z.unknown());
const storedSchema = z.object({
  kind: z.literal('write'),
  operation: z.string(),
  parameters: parametersSchema,
  body: z.unknown().optional(),
  filledIn: z.record(z.string(), z.string()),
  basis: z.string().optional(),
  change: changeSchema,
  /** The masked form, absent if nothing of the write is personal. */
  shown: z
    .object({ parameters: parametersSchema, body: z.unknown().optional(), change: changeSchema })
    .optional(),
  isMarked: z.boolean(),
  undoes: z.string().optional(),
  isPart: z.boolean().optional(),
});

/** Returns true if the assistant sees it in another form than the one that is sent. */
export function isPersonal({ input, change, shown }: Write): boolean {
  if (shown.change === change && shown.parameters === input.parameters && shown.body === input.body)
    return false;
  const { parameters, body } = input;
  return (
    canonicalJson([shown.parameters, shown.body, shown.change]) !== canonicalJson([parameters, body, change])
  );
}

export function toStoredItem(write: Write): BatchItem {
  const { key, input, request, change, shown, stateDigest, marked, undoes, isPart } = write;
  const { operation, parameters, body } = input;
  const stored: z.input<typeof storedSchema> = {
    kind: 'write',
    operation: operation.id,
    parameters,
    body,
    filledIn: { ...request.filledIn },
    basis: stateDigest,
    change,
    isMarked: marked !== undefined,
    undoes,
    isPart,
    ...(isPersonal(write) ? { shown } : {}),
  };
  return { key, value: stored };
}

/** Returns the digest of the item's listing or store; undefined if the item is no write of a batch. */
export function storedThing({ value }: BatchItem): string | undefined {
  const { data } = storedSchema.safeParse(value);
  return data && thingDigest({ parameters: data.parameters });
}

/** Returns the changes of an item; empty if it is no write of a batch. */
export function storedValues({ value }: BatchItem): WriteValues[] {
  const { data } = storedSchema.safeParse(value);
  if (data === undefined) return [];
  return [{ parameters: { ...data.parameters, ...data.filledIn }, members: membersOf(data.change) }];
}

/** The members that all writes of a batch have in common. */
export interface WriteOwner {
  account: string;
  operation: Operation;
  owner: AccountProfile;
}

/** Restores a write; undefined for another sender's item, or a file of another version. */
export function fromStoredItem(
  { key, value }: BatchItem,
  { account, operation, owner }: WriteOwner,
): Write | undefined {
  const { data } = storedSchema.safeParse(value);
  if (data === undefined || data.operation !== operation.id) return undefined;
  const { parameters, body, change, basis, filledIn, undoes, isPart } = data;
  const shown = data.shown ?? { parameters, body, change };
  // Our own checks never refuse a value that is there, or was there once.
  const answeredBody = undoes === undefined ? change.before : body;
  return {
    key,
    input: { operation, account, parameters, body, answeredBody },
    change,
    shown,
    request: { filledIn, owner },
    stateDigest: basis,
    undoes,
    ...(isPart !== undefined && { isPart }),
    ...(data.isMarked ? { marked: { parameters: shown.parameters, body: shown.body } } : {}),
  };
}
