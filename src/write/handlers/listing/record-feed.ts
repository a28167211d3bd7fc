/**
 * Records the changes of a feed before it is sent, so that each of its listings can be undone; then records
 * each outcome.
 */

import { byteLength } from '../../../base/json.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { membersOf } from '../../model/changed-members.ts';
import { formatChange } from '../../model/format/change-lines.ts';
import { PATCH } from '../../model/listing/apply-patches.ts';
import { END_FACTS, type RecordedOutcome } from '../../model/outcome.ts';
import type { BatchWrite } from '../../plan/prepared-batch.ts';
import { entryIdOf } from '../../records/journal/journal-table.ts';
import { hasPersonalValues, withoutPersonal } from '../../records/journal/mask.ts';
import type { ItemToRecord } from '../../records/undo/write-values.ts';
import type { BatchInfoItem } from '../../run/batches/summary.ts';
import type { UndoListing } from '../../run/items/packed-listings.ts';
import type { Session } from '../../session.ts';
import type { ListingsScope } from './listings-scope.ts';

export function toRecordedListing({ change, shown, undoes, isPart }: BatchWrite, n: number): UndoListing {
  const { cannotUndo } = change;
  const taking = undoes === undefined ? { n } : { n, undoes, ...(isPart !== undefined && { isPart }) };
  if (cannotUndo !== undefined) return { ...taking, cannotUndo };
  const members = membersOf(change);
  const isPersonal = hasPersonalValues(members, shown.change === change ? members : membersOf(shown.change));
  return { ...taking, members, ...(isPersonal ? { isPersonal } : {}) };
}

/**
 * Returns the same writes. Each says that it cannot be undone where the values of all of them are too large
 * to record.
 */
export async function addCannotUndoNotices(
  writes: readonly BatchWrite[],
  session: Session,
): Promise<readonly BatchWrite[]> {
  let bytes = 0;
  for (const { change } of writes) {
    if (change.cannotUndo === undefined) bytes += byteLength(JSON.stringify(membersOf(change)));
  }
  const cannotUndo = bytes === 0 ? undefined : await (await session.journal()).whyNotAll(bytes);
  if (cannotUndo === undefined) return writes;
  return writes.map((write) => {
    const { change, shown } = write;
    if (change.cannotUndo !== undefined) return write;
    return {
      ...write,
      change: { ...change, cannotUndo },
      shown: { ...shown, change: { ...shown.change, cannotUndo } },
    };
  });
}

/** Maximum characters of the recorded change. */
const MAX_CHANGE_CHARACTERS = 400;

export const describeRecordedChange = ({ shown }: BatchWrite) =>
  shortenToCharacters(formatChange(withoutPersonal(shown.change)), MAX_CHANGE_CHARACTERS);

/** @throws ConfigError when they cannot be recorded; nothing may be sent then */
export async function recordFeed(
  { account, ownerDigest, owner, id }: ListingsScope,
  batch: string,
  what: string | undefined,
  listings: Iterable<UndoListing & { sku: string; productType: string }>,
  session: Session,
): Promise<void> {
  const items = function* (): Generator<ItemToRecord> {
    for (const { sku, productType, n, members = [], isPersonal = false, ...rest } of listings) {
      const parameters = { sku, marketplaceIds: [id], sellerId: owner.sellerId };
      yield {
        n,
        isPersonal,
        undoes: rest.undoes,
        isPart: rest.isPart,
        cannot: rest.cannotUndo,
        values: { parameters, productType, members },
      };
    }
  };
  await (await session.journal()).beginList({
    account,
    owner: ownerDigest,
    operation: PATCH,
    batch,
    what,
    items: items(),
  });
}

/** @param numbers the items' numbers by SKU */
export async function recordFeedOutcomes(
  batch: string,
  results: readonly { key: string; outcome?: BatchInfoItem['outcome'] }[],
  numbers: ReadonlyMap<string, number>,
  session: Session,
): Promise<void> {
  const outcomes = results.flatMap(({ key, outcome }): [number, RecordedOutcome][] => {
    const n = numbers.get(key);
    return n === undefined || outcome === undefined ? [] : [[n, END_FACTS[outcome.kind].recorded]];
  });
  await (await session.journal()).endList(batch, outcomes);
}

/** Returns the id with which the change of one listing can be undone. */
export const undoIdOfListing = (batch: string, { n, members }: UndoListing) =>
  members === undefined ? undefined : entryIdOf(batch, n);
