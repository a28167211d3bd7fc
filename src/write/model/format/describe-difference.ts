/** Renders differences: one line per member, every name and text quoted, so that none can read as another. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { formatPath, type JsonDifference, type Segments, valueAt } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { isOperatingHours } from '../store/hours.ts';
import { dayOf } from '../store/store-path.ts';
import type { TextLine } from './fit-lines.ts';
import { describeValue, MAX_VALUE, type ShowText } from './value.ts';

/** Names a path. */
export type NamePath = (segments: Segments, show?: ShowText) => string;

/** Names it by its path, each odd name in quotes. */
export const asPath: NamePath = (segments, show = showText) => formatPath(segments, show) || 'the whole';

/**
 * Renders the note behind the value that is read and the one that is wanted.
 * @param words the value that a pending write of ours sets
 */
export const formatPendingNote = (words: string) => ` (set from here, not visible yet: ${words})`;

/**
 * Renders one line per difference, several if a long value is added or removed; the days of one path share a
 * line.
 * @param pending the side before with pending writes of ours over it
 */
export function describeDifferences(
  differences: readonly JsonDifference[],
  place: NamePath = asPath,
  pending?: unknown,
): TextLine[] {
  const groups = joinDays(differences.flatMap(splitLong), place);
  return groups.map(({ head, parts }) =>
    lineOf(
      (most) =>
        head +
        parts.map((part) => describeDifference(part, place, most) + noteOf(part, pending, most)).join('; '),
      parts.reduce((sum, { before, after }) => sum + Math.max(countMembers(before), countMembers(after)), 0),
    ),
  );
}

function noteOf({ segments, before }: JsonDifference, pending: unknown, most: number): string {
  const set = valueAt(pending, segments);
  if (pending === undefined || canonicalJson(set) === canonicalJson(before)) return '';
  return formatPendingNote(set === undefined ? 'none' : describeValue(set, segments, most));
}

/** Makes a line. @param words renders it with no value longer than `most` */
export const lineOf = (words: (most: number) => string, members: number): TextLine => ({
  text: words(Infinity),
  short: words(MAX_VALUE),
  members,
});

export const wrapLine = ({ text, short, members }: TextLine, head: string, end: string): TextLine => ({
  text: head + text + end,
  short: head + short + end,
  members,
});

interface DayGroup {
  /** The common start, such as `opening hours: `; empty for a single difference. */
  head: string;
  parts: JsonDifference[];
}

function joinDays(differences: readonly JsonDifference[], place: NamePath): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const difference of differences) {
    const { segments } = difference;
    const head = dayOf(segments) === undefined ? '' : `${place(segments.slice(0, -1))}: `;
    const last = groups.at(-1);
    if (head !== '' && last?.head === head) last.parts.push(difference);
    else groups.push({ head, parts: [difference] });
  }
  return groups;
}

/**
 * Renders one line per member of a value that is too long for one line, so that no part of it escapes the
 * reader.
 */
export function describeMembers(value: unknown, segments: Segments = []): TextLine[] {
  if (isLong(value, segments))
    return membersOf(value).flatMap(([name, inner]) => describeMembers(inner, [...segments, name]));
  const path = formatPath(segments, showText) || 'the whole';
  return [describeMember(path, value, segments)];
}

/** Renders `path: value`. */
export function describeMember(path: string, value: unknown, segments: Segments): TextLine {
  return lineOf((most) => `${path}: ${describeValue(value, segments, most)}`, countMembers(value));
}

/** Counts the values without members of their own; 0 for undefined. */
export function countMembers(value: unknown): number {
  if (value === undefined) return 0;
  const members = membersOf(value);
  if (members.length === 0) return 1;
  let count = 0;
  for (const [, inner] of members) count += countMembers(inner);
  return count;
}

/** Splits a long value that is added or removed into its members. */
function splitLong(difference: JsonDifference): JsonDifference[] {
  const { kind, segments, before, after } = difference;
  const value = kind === 'added' ? after : before;
  if (kind === 'changed' || !isLong(value, segments)) return [difference];
  return membersOf(value).flatMap(([name, inner]) => {
    const path = [...segments, name];
    const side = kind === 'added' ? { after: inner } : { before: inner };
    return splitLong({ path: formatPath(path), segments: path, kind, ...side });
  });
}

/** Returns true for a long value with members; opening hours and plain values are read as one. */
function isLong(value: unknown, segments: Segments): boolean {
  if (membersOf(value).length === 0 || isOperatingHours(value)) return false;
  if (minLength(value, MAX_VALUE) > MAX_VALUE) return true;
  return describeValue(value, segments, Infinity, (text) => text).length > MAX_VALUE;
}

/**
 * Returns a lower bound for the length of a value's text; it stops at `enough`, because values can be very
 * large.
 */
function minLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  let length = 1;
  for (const [, inner] of membersOf(value)) {
    if (length > enough) break;
    length += minLength(inner, enough - length);
  }
  return length;
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

/**
 * Renders `time zone: "Europe/Berlin" -> "Europe/Madrid"`, `...: added ...`, `...: removed (was ...)`; a day
 * only by its name.
 */
function describeDifference(
  { kind, segments, ...sides }: JsonDifference,
  place: NamePath,
  most: number,
): string {
  const day = dayOf(segments);
  // Hours apply to each week, and the service has none for a single date.
  const head = day === undefined ? `${place(segments)}:` : `${day}s`;
  const before = describeValue(sides.before, segments, most);
  const after = describeValue(sides.after, segments, most);
  if (sides.before === undefined && sides.after === undefined) return `${head} none`;
  if (kind === 'added') return `${head} ${day === undefined ? `added ${after}` : `not given -> ${after}`}`;
  if (kind === 'removed')
    return `${head} ${day === undefined ? `removed (was ${before})` : `${before} -> not given`}`;
  return `${head} ${before} -> ${after}`;
}

/** Renders one sentence per difference between the sent and the read-back value. */
export function describeReadBack(differences: readonly JsonDifference[], place = asPath): string[] {
  return differences.map((difference) => {
    const { segments } = difference;
    const at = place(segments);
    const sent = describeValue(difference.before, segments);
    const found = describeValue(difference.after, segments);
    if (difference.kind === 'added') return `${at}: was not sent, yet the service has ${found}`;
    if (difference.kind === 'removed') return `${at}: ${sent} was sent, yet the service has nothing there`;
    return `${at}: ${sent} was sent, yet the service has ${found}`;
  });
}
