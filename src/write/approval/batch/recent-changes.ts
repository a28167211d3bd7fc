/**
 * Finds batches that changed the same things from here within a day, or will. A new chat does not know of
 * them, so the question names them.
 */

import { count } from '../../../base/text/format-value.ts';
import type { Change } from '../../model/change.ts';
import { membersOf } from '../../model/changed-members.ts';
import { type Author, formatAuthor } from '../../records/author.ts';
import { mayBeApplied, type RecordedWrite } from '../../records/journal/entry.ts';
import { touchesSameMembers } from '../../records/undo/undo-conflicts.ts';
import { deriveUndoneEntries, findUndoOf } from '../../records/undo/undo-eligibility.ts';
import type { WriteValues } from '../../records/undo/write-values.ts';
import { thingDigest } from '../../records/undo/write-values.ts';
import { formatAge } from '../../run/batches/format-unfinished.ts';
import type { BatchSummary } from '../../run/batches/summary.ts';
import { isOver } from '../../run/batches/summary.ts';
import { valuesOfFeed } from '../../run/items/packed-listings.ts';
import { storedValues } from '../../run/items/stored-write.ts';
import type { Session } from '../../session.ts';

const DAY_MS = 24 * 3_600_000;
/** The max number of batches that are named; of more, the newest. */
const MAX_BATCHES = 3;

interface WriteToCheck {
  parameters: Readonly<Record<string, unknown>>;
  change: Change;
}

interface RecentBatch {
  by?: Author | undefined;
  changed: Set<number>;
  pending: Set<number>;
  /** The digests of the changed things. */
  entries: Set<string>;
  /** The time of the newest change. */
  time: number;
}

export interface RecentChanges {
  /** One sentence for each batch. */
  words: string[];
  /** The notes on single rows, by index: `changed from here 5 min ago`. */
  rows: ReadonlyMap<number, string>;
}

/**
 * Finds recent and pending changes of the same things. It never throws, because the question is asked all the
 * same.
 */
export async function findRecentChanges(
  writes: readonly WriteToCheck[],
  { account, ownerDigest }: { account: string; ownerDigest: string },
  session: Session,
): Promise<RecentChanges> {
  try {
    const now = session.program.now();
    const [journal, batches] = await Promise.all([session.journal(), session.batches()]);
    const all = await journal.list(now - DAY_MS);
    const own = all.filter((entry) => entry.account === account && entry.owner === ownerDigest);
    const open = (await batches.unfinished(account, ownerDigest)).filter(({ state }) => !isOver(state));
    const found = new Map<string, RecentBatch>();
    const foundIn = (batch: string): RecentBatch => {
      const known = found.get(batch) ?? {
        changed: new Set(),
        pending: new Set(),
        entries: new Set<string>(),
        time: 0,
      };
      found.set(batch, known);
      return known;
    };
    const touched = indexTouched(writes);
    for (const entry of applied(own, session.principal.id)) {
      // Single writes are grouped by the user who made them.
      const one = foundIn(entry.batch ?? `${SINGLE}${entry.by?.id}`);
      one.by = entry.by;
      one.entries.add(entry.thing ?? entry.id);
      if (entry.thing !== undefined && !touched.has(entry.thing)) continue;
      const values = await entry.open();
      for (const at of values === undefined ? [] : touched.by(values)) one.changed.add(at);
      one.time = Math.max(one.time, Date.parse(entry.time));
    }
    for (const { id } of open) {
      const items = (await batches.info(id))?.items ?? [];
      const left = items.filter(({ outcome }) => outcome === undefined);
      for (const item of left) {
        for (const values of valuesOfFeed(item) ?? storedValues(item)) {
          for (const at of touched.by(values)) foundIn(id).pending.add(at);
        }
      }
    }
    const lists = [...found].filter(([, { changed, pending }]) => changed.size + pending.size > 0);
    const newest = lists.sort(([, one], [, other]) => one.time - other.time).slice(-MAX_BATCHES);
    const words = newest.map(([id, one]) =>
      formatBatch(
        one,
        { id: id.startsWith(SINGLE) ? undefined : id, list: open.find((list) => list.id === id) },
        { isOne: writes.length === 1, when: formatAge(now - one.time) },
      ),
    );
    // The newest batch comes last.
    const rows = new Map<number, string>();
    for (const [id, { changed, pending, time, by }] of lists) {
      for (const at of pending) rows.set(at, `still to be changed by the list ${id}`);
      const how = id.startsWith(SINGLE) ? '' : `, by the list ${id}`;
      for (const at of changed)
        rows.set(at, `changed from here ${formatAge(now - time)}${formatAuthor(by)}${how}`);
    }
    return { words, rows };
  } catch (error) {
    session.log.warn('What was changed lately could not be looked for', { err: String(error) });
    return { words: [], rows: new Map() };
  }
}

/** The key prefix of single writes, instead of the id of a batch. */
const SINGLE = ' ';

/** Returns the writes of batches and of other users that may have been applied and were not undone. */
function applied(entries: readonly RecordedWrite[], own: string | undefined): RecordedWrite[] {
  const undone = deriveUndoneEntries(entries);
  return entries.filter(
    (entry) =>
      (entry.batch !== undefined || (entry.by !== undefined && entry.by.id !== own)) &&
      mayBeApplied(entry) &&
      findUndoOf(undone, entry.id) === undefined,
  );
}

/**
 * Returns true if both may be one seller's. Another seller may have the same SKU; a feed's listings are the
 * account's own.
 */
function mayBeSameSeller({ parameters: one }: WriteValues, { parameters: other }: WriteValues): boolean {
  return one.sellerId === undefined || other.sellerId === undefined || one.sellerId === other.sellerId;
}

/** Indexes the writes by the changed thing, to find those that change the same members. */
function indexTouched(writes: readonly WriteToCheck[]) {
  const things = new Map<string, number[]>();
  let number = 0;
  for (const { parameters } of writes) {
    const thing = thingDigest({ parameters: { ...parameters } });
    things.set(thing, [...(things.get(thing) ?? []), number]);
    number += 1;
  }
  const isTouched = (at: number, values: WriteValues) => {
    const write = writes.at(at);
    if (write === undefined) return false;
    const own = { parameters: { ...write.parameters }, members: membersOf(write.change) };
    return mayBeSameSeller(own, values) && touchesSameMembers(own, values);
  };
  return {
    has: (thing: string) => things.has(thing),
    by: (values: WriteValues) =>
      (things.get(thingDigest(values)) ?? []).filter((at) => isTouched(at, values)),
  };
}

function formatBatch(
  { changed, pending, entries, by }: RecentBatch,
  { id, list }: { id: string | undefined; list: BatchSummary | undefined },
  { isOne, when }: { isOne: boolean; when: string },
): string {
  const these = (number: number, one: string, more: string) =>
    isOne ? `This ${one}` : `${count(number)} of these ${more}`;
  const waiting = [...pending].filter((at) => !changed.has(at)).length;
  const parts = [
    ...(changed.size === 0
      ? []
      : [`${these(changed.size, 'was', 'were')} changed from here ${when}${formatAuthor(by)}`]),
    ...(waiting === 0 ? [] : [`${these(waiting, 'is', 'are')} still to be changed`]),
  ];
  if (id === undefined) return `${parts.join(', and ')}.`;
  const what = `${parts.join(', and ')}, by a list of`;
  if (list === undefined) return `${what} ${count(entries.size)} that is finished (${id}).`;
  const { tool, state, total, counts } = list;
  const how = state === 'unfinished' ? 'unfinished' : 'under way';
  return `${what} ${count(total)} that is ${how} (${count(total - counts.pending)} done): go on with that one instead? ${tool} with confirmationCode ${id} alone goes on.`;
}
