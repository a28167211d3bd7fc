/** The listings of a feed as its item holds them: packed in parts, so that thousands of them are one small item in memory and on the disk. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { letOthersRun } from '../../../base/event-loop.ts';
import { isJsonObject, toObject } from '../../../base/json.ts';
import type { WriteValues } from '../../keep/undo/write-values.ts';
import { memberSchema } from '../../model/change.ts';
import type { BatchItem } from '../batches/batch.ts';

/** What is kept of each listing, so that it can be taken back. */
const keptListingSchema = z.object({
  /** Its number in the whole list, from 1. */
  n: z.int(),
  /** Absent where it cannot be taken back. */
  members: z.array(memberSchema).optional(),
  isPersonal: z.boolean().optional(),
  /** Why it cannot be taken back, as it was told before the yes. */
  cannotUndo: z.string().optional(),
  undoes: z.string().optional(),
  isPart: z.boolean().optional(),
});
export type KeptListing = z.output<typeof keptListingSchema>;

const listingSchema = z.object({
  sku: z.string(),
  productType: z.string(),
  patches: z.array(z.unknown()),
  /** Digest of the values that were shown. */
  basis: z.string().optional(),
  ...keptListingSchema.shape,
});
export type FeedListing = z.output<typeof listingSchema>;
const listingsSchema = z.array(listingSchema);

/** Listings of one part: opened together, within a millisecond or two. */
const A_PART = 100;
/** Fast, and listings that are alike become a tenth. */
const LEVEL = { level: 1 };

/** The member of an item that holds them. */
export async function packListings(listings: Iterable<FeedListing>): Promise<{ packed: string[] }> {
  const packed: string[] = [];
  let part: FeedListing[] = [];
  const pack = async () => {
    packed.push(deflateRawSync(JSON.stringify(part), LEVEL).toString('base64'));
    part = [];
    await letOthersRun();
  };
  for (const listing of listings) {
    part.push(listing);
    if (part.length === A_PART) await pack();
  }
  if (part.length > 0) await pack();
  return { packed };
}

const packedSchema = z.object({ packed: z.array(z.string()) });
/** Of an earlier version. */
const plainSchema = z.object({ all: listingsSchema });

/** Of an item's value, opened part by part each time; undefined for what is no feed of ours. */
export function listingsOf(value: unknown): Iterable<FeedListing> | undefined {
  const packed = packedSchema.safeParse(value).data?.packed;
  if (packed === undefined) return plainSchema.safeParse(value).data?.all;
  return {
    *[Symbol.iterator]() {
      for (const part of packed) yield* openPart(part);
    },
  };
}

/** The file that it stands in is known to be what was confirmed. @throws Error otherwise */
const openPart = (part: string): FeedListing[] =>
  listingsSchema.parse(JSON.parse(inflateRawSync(Buffer.from(part, 'base64')).toString('utf8')));

/** Without a look at its listings. */
export const isListingsFeed = (value: unknown): boolean =>
  isJsonObject(value) && (Array.isArray(value.packed) || Array.isArray(value.all));

/** Whether one of the listings of a feed has such a number within the whole list; undefined for an item that is no feed of ours. */
export function feedHolds({ value }: BatchItem, accepts: (n: number) => boolean): boolean | undefined {
  const listings = listingsOf(value);
  if (listings === undefined) return undefined;
  for (const { n } of listings) if (accepts(n)) return true;
  return false;
}

/** What each listing of a feed changes; undefined for an item that is no feed of ours. */
export function valuesOfFeed({ value }: BatchItem): Iterable<WriteValues> | undefined {
  const listings = listingsOf(value);
  const { marketplaceIds } = toObject(value);
  return (
    listings && each(listings, ({ sku, members = [] }) => ({ parameters: { sku, marketplaceIds }, members }))
  );
}

function* each<From, To>(all: Iterable<From>, make: (one: From) => To): Generator<To> {
  for (const one of all) yield make(one);
}
