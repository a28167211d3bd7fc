/** The values that an undo needs of one write, as they are recorded: the members that it touches, each with its whole value before and after. */

import * as z from 'zod';
import { canonicalJson, shortSha256 } from '../../../base/canonical-json.ts';
import { valueAt } from '../../../base/json-difference.ts';
import { type Change, memberSchema } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import { holdsPersonal } from '../journal/mask.ts';

export const valuesSchema = z.object({
  parameters: z.record(z.string(), z.unknown()),
  productType: z.string().optional(),
  members: z.array(
    memberSchema.extend({
      /** With marks, as the assistant saw them; absent where that is how they are. */
      shown: z.object({ before: z.unknown().optional(), after: z.unknown().optional() }).optional(),
    }),
  ),
});
export type WriteValues = z.infer<typeof valuesSchema>;

/** One write before it is sent, as it is kept. */
interface WriteToKeep extends Readonly<Record<'change' | 'shown', Change>> {
  /** As they are sent, those that the account fills in too. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** What taking it back needs. */
export function valuesOf({ parameters, body, change, shown }: WriteToKeep): WriteValues {
  const productType = valueAt(body, ['productType']);
  const { subject, places } = change;
  const seen = membersOf(shown);
  return {
    // What the body named beside those of its call is put back in its place too.
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

export const isPersonal = ({ change, shown }: Pick<WriteToKeep, 'change' | 'shown'>) =>
  holdsPersonal(membersOf(change), membersOf(shown));

/** The listing or store that it is about, as a key. */
export const thingOf = ({ parameters }: Pick<WriteValues, 'parameters'>) =>
  JSON.stringify([parameters.sku, parameters.supplySourceId]);

/** The part of a write's record with which it can be undone. */
export interface UndoValues {
  values?: WriteValues;
  /** They may not lie in clear. */
  isPersonal: boolean;
  /** Why it cannot be taken back; nothing of its values is kept then. */
  cannot?: string | undefined;
  /** `thingDigest`; absent for what is no listing and no store. */
  thing?: string | undefined;
}

/** One item of a list that goes out as a whole: an entry of its own. */
export interface ItemToRecord extends Omit<UndoValues, 'thing'> {
  /** Its number in the list, from 1: `entryIdOf` makes the entry's id of it. */
  n: number;
  values: WriteValues;
  /** Id of the entry that it takes back. */
  undoes?: string | undefined;
  isPart?: boolean | undefined;
}

export interface FeedToRecord {
  account: string;
  /** Mark of the account's owner. */
  owner: string;
  /** Id of the operation that each stands for. */
  operation: string;
  /** Id of the list. */
  batch: string;
  /** What the first changes, in short and without personal values. */
  what?: string | undefined;
  items: Iterable<ItemToRecord>;
}

/** What an entry is about, without telling it. */
export const thingDigest = (values: Pick<WriteValues, 'parameters'>) => shortSha256(thingOf(values), 8);

/** For all of one list: more is told before the yes, and not kept. */
export const MAX_LIST_BYTES = 64_000_000;
