/** Cuts an object by leaving out its largest members. */

import { type Context, entryBytes, type Fitted, fitEntry, isTooHigh, omit, type Place } from './fit-entry.ts';
import { costOf, type Omission } from './omission.ts';
import { type Entry, type ListPart, openPart } from './part.ts';

/** More omissions than this in one object, and its members are cut by position instead. */
const MOST_OMISSIONS = 16;

/** An object without its largest members; undefined when too many would have to go. */
export function fitMembers(context: Context, place: Place, room: number): Fitted | undefined {
  const sized = place.list.entries.map((entry) => ({
    entry,
    bytes: entryBytes(context, place, entry),
    tooHigh: isTooHigh(context, place, entry),
  }));
  const bySize = [...sized].sort((a, b) => Number(a.tooHigh) - Number(b.tooHigh) || a.bytes - b.bytes);
  const dropped = new Map<Entry, Omission>();
  let used = 2 + sized.reduce((sum, each) => sum + each.bytes, 0);
  for (let last = bySize.pop(); last !== undefined; last = bySize.pop()) {
    if (used <= room && !last.tooHigh) break;
    const omission = omit(context, place, last.entry);
    dropped.set(last.entry, omission);
    used += costOf([omission]) - last.bytes;
    if (dropped.size > MOST_OMISSIONS) return undefined;
  }
  return used > room ? undefined : revive(context, place, dropped, used, room);
}

/** Gives the room that is left to beginnings of dropped members: lists and texts, then an object if little else is shown. */
function revive(
  context: Context,
  place: Place,
  dropped: ReadonlyMap<Entry, Omission>,
  usedAtFirst: number,
  room: number,
): Fitted {
  const smallestFirst = [...dropped].reverse();
  const isObject = ([entry]: [Entry, Omission]) => openPart(entry.part).kind === 'members';
  const cuttable = smallestFirst.filter((each) => !isObject(each));
  const pieces = new Map<Entry, Fitted>();
  let used = usedAtFirst;
  for (const [i, [entry, omission]] of [...cuttable, ...smallestFirst.filter(isObject)].entries()) {
    const refund = costOf([omission]);
    if (i >= cuttable.length && used - refund > room / 4) break;
    const share = Math.floor((room - used) / Math.max(1, cuttable.length - i));
    const fitted = fitEntry(context, place, entry, share + refund);
    if (fitted === undefined) continue;
    pieces.set(entry, fitted);
    used += fitted.bytes - refund;
  }
  return assemble(place.list, dropped, pieces, used);
}

function assemble(
  list: ListPart,
  dropped: ReadonlyMap<Entry, Omission>,
  pieces: ReadonlyMap<Entry, Fitted>,
  bytes: number,
): Fitted {
  const entries: Entry[] = [];
  const omitted: Omission[] = [];
  for (const entry of list.entries) {
    const piece = pieces.get(entry);
    const omission = dropped.get(entry);
    if (piece !== undefined) entries.push({ ...entry, part: piece.part });
    else if (omission === undefined) entries.push(entry);
    else omitted.push(omission);
    omitted.push(...(piece?.omitted ?? []));
  }
  return { part: { ...list, entries }, omitted, bytes };
}
