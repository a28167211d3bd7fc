/** Builds the result of a batch: the outcome of the whole, and each item under its name for the user. */

import { showText } from '../../../base/text/escape-text.ts';
import { adapterOf } from '../../model/find-adapter.ts';
import { nameOf } from '../../model/format/subject.ts';
import type { MemberValue } from '../../model/member-values.ts';
import { END_OF_RECORDED, type HEADS, type ItemEnd, NO_COUNTS } from '../../model/outcome.ts';
import type { Write } from '../../model/write.ts';
import type { RecordedWrite } from '../../records/journal/entry.ts';
import type { ItemOutcome } from '../batches/batch.ts';
import type { BatchInfo, BatchInfoItem } from '../batches/summary.ts';

export type BatchOutcome = keyof typeof HEADS;

export interface ItemResult {
  key: string;
  name: string;
  /** The outcome, absent while the item is still to be sent. */
  outcome?: ItemOutcome | undefined;
  /** The changed values as the assistant may see them; absent if they are unknown. */
  values?: readonly MemberValue[] | undefined;
  /** The id of its entry in the history, if it differs from the journal's. */
  undoId?: string | undefined;
}

export interface BatchResult {
  outcome: BatchOutcome;
  id: string;
  items: readonly ItemResult[];
  /** The number of all items; `items` may be a part of them. */
  total: number;
  counts: Readonly<Record<ItemEnd | 'pending', number>>;
  /** The reason why it did not continue. */
  why?: string | undefined;
  /** The keys of the items that the user excluded before approval. */
  takenOut?: readonly string[] | undefined;
}

/** Expands one item into several entries, such as the messages of a feed. */
export type Expand = (
  item: BatchInfoItem,
  /** The id of the batch. */
  batch: string,
) => readonly Omit<ItemResult, 'name'>[] | undefined;

export function toBatchResult(
  info: BatchInfo,
  restore: (item: BatchInfoItem) => Write | undefined,
  { expand = () => undefined, isRequest }: { expand?: Expand | undefined; isRequest: boolean },
): BatchResult {
  const items = info.items.flatMap((item): ItemResult[] => {
    const entries = expand(item, info.id);
    if (entries !== undefined) return entries.map((entry) => ({ ...entry, name: entry.key }));
    const change = restore(item)?.shown.change;
    const name = change === undefined ? item.key : nameOf({ key: item.key, change });
    const values = change === undefined ? [] : adapterOf(change.subject).values(change);
    return [{ key: item.key, name, outcome: item.outcome, ...(values.length === 0 ? {} : { values }) }];
  });
  const counts = countKinds(items);
  const outcome = outcomeOf(info, counts, items.length);
  return {
    outcome: outcome === 'done' && isRequest ? 'requested' : outcome,
    id: info.id,
    items,
    counts,
    total: items.length,
    why: info.why,
    takenOut: info.takenOut,
  };
}

/** Builds the result of a batch that can no longer be read: the counts, and each item in the history. */
export function toResultFromJournal(info: BatchInfo, entries: readonly RecordedWrite[]): BatchResult {
  const { id, total, counts, why, takenOut } = info;
  const items = entries.map(({ id: key, what, outcome }) => ({
    key,
    name: what === undefined ? key : showText(what),
    outcome: { kind: END_OF_RECORDED[outcome] },
  }));
  return { outcome: outcomeOf(info, counts, total), id, items, total, counts, why, takenOut };
}

function countKinds(items: readonly ItemResult[]): BatchResult['counts'] {
  const counts = { ...NO_COUNTS };
  for (const { outcome } of items) counts[outcome?.kind ?? 'pending'] += 1;
  return counts;
}

function outcomeOf({ state }: BatchInfo, counts: BatchResult['counts'], total: number): BatchOutcome {
  if (state === 'under_way' || state === 'elsewhere') return 'under_way';
  if (state !== 'ended') return state;
  const accepted = counts.accepted + counts.accepted_not_visible + counts.requested;
  if (accepted === 0) return counts.unknown > 0 ? 'unknown' : 'not_accepted';
  if (accepted < total) return 'partly_accepted';
  if (counts.requested > 0) return 'requested';
  return counts.accepted_not_visible > 0 ? 'accepted_not_visible' : 'done';
}
