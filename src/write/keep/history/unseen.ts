/** Writes of ours that reads may not show yet: what they left is not what is read now, and was not read since. */

import { isJsonObject, toObject } from '../../../base/json.ts';
import { type Segments, valueAt, withValueAt } from '../../../base/json-difference.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import type { Change } from '../../model/change.ts';
import { isSameValue, placeWithin } from '../../model/changed-members.ts';
import { kindOf, undoneWith } from '../../model/kinds.ts';
import { attributeOfPatch } from '../../model/listing/apply-patches.ts';
import { OFFER, STOCK, toList } from '../../model/listing/entries.ts';
import type { HistoryEntry } from './history-file.ts';
import { thingDigest } from './kept-lists.ts';
import {
  foundAt,
  indexByThing,
  isAsSent,
  mayBeApplied,
  type OpenEntry,
  placesOf,
  thingOfEntry,
  type WritesByThing,
} from './standing.ts';
import type { WriteValues } from './values.ts';

/** After that, a change that nothing has shown was overwritten by somebody else: listings take minutes, at most a day. */
export const LONGEST_UNSEEN_MS = 86_400_000;

type Parameters = WriteValues['parameters'];

/** What was written from here lately. */
export interface RecentWrites {
  /** Of the same listing or store, the newest first. */
  of(parameters: Parameters): readonly HistoryEntry[];
}

/** @param entries oldest first, of one account of one owner */
export async function indexRecent(entries: readonly HistoryEntry[], now: number): Promise<RecentWrites> {
  const recent = entries.filter((entry) => mayBeApplied(entry) && isRecent(entry, now));
  // What cannot be read any more says nothing.
  return recentOf(await indexByThing(recent, (entry) => thingOfEntry(entry).catch(() => undefined)), now);
}

/** The same of writes that are indexed already. */
export const recentOf = (writes: WritesByThing, now: number): RecentWrites => ({
  of: (parameters) =>
    (writes.get(thingDigest({ parameters })) ?? []).filter((entry) => isRecent(entry, now)).reverse(),
});

const isRecent = ({ time }: HistoryEntry, now: number) => Date.parse(time) >= now - LONGEST_UNSEEN_MS;

/** The write that is planned, and its change as what is read now tells it. */
interface PlannedChange {
  operation: string;
  /** With those that the account fills in. */
  parameters: Parameters;
  body: unknown;
  change: Change;
}

/** Never throws for values that cannot be read any more: then what was written is not known. */
export async function withUnseen(planned: PlannedChange, recent: RecentWrites) {
  const { change, parameters, operation } = planned;
  const nothing = { change, hidden: [] };
  if (change.differences === undefined || change.after === undefined) return nothing;
  const places = change.subject.kind === 'listing' ? change.places : [undefined];
  const pending: Pending[] = [];
  const settled: Settled[] = [];
  const opened: OpenEntry[] = [];
  let unknown: HistoryEntry | undefined;
  for (const entry of recent.of(parameters)) {
    const values = await entry.open().catch(() => undefined);
    if (values === undefined) {
      if (!isAllSettled(planned, places, settled)) unknown ??= entry;
      continue;
    }
    if (values.parameters.sellerId !== parameters.sellerId) continue;
    if (undoneLike(entry.operation) !== undoneLike(operation)) continue;
    opened.push({ entry, values });
    for (const place of places) collect({ entry, values }, place, planned, { pending, settled });
  }
  for (const one of pending) {
    one.isOld = !movesByItself(one) || opened.some(({ values }) => wasBefore(values, one, change));
  }
  if (pending.length === 0 && unknown === undefined) return nothing;
  return overlay(planned, pending, unknown);
}

/** Whether something newer was certainly accepted of each attribute that is patched. */
function isAllSettled(
  { body, operation }: PlannedChange,
  places: readonly (string | undefined)[],
  settled: readonly Settled[],
): boolean {
  if (!operation.endsWith('/patchListingsItem')) return false;
  return attributesIn(body).every((name) =>
    places.every((place) => settled.some((one) => one.place === place && one.segments[1] === name)),
  );
}

interface Settled {
  segments: Segments;
  place: string | undefined;
}
interface Pending extends Settled {
  value: unknown;
  now: unknown;
  entry: HistoryEntry;
  hidden: { value: unknown; shown: unknown } | undefined;
  /** What is read is what was there before one of these writes, so that nobody else has written it since. */
  isOld: boolean;
}

/** Stock sells, and programs set prices: what is offered changes without anything that is submitted. */
const movesByItself = ({ segments }: Pending) => segments[1] === STOCK || segments[1] === OFFER;

function wasBefore(values: WriteValues, { segments, place, now }: Pending, change: Change): boolean {
  const kind = kindOf(change.subject);
  return values.members.some((member) => {
    const inner = placeWithin(member.segments, segments);
    if (inner === undefined) return placeWithin(segments, member.segments) !== undefined;
    const before = kind.within(valueAt(member.before, inner), listOf(place));
    return isAsSent(values, segments, before, now);
  });
}

/** The last write that was certainly accepted is what will be there: what came before it does not matter any more. */
function collect(
  { entry, values }: OpenEntry,
  place: string | undefined,
  planned: PlannedChange,
  { pending, settled }: { pending: Pending[]; settled: Settled[] },
): void {
  const { change } = planned;
  const written = placesOf(values);
  if (place !== undefined && written.length > 0 && !written.includes(place)) return;
  const kind = kindOf(change.subject);
  const state = kind.stateOf(change.before);
  const here = (value: unknown) => kind.within(value, listOf(place));
  for (const [at, { segments, after, shown }] of values.members.entries()) {
    const isSettled = settled.some(
      (one) => one.place === place && placeWithin(one.segments, segments) !== undefined,
    );
    if (isSettled || !touches(planned, segments)) continue;
    const [sent, now] = [here(after), here(valueAt(state, segments))];
    const isSeen = isAsSent(values, segments, sent, now);
    if (isSeen && entry.outcome === 'unknown' && foundAt(values, at).length === 0) continue;
    settled.push({ segments, place });
    // What was read back once, and is not there now, was changed by somebody else.
    if (isSeen || foundAt(values, at).length > 0) continue;
    const hidden = shown === undefined ? undefined : { value: after, shown: shown.after };
    pending.push({ segments, place, value: sent, now, entry, hidden, isOld: true });
  }
}

const listOf = (place: string | undefined) => (place === undefined ? [] : [place]);

/** Whether the write is about this member: a listing's patches name attributes, anything else may be written whole. */
function touches({ operation, body, change }: PlannedChange, [, name = '']: Segments): boolean {
  if (change.subject.kind !== 'listing') return true;
  const isNamed = [change.before, change.after].some(
    (side) => isJsonObject(side) && Object.hasOwn(side, name),
  );
  if (isNamed || !operation.endsWith('/patchListingsItem')) return isNamed || change.isWhole;
  return attributesIn(body).includes(String(name));
}

/** The attribute that a patch changes; undefined where that is not known. */
const attributesIn = (body: unknown) => toList(toObject(body).patches).map(attributeOfPatch);

/** By what it is taken back with: a store's status is no part of its configuration. */
const undoneLike = (operation: string) =>
  operation === 'supply-sources/archiveSupplySource'
    ? 'supply-sources/updateSupplySourceStatus'
    : undoneWith(operation);

function overlay({ change }: PlannedChange, pending: readonly Pending[], unknown: HistoryEntry | undefined) {
  const kind = kindOf(change.subject);
  let before = kind.stateOf(change.before);
  const after = kind.stateOf(change.after);
  // Oldest first: of two that overlap, the newer counts.
  for (const { segments, place, value, now, isOld } of pending.toReversed()) {
    const wanted = kind.within(valueAt(after, segments), listOf(place));
    // What is read is told as what is there, where it was written since by somebody else or by sales, and where a pending
    // write is wanted again. What is read and wanted may still be overwritten by a pending write.
    if (!isSameValue(wanted, now) && (isSameValue(wanted, value) || !isOld)) continue;
    before = withValueAt(before, segments, kind.overlaid(valueAt(before, segments), place, value));
  }
  const was = kind.sideOf(before);
  const warnings = [
    ...pending.map(({ segments, entry }) => ({
      path: segments.join('.'),
      segments,
      message: `was set from here ${localTimeWithZone(entry.time)}, and what was set is not what is read now: it may not be visible yet`,
    })),
    ...(unknown === undefined ? [] : [unknownWarning(unknown)]),
  ];
  return {
    /** What it goes back from is what was last accepted, where that cannot be read yet; told among the warnings. */
    change: {
      ...change,
      before: was,
      differences: kind.compare(was, change.after),
      warnings: [...warnings, ...change.warnings],
      ...(change.sent && { sent: change.sent.filter(({ value }) => !isDeletionOf(value, pending)) }),
      isWhole: change.isWhole && unknown === undefined,
    },
    /** Of what it holds now that was not read, beside what the assistant saw of it. */
    hidden: pending.flatMap(({ hidden }) => hidden ?? []),
  };
}

/** What is deleted and was not read stands among what changes now. */
function isDeletionOf(patch: unknown, pending: readonly Pending[]): boolean {
  if (!isJsonObject(patch) || patch.op !== 'delete') return false;
  return (
    Object.keys(patch).every((name) => ['op', 'path', 'value'].includes(name)) &&
    pending.some(({ segments }) => segments[1] === attributeOfPatch(patch))
  );
}

const unknownWarning = ({ time, operation }: HistoryEntry) => ({
  path: '',
  segments: [],
  message: `was written from here ${localTimeWithZone(time)} (${operation}), and what that changed is not kept: it may not be visible yet`,
});
