/** Cuts a list to its beginning. */

import { type Context, entryBytes, type Fitted, fitEntry, isTooHigh, omit, type Place } from './fit-entry.ts';
import { costOf, type Omission, omitFrom } from './omission.ts';
import type { Entry } from './part.ts';

/** The beginning of a list (elements, or very many members); the first entry that does not fit is cut. */
export function fitList(context: Context, place: Place, room: number): Fitted | undefined {
  const { list, path } = place;
  const { measure } = context;
  const merge = costOf(omitFrom(list, 0, path, measure, false)) > room / 4;
  // A lone entry leaves no end behind it: what is cut names itself.
  const longest = list.entries.length > 1 ? omitFrom(list, 0, path, measure, merge) : [];
  // A later start can have more digits.
  let used = 2 + costOf(longest) + 24 * longest.length;
  const entries: Entry[] = [];
  for (const entry of list.entries) {
    const bytes = entryBytes(context, place, entry);
    if (used + bytes > room || isTooHigh(context, place, entry)) break;
    entries.push(entry);
    used += bytes;
  }
  const shown = entries.length;
  const next = list.entries[shown];
  const worthCutting = next !== undefined && (shown === 0 || room - used > room / 2);
  const cut = worthCutting ? cutEntry(context, place, next, room - used) : undefined;
  if (shown === 0 && cut === undefined) return undefined;
  const end = omitFrom(list, cut === undefined ? shown : shown + 1, path, measure, merge);
  const omitted = [...(cut?.omitted ?? []), ...end];
  const part = { ...list, entries: [...entries, ...(cut?.entries ?? [])] };
  return { part, omitted, bytes: used + (cut?.bytes ?? 0) };
}

/** The beginning of one entry, or nothing of it: then an element becomes null, and a member goes. */
function cutEntry(
  context: Context,
  place: Place,
  entry: Entry,
  room: number,
): { entries: Entry[]; omitted: Omission[]; bytes: number } | undefined {
  const fitted = fitEntry(context, place, entry, room);
  if (fitted !== undefined) return { ...fitted, entries: [{ ...entry, part: fitted.part }] };
  const omitted = [omit(context, place, entry)];
  const bytes = costOf(omitted) + 5;
  if (bytes > room) return undefined;
  const blank: Entry = { ...entry, part: { kind: 'whole', value: null } };
  return { entries: place.list.kind === 'elements' ? [blank] : [], omitted, bytes };
}
