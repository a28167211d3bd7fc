/** Whether what a write left is still there: held against what this program last had accepted, and what was there before. */

import { groupBy } from '../../../base/group-by.ts';
import { type Segments, valueAt, withValueAt } from '../../../base/json-difference.ts';
import { localTimeWithZone } from '../../../base/text/local-time.ts';
import { isSameValue, placeWithin } from '../../model/changed-members.ts';
import { kindOfKept } from '../../model/kinds.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { HistoryEntry } from './history-file.ts';
import { thingDigest } from './kept-lists.ts';
import { thingOf, type WriteValues } from './values.ts';

/** One member, and what it should be by what was written from here. */
export type Standing = ReturnType<typeof standingOf>[number];

/** With its values. */
export interface OpenEntry {
  entry: HistoryEntry;
  values: WriteValues & { found?: readonly unknown[] };
}

/** Accepted, or possibly so. */
const APPLIED: readonly Recorded[] = ['done', 'accepted_not_visible', 'requested', 'unknown'];
export const mayBeApplied = ({ outcome }: Pick<HistoryEntry, 'outcome'>) => APPLIED.includes(outcome);

/** By `thingDigest`, oldest first: their values are opened where they are asked for. */
export type WritesByThing = ReadonlyMap<string, readonly HistoryEntry[]>;

/**
 * Those that may have been applied, of the same things as `of`. Of lists with thousands of others, no more is opened than
 * is needed.
 */
export async function indexWrites(
  entries: readonly HistoryEntry[],
  of: readonly HistoryEntry[],
): Promise<WritesByThing> {
  const wanted = await indexByThing(of);
  const all = await indexByThing(entries.filter(mayBeApplied));
  return new Map([...all].filter(([thing]) => wanted.has(thing)));
}

/** Those of which it is known what they are about, in their order. */
export async function indexByThing(
  entries: readonly HistoryEntry[],
  read = thingOfEntry,
): Promise<WritesByThing> {
  const named: { thing: string; entry: HistoryEntry }[] = [];
  for (const entry of entries) {
    const thing = await read(entry);
    if (thing !== undefined) named.push({ thing, entry });
  }
  const things = groupBy(named, ({ thing }) => thing);
  return new Map([...things].map(([thing, some]) => [thing, some.map(({ entry }) => entry)]));
}

/** Undefined where it is known by its values alone, and they cannot be read any more. */
export async function thingOfEntry(entry: HistoryEntry): Promise<string | undefined> {
  if (entry.thing !== undefined) return entry.thing;
  const values = await entry.open();
  return values && thingDigest(values);
}

/** Writes of the same members that came after it. */
export function laterWrites(open: OpenEntry, writes: WritesByThing): Promise<OpenEntry[]> {
  const all = sameThing(open, writes);
  return touching(open, all.slice(placeIn(all, open) + 1));
}

/** Writes of the same members before it that reads may have shown as little as it: of the day before. */
export function earlierWrites(open: OpenEntry, writes: WritesByThing): Promise<OpenEntry[]> {
  const all = sameThing(open, writes);
  const since = Date.parse(open.entry.time) - DAY_MS;
  const before = all.slice(0, Math.max(0, placeIn(all, open)));
  return touching(
    open,
    before.filter(({ time }) => Date.parse(time) >= since),
  );
}

const sameThing = ({ values }: OpenEntry, writes: WritesByThing) => writes.get(thingDigest(values)) ?? [];

const placeIn = (all: readonly HistoryEntry[], { entry }: OpenEntry) =>
  all.findIndex(({ id }) => id === entry.id);

/** Of these, what is about the same members; those that cannot be read any more say nothing. */
async function touching({ values }: OpenEntry, entries: readonly HistoryEntry[]): Promise<OpenEntry[]> {
  const found: OpenEntry[] = [];
  for (const entry of entries) {
    const other = await entry.open();
    if (other === undefined || thingOf(other) !== thingOf(values)) continue;
    if (isSameSeller(other, values) && touches(other, values)) found.push({ entry, values: other });
  }
  return found;
}

const DAY_MS = 86_400_000;

/** A call can name another seller than the account's own, who may have the same SKU. */
const isSameSeller = (one: Touching, other: Touching) =>
  one.parameters.sellerId === other.parameters.sellerId;

/** Entries that are taken back, with those that came after them and are taken back too. */
export async function withLater(
  entries: readonly HistoryEntry[],
  writes: WritesByThing,
): Promise<HistoryEntry[]> {
  const all = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of entries) {
    // Nothing stands behind the last one: of a long list, most need not be opened.
    if (writes.get(entry.thing ?? '')?.at(-1)?.id === entry.id) continue;
    const values = await entry.open();
    const later = values === undefined ? [] : await laterWrites({ entry, values }, writes);
    for (const one of later) all.set(one.entry.id, one.entry);
  }
  return [...all.values()];
}

type Touching = Pick<WriteValues, 'parameters' | 'members'>;

/** Both are about the same members of the same thing. */
export function touches(one: Touching, other: Touching): boolean {
  if (!sharePlace(placesOf(one), placesOf(other))) return false;
  return one.members.some(({ segments: a }) =>
    other.members.some(({ segments: b }) => (placeWithin(a, b) ?? placeWithin(b, a)) !== undefined),
  );
}

/** A write without any is for all. */
const sharePlace = (some: readonly string[], others: readonly string[]) =>
  some.length === 0 || others.length === 0 || some.some((place) => others.includes(place));

export const placesOf = ({ parameters }: Pick<WriteValues, 'parameters'>): string[] =>
  [parameters.marketplaceIds].flat().filter((id) => typeof id === 'string');

/** A member as it may stand: as it was sent, and as it was read back. */
interface Expected {
  last: unknown[];
  previous: unknown[];
}

/**
 * @param later writes of the same thing that came after it and may have been applied, oldest first
 * @param now the state, as `{ attributes }` or as a store's own members
 * @param earlier those before it that may not have been visible yet, oldest first
 */
export function standingOf(
  { values }: OpenEntry,
  later: readonly OpenEntry[],
  now: unknown,
  earlier: readonly OpenEntry[] = [],
) {
  return values.members.map(({ segments, before, after }, at) => {
    const nothing: Expected = { last: [], previous: [] };
    const known = earlier.reduce((made, one) => follow(made, segments, one, values), nothing);
    const found = foundAt(values, at);
    // What was never seen may have been written over something that was not seen either.
    const unseen = found.length > 0 ? [] : [...known.last, ...known.previous];
    const start: Expected = { last: [after, ...found], previous: [before, ...unseen] };
    const expected = later.reduce((known, one) => follow(known, segments, one, values), start);
    const value = valueAt(now, segments);
    const isOne = (all: readonly unknown[]) => all.some((one) => isAsSent(values, segments, one, value));
    const was = isOne(expected.previous) ? ('not_visible' as const) : ('changed' as const);
    const is = isOne(expected.last) ? ('as_left' as const) : was;
    return {
      segments,
      /** Before the write: what taking it back restores. */
      target: before,
      /** What was last accepted. */
      last: expected.last[0],
      /** What was there before that. */
      previous: expected.previous[0],
      now: value,
      /** `not_visible`: still what was there before the last write; `changed`: neither, so somebody else wrote it. */
      is,
    };
  });
}

/** What a later write made of it. */
function follow(known: Expected, segments: Segments, { values }: OpenEntry, mine: WriteValues): Expected {
  return values.members.reduce((expected, member, at) => {
    const [outer, inner] = [placeWithin(member.segments, segments), placeWithin(segments, member.segments)];
    // Of a write for other marketplaces as well, what counts in those that this one is about.
    const scoped = (side: unknown) => kindOfKept(mine).within(side, placesOf(mine));
    const sides = [member.after, ...foundAt(values, at)].map(scoped);
    if (outer !== undefined) {
      const last = sides.map((side) => valueAt(side, outer));
      const before = valueAt(scoped(member.before), outer);
      const unseen = foundAt(values, at).length > 0 ? [] : expected.previous;
      return { last, previous: [...expected.last, before, ...unseen] };
    }
    if (inner === undefined) return expected;
    const last = expected.last.flatMap((one) => sides.map((side) => withValueAt(one, inner, side)));
    return { last, previous: expected.last };
  }, known);
}

/** Not where the old value was read, since the new one was not visible yet. */
export function foundAt({ found, members }: OpenEntry['values'], at: number): unknown[] {
  return found === undefined || isSameValue(found[at], members[at]?.before) ? [] : [found[at]];
}

/** The service may add members, and answer the same in another order or another case. */
export function isAsSent(values: WriteValues, segments: Segments, sent: unknown, now: unknown): boolean {
  return isSameValue(sent, now) || kindOfKept(values).isAsSent(segments, sent, now);
}

/** Entries by the one that they take back, oldest first. */
export type UndoneBy = ReadonlyMap<string, readonly HistoryEntry[]>;

export function indexUndone(entries: readonly HistoryEntry[]): UndoneBy {
  const undoing = entries.filter((entry) => entry.undoes !== undefined && mayBeApplied(entry));
  return groupBy(undoing, ({ undoes = '' }) => undoes);
}

/** The entry that has taken this one back, where one has and was not taken back itself. */
export function takenBackBy(undone: UndoneBy, id: string): HistoryEntry | undefined {
  return undone.get(id)?.findLast((one) => takenBackBy(undone, one.id) === undefined);
}

/** In a sentence; undefined where it can be taken back as far as that is known without reading anything. */
export function whyNotNow(entry: HistoryEntry, undone: UndoneBy): string | undefined {
  const why = whyNotOfMany(entry, undone);
  const by = why === UNDONE ? takenBackBy(undone, entry.id) : undefined;
  if (by === undefined) return why;
  return `it was undone already, ${localTimeWithZone(by.time)}, by ${by.id}; undoing that one makes the change again.`;
}

const UNDONE = 'it was undone already.';

/** The same for one of many: alike for all that it holds for. */
export function whyNotOfMany(entry: HistoryEntry, undone: UndoneBy): string | undefined {
  if (!mayBeApplied(entry)) return 'it was not accepted, so there is nothing to undo.';
  return entry.cannot ?? (takenBackBy(undone, entry.id) === undefined ? undefined : UNDONE);
}
