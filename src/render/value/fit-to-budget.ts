/**
 * Fits a value into a budget of tokens: parts without room are omitted, named, and can be fetched by
 * `select`.
 */

import { byteLength, jsonText } from '../../base/json.ts';
import {
  bytesOfOmissions,
  countEntries,
  type Omission,
  omitAll,
  omitElements,
  omitEntry,
  omitMembers,
  omitText,
  type PartPath,
  partPathOf,
} from './omission.ts';
import {
  createMeasure,
  entryBytes,
  keyBytes,
  type ListPart,
  type Measure,
  openPart,
  type PartEntry,
  shownValue,
  type TextPart,
  type ValuePart,
  wholePart,
} from './select/part.ts';

/** The bytes of a fitted answer besides its two members. */
const FRAME = byteLength('{"value":,"omitted":[]}');
/** The limit of members of one object that are omitted one by one; above it, many are named together. */
const MAX_OMISSIONS = 16;
/** The characters shown of an encoded document that was not selected. */
const STUB = 64;

interface Fitted {
  part: ValuePart;
  omitted: Omission[];
  /** The size of both together, in bytes of JSON. */
  bytes: number;
}

interface FitSpot extends PartPath {
  /** True if nothing else is in the answer: selecting it alone would give it no more room. */
  alone: boolean;
}

/**
 * Fits a part so that `{ value, omitted }` as JSON takes at most `maxTokens`.
 * Whole members are omitted, the largest first. Arrays lose their end, and a long text its end too (an
 * encoded document that was not selected shows 64 characters). An element that cannot be shown at all is
 * null. Selecting the paths of every omission repeatedly gives back the whole value, if `maxTokens` is 500 or
 * more. Exceptions are parts without a short path, or among too many to be named: their omission refers to
 * the whole answer.
 * @param measure one that has seen the value before spares a pass over it.
 */
export function fitToBudget(
  part: ValuePart,
  maxTokens: number,
  measure: Measure = createMeasure(),
): { value: unknown; omitted: Omission[] } {
  const room = maxTokens * 3 - FRAME;
  const fitted = fitPart(part, { path: '', named: true, alone: true }, room, measure);
  if (fitted !== undefined) return { value: shownValue(fitted.part), omitted: fitted.omitted };
  const all = omitAll(part, measure);
  return { value: null, omitted: bytesOfOmissions([all]) + 4 <= room ? [all] : [] };
}

/** Fits a value of which nothing was selected. */
export const fitWhole = (value: unknown, maxTokens: number) => fitToBudget(wholePart(value), maxTokens);

/** Returns undefined if not even a piece fits, or if omitting the whole part leaves more of it fetchable. */
function fitPart(part: ValuePart, at: FitSpot, room: number, measure: Measure): Fitted | undefined {
  const bytes = measure(part);
  if (bytes <= room) return { part, omitted: [], bytes };
  const open = openPart(part);
  if (open.kind === 'whole') return undefined;
  const fitted =
    open.kind === 'text'
      ? fitText(open, at, room)
      : open.kind === 'elements'
        ? fitElements(open, at, room, measure)
        : (fitMembers(open, at, room, measure) ?? fitManyMembers(open, at, room, measure));
  const outOfReach = fitted?.omitted.some(({ select }) => select.length === 0) ?? false;
  return outOfReach && at.named && !at.alone ? undefined : fitted;
}

/** Fits the beginning of a text; undefined when there is no room for a single character. */
function fitText(text: TextPart, spot: PartPath, room: number): Fitted | undefined {
  const { full, from, to } = text;
  // The last offset has the most digits, so this is the maximum size of the omission.
  const longest = bytesOfOmissions([{ ...omitText(full, to, to, spot), bytes: full.length * 6 }]);
  const left = room - longest - full.length.toString().length;
  const end = findPrefixEnd(text, left, isStub(text) ? STUB : Infinity);
  if (end <= from) return undefined;
  const part = { ...text, to: end };
  const omitted = [omitText(full, end, to, spot)];
  return { part, omitted, bytes: byteLength(jsonText(full.slice(from, end))) + bytesOfOmissions(omitted) };
}

/** True for a label or document that was not selected; prose is worth reading as far as it fits. */
function isStub(text: TextPart): boolean {
  return !text.asked && !/\s/.test(text.full.slice(0, 200));
}

/** Returns the end at which a text takes at most `room` bytes as JSON; never inside a surrogate pair. */
function findPrefixEnd({ full, from, to }: TextPart, room: number, max: number): number {
  let low = from;
  let high = Math.min(to - 1, from + Math.min(max, Math.max(0, room)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(jsonText(full.slice(from, middle))) <= room) low = middle;
    else high = middle - 1;
  }
  return (full.codePointAt(low - 1) ?? 0) > 0xffff ? low - 1 : low;
}

/** Fits the beginning of an array, and cuts the first element that does not fit. */
function fitElements(list: ListPart, at: FitSpot, room: number, measure: Measure): Fitted | undefined {
  const leaveOut = (left: readonly PartEntry[]) => omitElements(list, left, at, measure);
  // A single element has no elements after it to omit, and a cut in it is an omission of its own.
  const all = list.entries.length > 1 ? leaveOut(list.entries) : [];
  const tooMany = all.flatMap(({ select }) => select).length > 1 && bytesOfOmissions(all) > room / 2;
  const omitEnd = (left: readonly PartEntry[]) =>
    tooMany && left.length > 0 ? [countEntries(list, left, at, measure)] : leaveOut(left);
  const longest = tooMany ? omitEnd(list.entries) : all;
  // A later start can have more digits.
  let used = 2 + bytesOfOmissions(longest) + 24 * longest.length;
  const entries: PartEntry[] = [];
  for (const entry of list.entries) {
    const bytes = entryBytes(entry, measure);
    if (used + bytes > room) break;
    entries.push(entry);
    used += bytes;
  }
  const next = list.entries[entries.length];
  const worthCutting = next !== undefined && (entries.length === 0 || room - used > room / 2);
  const cut = worthCutting ? cutElement(next, list, at, room - used, measure) : undefined;
  if (entries.length === 0 && cut === undefined) return undefined;
  const end = omitEnd(list.entries.slice(entries.length + (cut === undefined ? 0 : 1)));
  const part = { ...list, entries: cut === undefined ? entries : [...entries, cut.entry] };
  return { part, omitted: [...(cut?.omitted ?? []), ...end], bytes: used + (cut?.bytes ?? 0) };
}

/** Fits the beginning of an element, or null instead of it. */
function cutElement(entry: PartEntry, list: ListPart, at: FitSpot, room: number, measure: Measure) {
  const fitted = fitEntry(entry, list, at, room, measure);
  if (fitted !== undefined) return { ...fitted, entry: { ...entry, part: fitted.part } };
  const omitted = [omitEntry(entry, at, measure)];
  const bytes = bytesOfOmissions(omitted) + 5;
  const blank: PartEntry = { ...entry, part: { kind: 'whole', value: null } };
  return bytes > room ? undefined : { entry: blank, omitted, bytes };
}

/** Fits an object without its largest members; undefined when too many would have to be omitted. */
function fitMembers(list: ListPart, at: FitSpot, room: number, measure: Measure): Fitted | undefined {
  const sized = list.entries.map((entry) => ({ entry, bytes: entryBytes(entry, measure) }));
  const bySize = [...sized].sort((a, b) => a.bytes - b.bytes);
  const dropped = new Map<PartEntry, Omission>();
  let used = 2 + sized.reduce((sum, { bytes }) => sum + bytes, 0);
  for (let last = bySize.pop(); last !== undefined && used > room; last = bySize.pop()) {
    const omission = omitEntry(last.entry, at, measure);
    dropped.set(last.entry, omission);
    used += bytesOfOmissions([omission]) - last.bytes;
    if (dropped.size > MAX_OMISSIONS) return undefined;
  }
  return used > room ? undefined : showBeginnings(list, at, dropped, { used, room }, measure);
}

/**
 * Fills the remaining room with the beginnings of dropped members: lists and texts, then an object if little
 * else is shown.
 */
function showBeginnings(
  list: ListPart,
  at: FitSpot,
  dropped: ReadonlyMap<PartEntry, Omission>,
  { used, room }: { used: number; room: number },
  measure: Measure,
): Fitted {
  const smallestFirst = [...dropped].reverse();
  const isObject = ([entry]: [PartEntry, Omission]) => openPart(entry.part).kind === 'members';
  const cuttable = smallestFirst.filter((each) => !isObject(each));
  const beginnings = new Map<PartEntry, Fitted>();
  let bytes = used;
  for (const [i, [entry, omission]] of [...cuttable, ...smallestFirst.filter(isObject)].entries()) {
    const refund = bytesOfOmissions([omission]);
    if (i >= cuttable.length && bytes - refund > room / 4) break;
    const share = Math.floor((room - bytes) / Math.max(1, cuttable.length - i));
    const fitted = fitEntry(entry, list, at, share + refund, measure);
    if (fitted === undefined) continue;
    beginnings.set(entry, fitted);
    bytes += fitted.bytes - refund;
  }
  const entries = list.entries.flatMap((entry): PartEntry[] => {
    const part = beginnings.get(entry)?.part;
    if (part !== undefined) return [{ ...entry, part }];
    return dropped.has(entry) ? [] : [entry];
  });
  const omitted = list.entries.flatMap((entry) => beginnings.get(entry)?.omitted ?? dropped.get(entry) ?? []);
  return { part: { ...list, entries }, omitted, bytes };
}

/** Cuts an entry to `room` bytes, its name and comma included. */
function fitEntry(
  entry: PartEntry,
  list: ListPart,
  at: FitSpot,
  room: number,
  measure: Measure,
): Fitted | undefined {
  const around = keyBytes(entry.key) + 1;
  const here = { ...partPathOf(entry, at), alone: at.alone && list.entries.length === 1 };
  const fitted = fitPart(entry.part, here, room - around, measure);
  return fitted === undefined ? undefined : { ...fitted, bytes: fitted.bytes + around };
}

// The functions below fit an object of very many members.

/** The limit of paths in one omission, which is that of one call. */
const MAX_PATHS = 50;
/** The bytes of an omission that names many members, besides the names. */
const NAMES_FRAME = 90;
/**
 * Shows the smallest of very many members, lists the others by name as far as they fit, and counts the rest.
 */
function fitManyMembers(list: ListPart, at: PartPath, room: number, measure: Measure): Fitted | undefined {
  const members = list.entries.map((entry) => ({ entry, bytes: entryBytes(entry, measure) }));
  const left = room - 2 - bytesOfOmissions([countEntries(list, list.entries, at, measure)]);
  if (left < 0) return undefined;
  const nameOf = (entry: PartEntry): MemberName => {
    const { select } = omitEntry(entry, at, measure);
    return { paths: select.length, nameBytes: select.length === 0 ? 0 : byteLength(jsonText(select)) };
  };
  let names = NAMES_FRAME;
  for (const { entry } of members) {
    if (names >= left / 2) break;
    names += nameOf(entry).nameBytes + NAMES_FRAME / MAX_PATHS;
  }
  const forValues = left - Math.min(left / 2, names);
  const shown = new Set<PartEntry>();
  let used = 0;
  for (const { entry, bytes } of [...members].sort((a, b) => a.bytes - b.bytes)) {
    if (used + bytes > forValues) break;
    shown.add(entry);
    used += bytes;
  }
  const { chunks, counted } = listByName(
    members.filter(({ entry }) => !shown.has(entry)).map(({ entry }) => entry),
    left - used,
    nameOf,
  );
  const omitted = [
    ...chunks.map((chunk) => omitMembers(list, chunk, at, measure)),
    ...(counted.length === 0 ? [] : [countEntries(list, counted, at, measure)]),
  ];
  const entries = list.entries.filter((entry) => shown.has(entry));
  return { part: { ...list, entries }, omitted, bytes: 2 + used + bytesOfOmissions(omitted) };
}

interface MemberName {
  /** The number of paths that name it, and their bytes. */
  paths: number;
  nameBytes: number;
}

/** The limit of consecutive names without room, after which the rest is counted unseen. */
const MAX_MISSES = 1_000;

/**
 * Groups as many members as `room` has names for, each group for one call of `select`; the others are only
 * counted.
 */
function listByName(members: readonly PartEntry[], room: number, nameOf: (entry: PartEntry) => MemberName) {
  const chunks: PartEntry[][] = [];
  const counted: PartEntry[] = [];
  let left = room;
  let inChunk = MAX_PATHS;
  let misses = 0;
  for (const entry of members) {
    if (misses >= MAX_MISSES) {
      counted.push(entry);
      continue;
    }
    const { paths, nameBytes } = nameOf(entry);
    const last = inChunk + paths > MAX_PATHS ? undefined : chunks.at(-1);
    const bytes = nameBytes + (last === undefined ? NAMES_FRAME : 0);
    if (paths === 0 || bytes > left) {
      misses += 1;
      counted.push(entry);
      continue;
    }
    misses = 0;
    if (last === undefined) chunks.push([entry]);
    else last.push(entry);
    inChunk = paths + (last === undefined ? 0 : inChunk);
    left -= bytes;
  }
  return { chunks, counted };
}
