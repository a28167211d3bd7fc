/**
 * Finds the conflicts of an undo. It compares the value that a write left with the value now, the last one
 * accepted from here, and the one before the write.
 */

import { isJsonObject } from '../../../base/json.ts';
import { type Segments, valueAt, withValueAt } from '../../../base/json-difference.ts';
import type { MemberChange } from '../../model/change.ts';
import { isSameValue, pathWithin } from '../../model/changed-members.ts';
import { adapterOfRecorded } from '../../model/find-adapter.ts';
import type { MemberSplitter } from '../../model/subject-adapter.ts';
import type { RecordedWrite } from '../journal/entry.ts';
import { thingDigest, thingKey, type WriteValues } from './write-values.ts';
import type { WritesByThing } from './writes-by-thing.ts';

/** One member, with the values that it is expected to have after the writes made from here. */
export type MemberComparison = ReturnType<typeof compareMembers>[number];

/** An entry with its opened values. */
export interface OpenEntry {
  entry: RecordedWrite;
  values: WriteValues & { found?: readonly unknown[] };
}

/** Finds the later writes of the same members. */
export function laterWrites(open: OpenEntry, writes: WritesByThing): Promise<OpenEntry[]> {
  const all = sameThing(open, writes);
  return touching(open, all.slice(indexOfEntry(all, open) + 1));
}

/** Finds the writes of the same members on the day before, which reads may not have shown either. */
export function earlierWrites(open: OpenEntry, writes: WritesByThing): Promise<OpenEntry[]> {
  const all = sameThing(open, writes);
  const since = Date.parse(open.entry.time) - DAY_MS;
  const before = all.slice(0, Math.max(0, indexOfEntry(all, open)));
  return touching(
    open,
    before.filter(({ time }) => Date.parse(time) >= since),
  );
}

const sameThing = ({ values }: OpenEntry, writes: WritesByThing) => writes.get(thingDigest(values)) ?? [];

const indexOfEntry = (all: readonly RecordedWrite[], { entry }: OpenEntry) =>
  all.findIndex(({ id }) => id === entry.id);

/** Returns the entries about the same members; those that cannot be read any more are left out. */
async function touching({ values }: OpenEntry, entries: readonly RecordedWrite[]): Promise<OpenEntry[]> {
  if (entries.length === 0) return [];
  const found: OpenEntry[] = [];
  const splitter = adapterOfRecorded(values).createSplitter();
  const mine = splitWrite(values, splitter);
  for (const entry of entries) {
    const other = await entry.open();
    if (other === undefined || thingKey(other) !== thingKey(values)) continue;
    if (isSameSeller(other, values) && touchesSameMembers(splitWrite(other, splitter), mine))
      found.push({ entry, values: other });
  }
  return found;
}

/** Returns the write by its smallest changed members, without what it only carried along. */
export function splitWrite(values: OpenEntry['values'], splitter: MemberSplitter) {
  const { parameters, found } = values;
  const members = values.members.flatMap((member, at) => {
    const readBack = found && splitter.splitState(withValueAt({}, member.segments, found[at]));
    const isSeen = ({ segments, before, after }: MemberChange, value: unknown) =>
      readBack !== undefined &&
      !isSameValue(value, before) &&
      (isAsSent(values, segments, after, value) || isNormalForm(segments, after, value));
    return splitter.splitMember(member).map((part) => {
      const value = valueAt(readBack, part.segments);
      /**
       * The value as it was read back once. It is empty where nothing was read back, where the write was not
       * visible yet, or where someone else had changed the value by then.
       */
      const seen = isSeen(part, value) ? [value] : [];
      return { ...part, found: seen };
    });
  });
  return { parameters, members };
}

/**
 * Returns whether the service normalized the value: it trims the ends of texts, and gives images addresses of
 * its own.
 */
function isNormalForm(segments: Segments, sent: unknown, found: unknown): boolean {
  if (isJsonObject(sent) && isJsonObject(found)) {
    return Object.keys(sent).every((name) => isNormalForm([...segments, name], sent[name], found[name]));
  }
  if (Array.isArray(sent) && Array.isArray(found)) {
    return sent.length === found.length && sent.every((one, at) => isNormalForm(segments, one, found[at]));
  }
  if (typeof sent !== 'string' || typeof found !== 'string') return isSameValue(sent, found);
  return segments.at(-1) === 'media_location' || normalizeText(sent) === normalizeText(found);
}

const normalizeText = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

const DAY_MS = 86_400_000;

/** Compares the sellers, because a call can name another seller than the account's own, with the same SKU. */
const isSameSeller = (one: ComparedWrite, other: ComparedWrite) =>
  one.parameters.sellerId === other.parameters.sellerId;

/** Returns the entries to undo, with the later ones that must be undone too. */
export async function withLater(
  entries: readonly RecordedWrite[],
  writes: WritesByThing,
): Promise<RecordedWrite[]> {
  const all = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of entries) {
    // The newest write has no later ones, so most entries of a long batch need not be opened.
    if (writes.get(entry.thing ?? '')?.at(-1)?.id === entry.id) continue;
    const values = await entry.open();
    const later = values === undefined ? [] : await laterWrites({ entry, values }, writes);
    for (const one of later) all.set(one.entry.id, one.entry);
  }
  return [...all.values()];
}

type ComparedWrite = Pick<WriteValues, 'parameters' | 'members'>;

/** Returns whether both are about the same members of the same thing. */
export function touchesSameMembers(one: ComparedWrite, other: ComparedWrite): boolean {
  if (!shareMarketplace(marketplaceIdsOf(one), marketplaceIdsOf(other))) return false;
  return one.members.some(({ segments: a }) =>
    other.members.some(({ segments: b }) => (pathWithin(a, b) ?? pathWithin(b, a)) !== undefined),
  );
}

/** Returns whether the marketplaces overlap; an empty array means all of them. */
export const shareMarketplace = (some: readonly string[], others: readonly string[]) =>
  some.length === 0 || others.length === 0 || some.some((place) => others.includes(place));

export const marketplaceIdsOf = ({ parameters }: Pick<WriteValues, 'parameters'>): string[] =>
  [parameters.marketplaceIds].flat().filter((id) => typeof id === 'string');

/** The values that a member may have: as sent, and as read back. */
interface ExpectedValues {
  last: unknown[];
  /** The values that may be read for as long as the last write is not visible. */
  previous: unknown[];
  /** The value before the last write. */
  from: unknown;
}

type SplitWrite = ReturnType<typeof splitWrite>;

/**
 * Compares the smallest members that the write changed with the state now. Their paths are those of `state`,
 * which is `now` in parts.
 * @param later writes of the same thing that came after it and may have been applied, oldest first
 * @param now the state, as `{ attributes }` or as a store's own members
 * @param earlier those before it that may not have been visible yet, oldest first
 */
export function compareMembers(
  { values }: OpenEntry,
  later: readonly OpenEntry[],
  now: unknown,
  earlier: readonly OpenEntry[] = [],
  splitter = adapterOfRecorded(values).createSplitter(),
) {
  // The state from the service has the most selectors, so the entries of the writes are matched to it.
  const state = splitter.splitState(now);
  const splitAll = (all: readonly OpenEntry[]) => all.map((one) => splitWrite(one.values, splitter));
  const [before, after] = [splitAll(earlier), splitAll(later)];
  return splitWrite(values, splitter).members.map(({ segments, before: target, after: left, found }) => {
    const over = (isAfter: boolean) => (known: ExpectedValues, one: SplitWrite) =>
      follow(known, segments, one, { mine: values, isAfter });
    const known = before.reduce(over(false), { last: [], previous: [], from: undefined });
    // A write that was never seen may have replaced another that was not seen either.
    const unseen = found.length > 0 ? [] : [...known.last, ...known.previous];
    const start: ExpectedValues = { last: [left, ...found], previous: [target, ...unseen], from: target };
    const expected = after.reduce(over(true), start);
    const value = valueAt(state, segments);
    const isAmong = (all: readonly unknown[]) => all.some((one) => isAsSent(values, segments, one, value));
    const was = isAmong(expected.previous) ? ('not_visible' as const) : ('changed' as const);
    const is = isAmong(expected.last) ? ('as_left' as const) : was;
    return {
      segments,
      /** The value before the write, which an undo restores. */
      target,
      /** The last value that was accepted before anyone else changed it. */
      last: expected.last[0],
      /** The value before the last accepted one. */
      previous: expected.from,
      now: value,
      /**
       * `not_visible`: the value is still the one before the last write; `changed`: someone else wrote
       * another value.
       */
      is,
    };
  });
}

/**
 * Applies another write to the expected values.
 * @param isAfter the write came later, and counts only where nobody else had changed the value before it
 */
function follow(
  known: ExpectedValues,
  segments: Segments,
  { members }: SplitWrite,
  { mine, isAfter }: { mine: WriteValues; isAfter: boolean },
): ExpectedValues {
  return members.reduce((expected, { segments: place, before, after, found }) => {
    const [outer, inner] = [pathWithin(place, segments), pathWithin(segments, place)];
    const isLinked = (side: unknown, at: Segments = []) =>
      !isAfter ||
      [...expected.last, ...expected.previous].some((one) =>
        isAsSent(mine, [...segments, ...at], valueAt(one, at), side),
      );
    const sides = [after, ...found];
    if (outer !== undefined) {
      const was = valueAt(before, outer);
      if (!isLinked(was)) return expected;
      const last = sides.map((side) => valueAt(side, outer));
      const unseen = found.length > 0 ? [] : [...expected.last, was, ...expected.previous];
      return { last, previous: unseen, from: was };
    }
    if (inner === undefined || !isLinked(before, inner)) return expected;
    const last = expected.last.flatMap((one) => sides.map((side) => withValueAt(one, inner, side)));
    return { last, previous: found.length > 0 ? [] : expected.last, from: expected.last[0] };
  }, known);
}

/** Returns whether the value matches what was sent. The service may add members, or change order or case. */
export function isAsSent(values: WriteValues, segments: Segments, sent: unknown, now: unknown): boolean {
  return isSameValue(sent, now) || adapterOfRecorded(values).isAsSent(segments, sent, now);
}
