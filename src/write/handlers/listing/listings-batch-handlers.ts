/**
 * Provides the functions of a batch of listings, short or long. They compare before sending, send one by one
 * or as feeds, and read back.
 */

import type { AppError } from '../../../base/errors.ts';
import { isRefusal } from '../../../base/failure-of-one.ts';
import { toObject } from '../../../base/json.ts';
import { compareListing, isAsShown, stateDigestOfListing } from '../../model/listing/listing-change.ts';
import type { Write } from '../../model/write.ts';
import type { IsChangedSinceShown } from '../../records/undo/changed-since-shown.ts';
import type { ItemOutcome, Sender } from '../../run/batches/batch.ts';
import type { ComparedState, ReadBackState } from '../../run/items/write-sender.ts';
import type { ToolContext } from '../../session.ts';
import { createListingsSender, expandFeedList } from './batch-as-feeds.ts';
import { createReader, type ListingsScope } from './listings-scope.ts';
import { readListings } from './read-listings.ts';

/** Creates the functions for one marketplace; they outlive the call that they were made for. */
export function buildListingsBatchHandlers(scope: ListingsScope, ctx: ToolContext) {
  /** Reads twenty listings in a call, just before they are sent and after all were accepted. */
  const readAgain = async (writes: readonly Write[], signal: AbortSignal) => {
    const reader = await createReader(scope, { signal, timeoutMs: MAX_READ_MS }, ctx.session);
    return readListings(
      writes.map(({ key }) => key),
      reader,
    );
  };
  const { now } = ctx.session.program;
  const stateDigestNow = (item: unknown, { input: { body } }: Write) =>
    stateDigestOfListing(item, toObject(body).patches, [scope.id], now());
  return {
    /**
     * Compares each listing with what was shown. A listing that is gone counts as changed, and one that the
     * service refuses to show is not sent.
     * @throws the client's errors where the service may answer later
     */
    async checkMany(
      writes: readonly Write[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, ComparedState | ItemOutcome>> {
      const found = await readAgain(writes, signal);
      for (const error of found.unread.values()) if (!isRefusal(error)) throw error;
      return new Map(
        writes.map((write): readonly [string, ComparedState | ItemOutcome] => {
          const { key, stateDigest, input } = write;
          const refusal = found.unread.get(key);
          if (refusal !== undefined) return [key, notRead(refusal)];
          const { patches } = toObject(input.body);
          const isSame = isAsShown(found.get(key)?.item, { patches, stateDigest }, [scope.id], now());
          return [key, isSame ? 'as_shown' : 'changed'];
        }),
      );
    },
    /** Compares each listing with what was sent. */
    async readManyBack(
      writes: readonly Write[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, ReadBackState>> {
      const found = await readAgain(writes, signal);
      return new Map(
        writes.flatMap((write) => {
          const { key, change, stateDigest } = write;
          const listing = found.get(key);
          // Patches with an unknown effect cannot be compared.
          if (listing === undefined || change.differences === undefined) return [];
          // A listing that reads as before counts as not visible, even where it already had the sent values.
          const isSeen = stateDigest === undefined || stateDigestNow(listing.item, write) !== stateDigest;
          return [[key, isSeen ? compareListing(listing.item, change, [scope.id], now()) : 'not_yet']];
        }),
      );
    },
    sender: (writes: Sender, batch: string, isChangedSince: IsChangedSinceShown) =>
      createListingsSender(writes, { scope, batch, isChangedSince, ctx }),
    expand: expandFeedList(scope),
  };
}

const notRead = (refusal: AppError): ItemOutcome => ({
  kind: 'not_sent',
  why: `What it is now could not be read before it was to be sent (${refusal.message}). It was not sent.`,
});

/** The time for one request under the rate limit, while the same limit serves others. */
const MAX_READ_MS = 60_000;
