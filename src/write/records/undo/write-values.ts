/**
 * Defines the recorded values that an undo needs of one write: each member that it touches, with its whole
 * value before and after.
 */

import * as z from 'zod';
import { canonicalJson, shortSha256 } from '../../../base/canonical-json.ts';
import { valueAt } from '../../../base/json-difference.ts';
import { type Change, memberSchema } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import { hasPersonalValues } from '../journal/mask.ts';

export const valuesSchema = z.object({
  parameters: z.record(z.string(), z.unknown()),
  productType: z.string().optional(),
  members: z.array(
    memberSchema.extend({
      /** The values with placeholders, as the assistant saw them; absent where they are the same. */
      shown: z.object({ before: z.unknown().optional(), after: z.unknown().optional() }).optional(),
    }),
  ),
});
export type WriteValues = z.infer<typeof valuesSchema>;

/** One write before it is sent, with the parts to record. */
interface UnsentWrite extends Readonly<Record<'change' | 'shown', Change>> {
  /** The parameters that are sent, with those that the account fills in. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Returns the values that an undo needs. */
export function buildWriteValues({ parameters, body, change, shown }: UnsentWrite): WriteValues {
  const productType = valueAt(body, ['productType']);
  const { subject, places } = change;
  const seen = membersOf(shown);
  return {
    // An undo also restores what the body names in marketplaces beside those of its call.
    parameters: { ...parameters, ...(subject.kind === 'listing' && { marketplaceIds: [...places] }) },
    ...(typeof productType === 'string' && { productType }),
    members: membersOf(change).map((member, at) => {
      const { segments: _place, ...marked } = seen[at] ?? {};
      const { segments: _same, ...values } = member;
      const isSeen = canonicalJson(marked) === canonicalJson(values);
      return isSeen ? member : { ...member, shown: marked };
    }),
  };
}

export const isPersonal = ({ change, shown }: Pick<UnsentWrite, 'change' | 'shown'>) =>
  hasPersonalValues(membersOf(change), membersOf(shown));

/** Returns a key for the listing or store that the write is about. */
export const thingKey = ({ parameters }: Pick<WriteValues, 'parameters'>) =>
  JSON.stringify([parameters.sku, parameters.supplySourceId]);

/** The part of a write's record with which it can be undone. */
export interface UndoValues {
  values?: WriteValues;
  /** True for values that may not lie in clear. */
  isPersonal: boolean;
  /** The reason why the write cannot be undone; its values are not recorded then. */
  cannot?: string | undefined;
  /** The `thingDigest`; absent for anything but a listing or a store. */
  thing?: string | undefined;
}

/** One item of a batch that is sent as a whole, with an entry of its own. */
export interface ItemToRecord extends Omit<UndoValues, 'thing'> {
  /** The item's number in the batch, from 1; `entryIdOf` builds the entry's id from it. */
  n: number;
  values: WriteValues;
  /** The id of the entry that it undoes. */
  undoes?: string | undefined;
  isPart?: boolean | undefined;
}

export interface FeedToRecord {
  account: string;
  /** The digest of the account's owner. */
  owner: string;
  /** The id of the operation that each item is recorded as. */
  operation: string;
  /** The id of the batch. */
  batch: string;
  /** The change of the first item, in short and without personal values. */
  what?: string | undefined;
  items: Iterable<ItemToRecord>;
}

/** Returns a digest of what an entry is about, which does not reveal it. */
export const thingDigest = (values: Pick<WriteValues, 'parameters'>) => shortSha256(thingKey(values), 8);

/**
 * The maximum size of the values of a batch. Larger ones are not stored, and the approval request says so.
 */
export const MAX_LIST_BYTES = 64_000_000;
