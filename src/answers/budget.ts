/** Fits an answer into a budget of tokens: what does not fit is left out, named, and stays reachable by `select`. */

import { byteLength, createMeasure, jsonText, type Measure, nameBytes } from './json.ts';
import {
  costOf,
  entryPath,
  HIGHEST,
  isOpaque,
  type Omission,
  omitEntry,
  omitFrom,
  stretch,
} from './omission.ts';
import {
  type Entry,
  type ListPart,
  measurePart,
  openPart,
  type Part,
  shownValue,
  type TextPart,
} from './part.ts';
import { joinPath } from './path.ts';

export type { Omission } from './omission.ts';

/** Tokens of a text: UTF-8 bytes / 3, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(byteLength(text) / 3);
}

/** What a fitted answer takes besides its two members. */
const FRAME = byteLength('{"value":,"omitted":[]}');
/** More omissions than this in one object, and its members are cut by position instead. */
const MOST_OMISSIONS = 16;
/** Characters shown of an encoded document that nobody asked for. */
const STUB = 64;

interface Fitted {
  part: Part;
  omitted: Omission[];
  /** Both together, in bytes of JSON. */
  bytes: number;
}

interface Context {
  measure(value: unknown): Measure;
}

/**
 * Fits a value, or a selection of it, so that `{ value, omitted }` as JSON takes at most `maxTokens`.
 *
 * Left out are whole members, the largest first; arrays lose their end; a long text keeps its beginning (64
 * characters of an encoded document that was not asked for). An element of which nothing can be shown is null. What is nested deeper than 24 levels, or cannot be named by a path of 256 bytes, comes as JSON text by
 * ranges (`~json.0-`). Selecting the paths of every omission, again and again, gives back the whole value,
 * as long as `maxTokens` is 500 or more.
 */
export function fitToBudget(
  value: unknown,
  maxTokens: number,
  part: Part = { kind: 'whole', value },
): { value: unknown; omitted: Omission[] } {
  const room = maxTokens * 3 - FRAME;
  const context = { measure: createMeasure() };
  const fitted = fitPart(context, part, '', 0, room);
  if (fitted !== undefined) return { value: shownValue(fitted.part), omitted: fitted.omitted };
  const { bytes } = measurePart(part, context.measure);
  const all = { select: ['~json.0-'], what: 'everything, as JSON text', bytes };
  return { value: null, omitted: costOf([all]) + 4 <= room ? [all] : [] };
}

/** Undefined when not even a piece fits. */
function fitPart(
  context: Context,
  part: Part,
  path: string,
  depth: number,
  room: number,
): Fitted | undefined {
  const { bytes, height } = measurePart(part, context.measure);
  if (bytes <= room && depth + height <= HIGHEST) return { part, omitted: [], bytes };
  const open = openPart(part);
  if (open.kind === 'whole') return undefined;
  if (open.kind === 'text') return fitText(open, path, room);
  if (isOpaque(open, path, depth)) return undefined;
  const place = { list: open, path, depth };
  return (
    (open.kind === 'members' ? fitMembers(context, place, room) : undefined) ?? fitList(context, place, room)
  );
}

function fitText(text: TextPart, path: string, room: number): Fitted | undefined {
  const base = text.json ? joinPath(path, '~json') : path;
  const rest = (from: number): Omission => ({
    select: [joinPath(base, `${from}-${text.to - 1}`)],
    what: stretch(text.json, from, text.to, text.full.length),
    bytes: byteLength(jsonText(text.full.slice(from, text.to))),
  });
  // The last offset has the most digits, so this is the most that the omission can take.
  const left =
    room - costOf([{ ...rest(text.to), bytes: text.full.length * 6 }]) - text.full.length.toString().length;
  const end = longestPrefix(text, Math.min(left, room), isStub(text) ? STUB : Infinity);
  if (end <= text.from) return undefined;
  const part: Part = { ...text, to: end };
  const omitted = [rest(end)];
  return { part, omitted, bytes: byteLength(jsonText(shownValue(part))) + costOf(omitted) };
}

/** A label or a document that nobody asked for; prose is worth reading as far as it fits. */
function isStub(text: TextPart): boolean {
  return !text.asked && !/\s/.test(text.full.slice(0, 200));
}

/** Where a text must end to take at most `room` bytes as JSON; never inside a surrogate pair. */
function longestPrefix(text: TextPart, room: number, most: number): number {
  let low = text.from;
  let high = Math.min(text.to - 1, text.from + Math.min(most, Math.max(0, room)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(jsonText(text.full.slice(text.from, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  return (text.full.codePointAt(low - 1) ?? 0) > 0xffff ? low - 1 : low;
}

interface Place {
  list: ListPart;
  path: string;
  depth: number;
}

/** Bytes of an entry with its name and comma. */
function entryBytes(context: Context, place: Place, entry: Entry): number {
  const name = place.list.kind === 'members' ? nameBytes(entry.name) : 0;
  return measurePart(entry.part, context.measure).bytes + name + 1;
}

function omit(context: Context, place: Place, entry: Entry): Omission {
  const open = openPart(entry.part);
  const path = entryPath(place.list, entry, place.path);
  const asJson =
    (open.kind === 'members' || open.kind === 'elements') && isOpaque(open, path, place.depth + 1);
  return omitEntry(place.list, entry, place.path, context.measure, asJson);
}

function fitEntry(context: Context, place: Place, entry: Entry, room: number): Fitted | undefined {
  const name = place.list.kind === 'members' ? nameBytes(entry.name) : 0;
  const path = entryPath(place.list, entry, place.path);
  const fitted = fitPart(context, entry.part, path, place.depth + 1, room - name - 1);
  return fitted === undefined ? undefined : { ...fitted, bytes: fitted.bytes + name + 1 };
}

/** An object without its largest members; undefined when too many would have to go. */
function fitMembers(context: Context, place: Place, room: number): Fitted | undefined {
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

/** The beginning of a list (elements, or very many members); the first entry that does not fit is cut. */
function fitList(context: Context, place: Place, room: number): Fitted | undefined {
  const { list, path } = place;
  const { measure } = context;
  const merge = costOf(omitFrom(list, 0, path, measure, false)) > room / 4;
  const longest = omitFrom(list, 0, path, measure, merge);
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

function isTooHigh(context: Context, place: Place, entry: Entry): boolean {
  return measurePart(entry.part, context.measure).height + place.depth + 1 > HIGHEST;
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
