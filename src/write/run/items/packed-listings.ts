/**
 * Packs the listings of a feed into parts of its item, so that thousands of them stay small in memory and on
 * the disk.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { yieldToEventLoop } from '../../../base/event-loop.ts';
import { isJsonObject, toObject } from '../../../base/json.ts';
import { memberSchema } from '../../model/change.ts';
import type { WriteValues } from '../../records/undo/write-values.ts';
import type { BatchItem } from '../batches/batch.ts';

/** The data of each listing that an undo needs. */
const undoListingSchema = z.object({
  /** Its number in the whole batch, from 1. */
  n: z.int(),
  /** The changed members, absent if the change cannot be undone. */
  members: z.array(memberSchema).optional(),
  isPersonal: z.boolean().optional(),
  /** The reason why it cannot be undone, as shown before approval. */
  cannotUndo: z.string().optional(),
  undoes: z.string().optional(),
  isPart: z.boolean().optional(),
});
export type UndoListing = z.output<typeof undoListingSchema>;

const listingSchema = z.object({
  sku: z.string(),
  productType: z.string(),
  patches: z.array(z.unknown()),
  /** The digest of the shown values. */
  basis: z.string().optional(),
  ...undoListingSchema.shape,
});
export type FeedListing = z.output<typeof listingSchema>;
const listingsSchema = z.array(listingSchema);

/** The number of listings in one part, which is unpacked within a millisecond or two. */
const PART_SIZE = 100;
/** The fastest level; similar listings still shrink to a tenth. */
const LEVEL = { level: 1 };

/** Returns the item's member with the packed listings. */
export async function packListings(listings: Iterable<FeedListing>): Promise<{ packed: string[] }> {
  const packed: string[] = [];
  let part: FeedListing[] = [];
  const pack = async () => {
    packed.push(deflateRawSync(JSON.stringify(part), LEVEL).toString('base64'));
    part = [];
    await yieldToEventLoop();
  };
  for (const listing of listings) {
    part.push(listing);
    if (part.length === PART_SIZE) await pack();
  }
  if (part.length > 0) await pack();
  return { packed };
}

const packedSchema = z.object({ packed: z.array(z.string()) });
/** The form of an earlier version. */
const plainSchema = z.object({ all: listingsSchema });

/**
 * Returns the listings of an item's value, unpacked part by part each time; undefined if it is not our feed.
 */
export function listingsOf(value: unknown): Iterable<FeedListing> | undefined {
  const packed = packedSchema.safeParse(value).data?.packed;
  if (packed === undefined) return plainSchema.safeParse(value).data?.all;
  return {
    *[Symbol.iterator]() {
      for (const part of packed) yield* openPart(part);
    },
  };
}

/** Unpacks a part; its file is known to be the confirmed one. @throws Error otherwise */
const openPart = (part: string): FeedListing[] =>
  listingsSchema.parse(JSON.parse(inflateRawSync(Buffer.from(part, 'base64')).toString('utf8')));

/** Returns true for a feed, without reading its listings. */
export const isListingsFeed = (value: unknown): boolean =>
  isJsonObject(value) && (Array.isArray(value.packed) || Array.isArray(value.all));

/**
 * Returns true if the number of a listing in the whole batch is accepted; undefined if the item is not our
 * feed.
 */
export function feedHasListing({ value }: BatchItem, accepts: (n: number) => boolean): boolean | undefined {
  const listings = listingsOf(value);
  if (listings === undefined) return undefined;
  for (const { n } of listings) if (accepts(n)) return true;
  return false;
}

/** Yields the changes of each listing of a feed; undefined if the item is not our feed. */
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
