/**
 * Withdraws the writes that are undone from their batches before the undo is sent, so that no batch sends
 * them again.
 */

import { InputError } from '../../../base/errors.ts';
import { groupBy } from '../../../base/group-by.ts';
import { count } from '../../../base/text/format-value.ts';
import type { RecordedWrite } from '../../records/journal/entry.ts';
import { entryIdOf } from '../../records/journal/journal-table.ts';
import { thingOfEntry } from '../../records/undo/writes-by-thing.ts';
import type { BatchInfo, BatchInfoItem, BatchSummary } from '../../run/batches/summary.ts';
import { isOver } from '../../run/batches/summary.ts';
import { feedHasListing } from '../../run/items/packed-listings.ts';
import { storedThing } from '../../run/items/stored-write.ts';
import type { Session } from '../../session.ts';

/**
 * Withdraws the entries' items; resolves once none of them is in flight any more.
 * @param whole id of the batch that is undone as a whole, which ends it
 * @throws InputError where an item could still be sent together with others; ConfigError where the store
 * cannot record it
 */
export async function withdrawFromBatches(
  entries: readonly RecordedWrite[],
  whole: string | undefined,
  session: Session,
): Promise<void> {
  const batches = await session.batches();
  if (whole !== undefined) await batches.withdraw(whole);
  for (const [id, some] of groupBy(entries, ({ batch }) => batch)) {
    if (id === undefined || id === whole) continue;
    const info = await batches.info(id);
    if (info !== undefined) await batches.withdraw(id, await findIndexes(info, some));
  }
}

/**
 * Returns the digests of what a batch is still to send, or has not sent and never will, where it sends items
 * one by one.
 */
export async function findUnsentThings(id: string, session: Session): Promise<ReadonlySet<string>> {
  const items = (await (await session.batches()).info(id))?.items ?? [];
  const isUnsent = ({ outcome }: BatchInfoItem) => outcome === undefined || outcome.kind === 'not_sent';
  return new Set(items.filter(isUnsent).flatMap((item) => storedThing(item) ?? []));
}

/**
 * Withdraws these things from the batch, so that it sends nothing more of them.
 * @throws as `withdrawFromBatches`
 */
export async function withdrawUnsent(
  id: string,
  digests: ReadonlySet<string>,
  session: Session,
): Promise<void> {
  const batches = await session.batches();
  const info = await batches.info(id);
  if (info === undefined || isOver(info.state)) return;
  const indexes = info.items.flatMap((item, at) =>
    item.outcome === undefined && digests.has(storedThing(item) ?? '') ? [at] : [],
  );
  if (indexes.length > 0) await batches.withdraw(id, indexes);
}

/** Returns the indexes of the items that made the entries. */
async function findIndexes({ id, items }: BatchInfo, entries: readonly RecordedWrite[]): Promise<number[]> {
  const wanted = new Set<string>();
  for (const entry of entries) {
    wanted.add((await thingOfEntry(entry)) ?? entry.id);
  }
  const ids = new Set(entries.map((entry) => entry.id));
  return items.flatMap((item, at) => {
    const isAmong = feedHasListing(item, (n) => ids.has(entryIdOf(id, n)));
    if (isAmong === undefined) {
      const thing = storedThing(item);
      return thing !== undefined && wanted.has(thing) ? [at] : [];
    }
    if (!isAmong) return [];
    if (item.outcome === undefined) throw stillInFeed(id);
    return [at];
  });
}

function stillInFeed(id: string): InputError {
  return new InputError(
    `It is part of a feed of the list ${id} that has no outcome yet; nothing was taken back.`,
    `Take back the whole list, which ends it (id ${id}), or call again when the feed has ended.`,
  );
}

/**
 * Returns the effect of the undo on an unfinished batch, for the approval request; undefined where the batch
 * has nothing left to send.
 */
export function describeWithdrawal(list: BatchSummary | undefined, isWhole: boolean): string | undefined {
  if (list === undefined || list.counts.pending === 0) return undefined;
  const { id, words, state, total, counts } = list;
  const how = state === 'unfinished' ? 'unfinished' : 'under way';
  if (state !== 'unfinished' && state !== 'under_way' && state !== 'elsewhere') return undefined;
  const done = `${how}, ${count(total - counts.pending)} of ${count(total)} done`;
  return isWhole
    ? `This ends the list ${id} (${words}; ${done}): what it has not sent is never sent.`
    : `What is taken back leaves the list ${id} (${words}; ${done}) for good; the rest of it can still go on.`;
}
