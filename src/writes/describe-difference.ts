/** Differences in words: one line per changed member, short enough to be read before saying yes. */

import { isJsonObject } from '../json.ts';
import { type Difference, formatPath, type Segments } from '../json-difference.ts';
import { isOperatingHours } from './supply-source/hours.ts';

/** Longest text of one value, in characters. */
const MAX_VALUE = 240;

/** Makes text that came from the service or the caller safe to show where the result goes. */
export type Show = (text: string) => string;

/** One line per difference, several where a long value is added or removed; none is left out. */
export function describeDifferences(differences: readonly Difference[], show: Show): string[] {
  return differences.flatMap(openLong).map((difference) => describeDifference(difference, show));
}

/** One line per member of a value that is too long for one line, so that no part of it escapes the reader. */
export function describeMembers(value: unknown, show: Show, segments: Segments = []): string[] {
  if (!isLong(value, segments)) {
    return [`${formatPath(segments, show) || 'the whole'}: ${describeValue(value, segments, show)}`];
  }
  return membersOf(value).flatMap(([name, inner]) => describeMembers(inner, show, [...segments, name]));
}

/** A long value that is added or removed, as its members. */
function openLong(difference: Difference): Difference[] {
  const { kind, segments, before, after } = difference;
  const value = kind === 'added' ? after : before;
  if (kind === 'changed' || !isLong(value, segments)) return [difference];
  return membersOf(value).flatMap(([name, inner]) => {
    const place = [...segments, name];
    const side = kind === 'added' ? { after: inner } : { before: inner };
    return openLong({ path: formatPath(place), segments: place, kind, ...side });
  });
}

/** Opening hours and plain values are read as one, however long. */
function isLong(value: unknown, segments: Segments): boolean {
  if (membersOf(value).length === 0 || isOperatingHours(value)) return false;
  return write(value, segments).length > MAX_VALUE;
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** `configuration.timezone: "Europe/Berlin" -> "Europe/Madrid"`, `...: added ...` or `...: removed (was ...)`. */
export function describeDifference(difference: Difference, show: Show): string {
  const path = formatPath(difference.segments, show) || 'the whole';
  const before = describeValue(difference.before, difference.segments, show);
  const after = describeValue(difference.after, difference.segments, show);
  if (difference.kind === 'added') return `${path}: added ${after}`;
  if (difference.kind === 'removed') return `${path}: removed (was ${before})`;
  return `${path}: ${before} -> ${after}`;
}

/** One sentence per difference between what was sent and what was read back; an empty list means that the service has what was sent. */
export function describeReadBack(differences: readonly Difference[], show: Show): string[] {
  return differences.map((difference) => {
    const path = formatPath(difference.segments, show) || 'the whole';
    const sent = describeValue(difference.before, difference.segments, show);
    const found = describeValue(difference.after, difference.segments, show);
    if (difference.kind === 'added') return `${path}: was not sent, yet the service has ${found}`;
    if (difference.kind === 'removed') return `${path}: ${sent} was sent, yet the service has nothing there`;
    return `${path}: ${sent} was sent, yet the service has ${found}`;
  });
}

/** A value on one line: hours as `09:00-18:00`, a day without hours as `closed`, long values cut and counted. */
export function describeValue(value: unknown, segments: Segments, show: Show): string {
  const text = write(value, segments);
  const characters = [...text];
  if (characters.length <= MAX_VALUE) return show(text);
  const rest = characters.length - MAX_VALUE;
  return `${show(characters.slice(0, MAX_VALUE).join(''))}... (${rest} more characters)`;
}

function write(value: unknown, segments: Segments): string {
  if (value === undefined) return 'nothing';
  if (isOperatingHours(value) && (value.length > 0 || isDay(segments))) return writeHours(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? 'an empty list'
      : `[${value.map((item) => write(item, [...segments, 0])).join(', ')}]`;
  }
  if (isJsonObject(value)) return writeObject(value, segments);
  return JSON.stringify(value) ?? String(value);
}

function writeObject(value: Record<string, unknown>, segments: Segments): string {
  const { value: amount, timeUnit } = value;
  if (typeof amount === 'number' && typeof timeUnit === 'string' && Object.keys(value).length === 2) {
    return `${amount} ${timeUnit}`;
  }
  const members = Object.entries(value).map(
    ([name, inner]) => `${name}: ${write(inner, [...segments, name])}`,
  );
  return members.length === 0 ? 'an empty object' : `{ ${members.join(', ')} }`;
}

function writeHours(hours: readonly { startTime?: unknown; endTime?: unknown }[]): string {
  if (hours.length === 0) return 'closed';
  return hours.map(({ startTime, endTime }) => `${startTime ?? '?'}-${endTime ?? '?'}`).join(', ');
}

/** True for the list of one day: `...operatingHoursByDay.sunday`. */
function isDay(segments: Segments): boolean {
  return segments.at(-2) === 'operatingHoursByDay';
}
