/** What became of a list: the outcome of the whole, and each item by the name that a person knows it by. */

import { showText } from '../../../base/text/escape-text.ts';
import type { RecordedWrite } from '../../keep/journal/entry.ts';
import { adapterOf } from '../../model/find-adapter.ts';
import type { MemberValue } from '../../model/member-values.ts';
import { ENDED_AS, type End, type HEADS, NO_COUNTS } from '../../model/outcome.ts';
import { nameOf } from '../../model/words/subject.ts';
import type { Write } from '../../model/write.ts';
import type { ItemOutcome } from '../batches/batch.ts';
import type { BatchInfo, BatchInfoItem } from '../batches/summary.ts';

export type BatchOutcome = keyof typeof HEADS;

export interface ItemResult {
  key: string;
  name: string;
  /** Absent while it is still to be sent. */
  outcome?: ItemOutcome | undefined;
  /** What it changes, as the assistant may see it; absent where that is not known. */
  values?: readonly MemberValue[] | undefined;
  /** Of its entry in the history, where that is another one than the journal's. */
  undoId?: string | undefined;
}

export interface BatchResult {
  outcome: BatchOutcome;
  id: string;
  items: readonly ItemResult[];
  /** Of which `items` may be a part. */
  total: number;
  counts: Readonly<Record<End | 'pending', number>>;
  /** Why it did not go on. */
  why?: string | undefined;
  /** Keys of what the person took out of it before they said yes. */
  takenOut?: readonly string[] | undefined;
}

/** Several entries of one item, such as the messages of a feed. */
export type Expand = (
  item: BatchInfoItem,
  /** Id of the list. */
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

/** Of a list that cannot be read any more: how many ended how, and each that the history knows of. */
export function toResultFromJournal(info: BatchInfo, entries: readonly RecordedWrite[]): BatchResult {
  const { id, total, counts, why, takenOut } = info;
  const items = entries.map(({ id: key, what, outcome }) => ({
    key,
    name: what === undefined ? key : showText(what),
    outcome: { kind: ENDED_AS[outcome] },
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
