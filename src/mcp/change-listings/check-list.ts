/** Listings of a list read again, twenty a call: just before they are sent, and after all were accepted. */

import { basisOfListing, compareListing } from '../../changes/listing-change.ts';
import { isJsonObject } from '../../json.ts';
import { readListings } from '../../listings/read-listings.ts';
import type { ShownAgain } from '../many-writes/run-many.ts';
import type { Found } from '../many-writes/sender.ts';
import type { StoredWrite } from '../many-writes/stored-write.ts';
import type { Session } from '../session.ts';
import { createReader, type ListingsPlace } from './find-place.ts';

/** One turn under the limit, while the same limit serves others. */
const MOST_MS = 60_000;

/** Whether each is still as it was shown; what is gone has changed too. Outlives the call that it was made for. */
export async function checkListings(
  writes: readonly StoredWrite[],
  signal: AbortSignal,
  place: ListingsPlace,
  session: Session,
): Promise<ReadonlyMap<string, Found>> {
  const found = await readAgain(writes, signal, place, session);
  return new Map(
    writes.map(({ key, input, basis }) => {
      const now = basisNow(found.get(key)?.item, input.body, place);
      return [key, now !== undefined && now === basis ? 'as_shown' : 'changed'];
    }),
  );
}

/** What each shows of what was sent. */
export async function readListingsBack(
  writes: readonly StoredWrite[],
  signal: AbortSignal,
  place: ListingsPlace,
  session: Session,
): Promise<ReadonlyMap<string, ShownAgain>> {
  const found = await readAgain(writes, signal, place, session);
  return new Map(
    writes.flatMap(({ key, change, input, basis }) => {
      const listing = found.get(key);
      if (listing === undefined) return [];
      // What reads as before it was sent is not seen, also where that is what was sent.
      const isSeen = basis === undefined || basisNow(listing.item, input.body, place) !== basis;
      return [[key, isSeen ? compareListing(listing.item, change, [place.id]) : 'not_yet']];
    }),
  );
}

function basisNow(item: unknown, body: unknown, { id }: ListingsPlace): string | undefined {
  return basisOfListing(item, isJsonObject(body) ? body.patches : undefined, [id]);
}

async function readAgain(
  writes: readonly StoredWrite[],
  signal: AbortSignal,
  place: ListingsPlace,
  session: Session,
) {
  const reader = await createReader(place, { signal, timeoutMs: MOST_MS }, session);
  return readListings(
    writes.map(({ key }) => key),
    reader,
  );
}
