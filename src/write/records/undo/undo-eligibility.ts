/** Explains why a write cannot be undone, before its approval and when its undo is requested. */

import { groupBy } from '../../../base/group-by.ts';
import { byteLength } from '../../../base/json.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Change } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import { undoOperationOf } from '../../model/find-adapter.ts';
import { mayBeApplied, type RecordedWrite } from '../journal/entry.ts';
import { hasPersonalValues } from '../journal/mask.ts';

/** The maximum size of the values of one write, which is above that of any listing. */
const MAX_KEPT_BYTES = 400_000;

export interface Undoable {
  operation: Pick<Operation, 'id' | 'effect' | 'group'>;
  change: Change;
  /** The change as the assistant sees it; any difference means that the change contains personal data. */
  shown: Change;
  /** True where the write creates what it is about. */
  isNew?: boolean | undefined;
}

/**
 * Returns why the write cannot be undone; undefined where it can.
 * @param canSeal is called only where personal values would be stored
 */
export async function whyNotUndoable(
  { operation, change, shown, isNew = false }: Undoable,
  canSeal: () => Promise<boolean>,
): Promise<string | undefined> {
  if (operation.effect === 'delete') return 'what is deleted stays deleted.';
  if (undoOperationOf(operation.id) === undefined) return describeNoUndo(operation);
  if (change.differences === undefined) return 'the values before it are not known.';
  if (change.cannotUndo !== undefined) return change.cannotUndo;
  if (isNew) return 'a new listing is only taken back by deleting it.';
  const more = (change.sent ?? []).find(({ segments }) => segments[0] !== 'requirements');
  if (more !== undefined && operation.id.endsWith('/putListingsItem')) {
    return 'it also sends members whose values before it are not known.';
  }
  const members = membersOf(change);
  if (members.length === 0 && more !== undefined) return 'nothing of what was read changes by it.';
  if (byteLength(JSON.stringify(members)) > MAX_KEPT_BYTES) {
    return `the values before and after it are larger than ${MAX_KEPT_BYTES / 1000} kB, and are not kept.`;
  }
  if (!hasPersonalValues(members, membersOf(shown)) || (await canSeal())) return undefined;
  return 'it holds personal data, and without a keychain on this computer their earlier values are not kept.';
}

function describeNoUndo({ id, group, effect }: Undoable['operation']): string {
  if (effect === 'request') return 'it changes nothing.';
  if (/messag|solicitation/.test(group)) return 'a message that was sent stays sent.';
  if (id.startsWith('feeds/')) return 'what feeds of this type change is not compared.';
  if (id === NEW_STORE) return 'a new store stays; archiveSupplySource archives it.';
  return 'only changes of listings and of stores are.';
}

const NEW_STORE = 'supply-sources/createSupplySource';

/**
 * Returns the ids of attempts that no longer describe their batch item, because a later attempt does, or one
 * that may have been applied. A listing in several marketplaces is several items, each of which counts once
 * it may have been applied.
 */
export function supersededAttempts(
  entries: readonly Pick<RecordedWrite, 'id' | 'batch' | 'thing' | 'outcome'>[],
): ReadonlySet<string> {
  const itemOf = ({ batch, thing }: Pick<RecordedWrite, 'batch' | 'thing'>) =>
    batch === undefined || thing === undefined ? undefined : `${batch} ${thing}`;
  const attempts = groupBy(entries, itemOf);
  return new Set(
    [...attempts].flatMap(([item, all]) => {
      if (item === undefined) return [];
      const others = all.filter((one) => !mayBeApplied(one));
      return (others.length < all.length ? others : others.slice(0, -1)).map(({ id }) => id);
    }),
  );
}

/** Maps the id of an entry to the entries that undo all of it, oldest first. */
export type UndoneBy = ReadonlyMap<string, readonly RecordedWrite[]>;

export function deriveUndoneEntries(entries: readonly RecordedWrite[]): UndoneBy {
  const undoing = entries.filter(
    (entry) => entry.undoes !== undefined && entry.isPart !== true && mayBeApplied(entry),
  );
  return groupBy(undoing, ({ undoes = '' }) => undoes);
}

/** Returns the entry that has undone this one and was not undone itself. */
export function findUndoOf(undone: UndoneBy, id: string): RecordedWrite | undefined {
  return undone.get(id)?.findLast((one) => findUndoOf(undone, one.id) === undefined);
}

/**
 * Returns why an undo is blocked, in a sentence; undefined where nothing blocks it, as far as that is known
 * without a read.
 */
export function undoBlockedReason(entry: RecordedWrite, undone: UndoneBy): string | undefined {
  const why = undoBlockedReasonOfMany(entry, undone);
  const by = why === UNDONE ? findUndoOf(undone, entry.id) : undefined;
  if (by === undefined) return why;
  // An undo of several is undone as a whole.
  return `it was undone by ${by.batch ?? by.id}, ${localTimeWithZone(by.time)}; undo that one to make the change again.`;
}

const UNDONE = 'it was undone already.';

/** Returns the reason for one of many, in the same text for all that it applies to. */
export function undoBlockedReasonOfMany(entry: RecordedWrite, undone: UndoneBy): string | undefined {
  if (!mayBeApplied(entry)) return 'it was not accepted, so there is nothing to undo.';
  return entry.cannot ?? (findUndoOf(undone, entry.id) === undefined ? undefined : UNDONE);
}
