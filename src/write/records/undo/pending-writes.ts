/**
 * Finds writes of ours that reads may not show yet: their values are not what is read now, and were not read
 * since.
 */

import { isJsonObject, toObject } from '../../../base/json.ts';
import { differenceAt, type Segments, valueAt, withValueAt } from '../../../base/json-difference.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Change } from '../../model/change.ts';
import { isSameValue, pathWithin } from '../../model/changed-members.ts';
import { adapterOf, undoOperationOf } from '../../model/find-adapter.ts';
import { attributeOfPatch } from '../../model/listing/apply-patches.ts';
import { toList } from '../../model/listing/entries.ts';
import type { SubjectAdapter } from '../../model/subject-adapter.ts';
import { mayBeApplied, type RecordedWrite } from '../journal/entry.ts';
import { isAsSent, marketplaceIdsOf, shareMarketplace, splitWrite } from './undo-conflicts.ts';
import { thingDigest, type WriteValues } from './write-values.ts';
import { indexByThing, thingOfEntry, type WritesByThing } from './writes-by-thing.ts';

/**
 * After that time, a change that no read has shown was overwritten by someone else: listings take minutes, at
 * most a day.
 */
export const MAX_PENDING_MS = 86_400_000;

type RecordedParameters = WriteValues['parameters'];

/** The recent writes made from here. */
export interface RecentWrites {
  /** Returns those of the same listing or store, the newest first. */
  of(parameters: RecordedParameters): readonly RecordedWrite[];
  /** The ids of writes that were found to be read as sent, for `recordSeen`. */
  seen?: Set<string>;
}

/**
 * Indexes the recent writes by what they are about.
 * @param entries oldest first, of one account of one owner
 */
export async function indexRecent(entries: readonly RecordedWrite[], now: number): Promise<RecentWrites> {
  const recent = entries.filter((entry) => mayBeApplied(entry) && isRecent(entry, now));
  // A write that cannot be read any more is left out.
  return recentOf(await indexByThing(recent, (entry) => thingOfEntry(entry).catch(() => undefined)), now);
}

/** Returns the recent writes of an existing index. */
export const recentOf = (writes: WritesByThing, now: number): RecentWrites => ({
  of: (parameters) =>
    (writes.get(thingDigest({ parameters })) ?? []).filter((entry) => isRecent(entry, now)).reverse(),
  seen: new Set(),
});

const isRecent = ({ time }: RecordedWrite, now: number) => Date.parse(time) >= now - MAX_PENDING_MS;

/** The planned write, with its change as computed from the current state. */
interface PlannedChange {
  operation: string;
  /** The parameters, with those that the account fills in. */
  parameters: RecordedParameters;
  body: unknown;
  change: Change;
}

/**
 * Returns the change beside the pending writes of the same members; the side before stays what is read. It
 * never throws for values that can no longer be read: what was written then counts as unknown.
 */
export async function addPending(planned: PlannedChange, recent: RecentWrites) {
  const { change, parameters, operation } = planned;
  const adapter = adapterOf(change.subject);
  const read = adapter.stateOf(change.before);
  const nothing = { change, hidden: [] };
  if (change.differences === undefined || change.after === undefined) return nothing;
  const { places } = change;
  const found = await findPending(
    { operation, parameters, places, adapter, state: read, attributes: attributesOf(planned) },
    recent,
  );
  const { pending, unknown, hidden } = found;
  if (pending.length === 0 && unknown === undefined) return nothing;
  return { change: withPendingSide(change, found), hidden };
}

interface PendingQuery extends Pick<PlannedChange, 'operation' | 'parameters'> {
  /** The marketplaces where the write counts; an empty array means all of them. */
  places: readonly string[];
  adapter: SubjectAdapter;
  /** The state as it is read. */
  state: unknown;
  /** The attributes of a listing that matter; absent where all of the state does. */
  attributes?: ReadonlySet<string> | undefined;
}

/**
 * Finds pending writes of ours by their smallest members, oldest first, and the state once all of them are
 * visible.
 */
export async function findPending(written: PendingQuery, recent: RecentWrites) {
  const { parameters, operation, adapter, places, attributes } = written;
  const splitter = adapter.createSplitter();
  const state = splitter.splitState(written.state);
  const opened: WriteByMembers[] = [];
  /** `older` is the index of the first older write in `opened`. */
  const unread: (PendingMember & { older: number })[] = [];
  const settled: Segments[] = [];
  const hidden: { value: unknown; shown: unknown }[] = [];
  const seen: { entry: RecordedWrite; newer: number }[] = [];
  let unknown: RecordedWrite | undefined;
  const isHere = (segments: Segments) => {
    const memberPath = splitter.marketplaceOf(segments);
    const isNamed = attributes === undefined || attributes.has(String(segments[1]));
    return isNamed && (memberPath === undefined || places.length === 0 || places.includes(memberPath));
  };
  for (const entry of recent.of(parameters)) {
    const values = await entry.open().catch(() => undefined);
    if (values === undefined) {
      if (attributes === undefined || ![...attributes].every((name) => isAllSettled(name, places, settled)))
        unknown ??= entry;
      continue;
    }
    if (values.parameters.sellerId !== parameters.sellerId) continue;
    if (undoneLike(entry.operation) !== undoneLike(operation)) continue;
    if (!shareMarketplace(marketplaceIdsOf(values), places)) continue;
    const write = splitWrite(values, splitter);
    opened.push(write);
    const found = pendingIn(write, entry, { state, settled, values });
    for (const one of found.pending) if (isHere(one.segments)) unread.push({ ...one, older: opened.length });
    settled.push(...found.settled);
    if (found.isSeen) seen.push({ entry, newer: opened.length });
    if (found.pending.length > 0) hidden.push(...findPlaceholders(values));
  }
  for (const { entry, newer } of seen) {
    const { members = [] } = opened[newer - 1] ?? {};
    const isOlder = ({ segments }: { segments: Segments }) =>
      opened
        .slice(newer)
        .some((write) => had(notReadBack(write), 'before', segments, valueAt(state, segments)));
    // A value that an older pending write replaced may still be the one from before that write.
    if (!members.some(isOlder)) recent.seen?.add(entry.id);
  }
  // A write is pending only where the current value is one from before these writes, or one that an older of
  // them set. Otherwise someone else has changed it since.
  const pending = unread
    .filter(({ segments, older }) => {
      const now = valueAt(state, segments);
      return opened.some(
        (write, at) =>
          had(write, 'before', segments, now) || (at >= older && had(write, 'after', segments, now)),
      );
    })
    .toReversed();
  const visible = pending.reduce<unknown>(
    (made, { segments, value }) => withValueAt(made, segments, value),
    state,
  );
  return { pending, unknown, hidden: pending.length === 0 ? [] : hidden, state: splitter.joinState(visible) };
}

type WriteByMembers = ReturnType<typeof splitWrite>;
/** A part that was written but is not read yet. */
interface PendingMember {
  segments: Segments;
  value: unknown;
  entry: RecordedWrite;
}

/**
 * Finds the pending parts of a write. The last write that was certainly accepted decides, so earlier ones no
 * longer matter.
 */
function pendingIn(
  { members }: WriteByMembers,
  entry: RecordedWrite,
  { state, settled, values }: { state: unknown; settled: readonly Segments[]; values: WriteValues },
) {
  const pending: PendingMember[] = [];
  const ended: Segments[] = [];
  let isSeenFirst = false;
  for (const { segments, after, found } of members) {
    if (settled.some((one) => pathWithin(one, segments) !== undefined)) continue;
    const isSeen = isAsSent(values, segments, after, valueAt(state, segments));
    if (isSeen && entry.outcome === 'unknown' && found.length === 0) continue;
    ended.push(segments);
    isSeenFirst ||= isSeen && found.length === 0;
    // A value that was read back once and is gone now was changed by someone else.
    if (!isSeen && found.length === 0) pending.push({ segments, value: after, entry });
  }
  return { pending, settled: ended, isSeen: isSeenFirst && pending.length === 0 };
}

/** Returns whether something newer was certainly accepted for the attribute in each of the marketplaces. */
const isAllSettled = (name: string, places: readonly string[], settled: readonly Segments[]) =>
  places.every((memberPath) =>
    settled.some(
      ([, attribute, key]) => attribute === name && String(key).includes(JSON.stringify(memberPath)),
    ),
  );

const notReadBack = ({ members }: WriteByMembers) => ({
  members: members.filter(({ found }) => found.length === 0),
});

/**
 * Returns whether the member had the value before or after the write. The value before a write of a smaller
 * part counts as possible.
 */
function had(
  { members }: Pick<WriteByMembers, 'members'>,
  when: 'before' | 'after',
  segments: Segments,
  now: unknown,
): boolean {
  return members.some((member) => {
    const inner = pathWithin(member.segments, segments);
    if (inner === undefined) return when === 'before' && pathWithin(segments, member.segments) !== undefined;
    return isSameValue(valueAt(member[when], inner), now);
  });
}

const findPlaceholders = ({ members }: WriteValues) =>
  members.flatMap(({ after, shown }) => (shown === undefined ? [] : [{ value: after, shown: shown.after }]));

/**
 * Returns the attributes that the write is about: patches name theirs, and another write may replace the
 * whole listing.
 */
function attributesOf({ operation, body, change }: PlannedChange): ReadonlySet<string> | undefined {
  if (change.subject.kind !== 'listing') return undefined;
  const isPatch = operation.endsWith('/patchListingsItem');
  if (!isPatch && change.isWhole) return undefined;
  const named = isPatch
    ? toList(toObject(body).patches).flatMap((patch) => attributeOfPatch(patch) ?? [])
    : [];
  const known = [change.before, change.after].flatMap((side) => Object.keys(toObject(side)));
  return new Set([...named, ...known]);
}

/** Returns the operation that undoes a write; a store's status is no part of its configuration. */
const undoneLike = (operation: string) =>
  operation === 'supply-sources/archiveSupplySource'
    ? 'supply-sources/updateSupplySourceStatus'
    : undoOperationOf(operation);

function withPendingSide(change: Change, found: Awaited<ReturnType<typeof findPending>>): Change {
  const { pending, unknown } = found;
  const adapter = adapterOf(change.subject);
  const state = adapter.stateOf(change.before);
  const coming = pending.length === 0 ? change.before : adapter.sideOf(found.state);
  const read = adapter.compare(change.before, change.after);
  const isRead = new Set(read.map(({ segments }) => JSON.stringify(segments)));
  // A value that already reads as wanted is sent once more, because a pending write would overwrite it.
  const again = adapter
    .compare(coming, change.after)
    .filter(({ segments }) => !isRead.has(JSON.stringify(segments)))
    .map(({ segments, path, after }) => differenceAt(segments, valueAt(state, segments), after, path));
  const side = pendingSide(change, found);
  return {
    ...change,
    ...(side !== undefined && { pending: side }),
    differences: [...read, ...again],
    warnings: [
      ...pendingWarnings(pending),
      ...(unknown === undefined ? [] : [unknownWarning(unknown)]),
      ...change.warnings,
    ],
    ...(change.sent && { sent: change.sent.filter(({ value }) => !isDeletionOf(value, pending)) }),
    isWhole: change.isWhole && unknown === undefined,
  };
}

/**
 * Returns the side that an undo of the change restores. It is undefined where the change only repeats pending
 * writes, because an undo then restores what is read.
 */
function pendingSide(
  { subject, before, after }: Change,
  { pending, state }: Awaited<ReturnType<typeof findPending>>,
): unknown {
  const adapter = adapterOf(subject);
  const memberOf = (segments: Segments) => (subject.kind === 'listing' ? String(segments[1]) : '');
  const differences = adapter.compare(adapter.sideOf(state), after);
  const changed = new Set(differences.map(({ segments }) => memberOf(segments)));
  const left = pending.filter(({ segments }) => changed.has(memberOf(segments)));
  if (left.length === 0) return undefined;
  const { joinState, splitState } = adapter.createSplitter();
  const put = (made: unknown, { segments, value }: PendingMember) => withValueAt(made, segments, value);
  return adapter.sideOf(joinState(left.reduce<unknown>(put, splitState(adapter.stateOf(before)))));
}

/** Returns one warning for each write and each member with a name of its own. */
function pendingWarnings(pending: readonly PendingMember[]) {
  const all = pending.map(({ segments, entry }) => {
    const memberPath = segments[0] === 'attributes' ? segments.slice(0, 2) : segments;
    const message = `was set from here ${localTimeWithZone(entry.time)}, and what was set is not what is read now: it may not be visible yet`;
    return { path: memberPath.join('.'), segments: memberPath, message };
  });
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns whether the patch deletes a pending member; the changes already show that deletion. */
function isDeletionOf(patch: unknown, pending: readonly PendingMember[]): boolean {
  if (!isJsonObject(patch) || patch.op !== 'delete') return false;
  return (
    Object.keys(patch).every((name) => ['op', 'path', 'value'].includes(name)) &&
    pending.some(({ segments }) => segments[1] === attributeOfPatch(patch))
  );
}

const unknownWarning = ({ time, operation }: RecordedWrite) => ({
  path: '',
  segments: [],
  message: `was written from here ${localTimeWithZone(time)} (${operation}), and what that changed is not kept: it may not be visible yet`,
});
