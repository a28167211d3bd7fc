/** Differences and values in words: one line per member, every name and text quoted, so that none can read as another. */

import { isJsonObject } from '../json.ts';
import { type Difference, formatPath, type Segments } from '../json-difference.ts';
import { isMarketplaceName } from '../service/facts/marketplace-members.ts';
import { marketplaceLabel } from '../service/facts/marketplaces.ts';
import { quoteText } from '../text/escape-text.ts';
import type { Line } from './fit-lines.ts';
import { isOperatingHours } from './supply-source/hours.ts';

/** Longest text of one value, in characters, where not all have room. */
const MAX_VALUE = 240;

/** Makes text that came from the service or the caller safe to show where the result goes. */
export type Show = (text: string) => string;

/** One line per difference, several where a long value is added or removed; none is left out. */
export function describeDifferences(differences: readonly Difference[], show: Show): Line[] {
  return differences.flatMap(openLong).map((difference) => ({
    text: describeDifference(difference, show, Infinity),
    short: describeDifference(difference, show, MAX_VALUE),
    members: Math.max(countMembers(difference.before), countMembers(difference.after)),
  }));
}

/** One line per member of a value that is too long for one line, so that no part of it escapes the reader. */
export function describeMembers(value: unknown, show: Show, segments: Segments = []): Line[] {
  if (isLong(value, segments))
    return membersOf(value).flatMap(([name, inner]) => describeMembers(inner, show, [...segments, name]));
  const path = formatPath(segments, show) || 'the whole';
  return [describeMember(path, value, segments, show)];
}

/** `path: value`. */
export function describeMember(path: string, value: unknown, segments: Segments, show: Show): Line {
  return {
    text: `${path}: ${describeValue(value, segments, show, Infinity)}`,
    short: `${path}: ${describeValue(value, segments, show)}`,
    members: countMembers(value),
  };
}

/** Values without members of their own; 0 for nothing. */
export function countMembers(value: unknown): number {
  if (value === undefined) return 0;
  const members = membersOf(value);
  if (members.length === 0) return 1;
  let count = 0;
  for (const [, inner] of members) count += countMembers(inner);
  return count;
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
  return leastLength(value, MAX_VALUE) > MAX_VALUE || write(value, segments).length > MAX_VALUE;
}

/** A length that the text of a value has at least; looks no further than `enough`, since values can be very large. */
function leastLength(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  let length = 1;
  for (const [, inner] of membersOf(value)) {
    if (length > enough) break;
    length += leastLength(inner, enough - length);
  }
  return length;
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** `configuration.timezone: "Europe/Berlin" -> "Europe/Madrid"`, `...: added ...` or `...: removed (was ...)`. */
function describeDifference({ kind, segments, ...sides }: Difference, show: Show, most: number): string {
  const path = formatPath(segments, show) || 'the whole';
  const before = describeValue(sides.before, segments, show, most);
  const after = describeValue(sides.after, segments, show, most);
  if (kind === 'added') return `${path}: added ${after}`;
  if (kind === 'removed') return `${path}: removed (was ${before})`;
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

/** One word in quotes, an identifier for example: it can say nothing, and needs no further marks. */
const QUOTED_NAME = /^"[A-Za-z0-9][\w.:-]{0,63}"$/;

/** A value on one line: hours as `09:00-18:00`, a day without hours as `closed`, long values cut and counted. */
export function describeValue(value: unknown, segments: Segments, show: Show, most = MAX_VALUE): string {
  const text = write(value, segments);
  if (QUOTED_NAME.test(text) || (text.length <= most && isOurWords(value, segments))) return text;
  if (text.length <= most) return show(text);
  const characters = [...text];
  const rest = characters.length - most;
  if (rest <= 0) return show(text);
  return `${show(characters.slice(0, most).join(''))}... (${rest} more characters)`;
}

/** Known marketplaces are told in words of ours, without quotes: no text from outside can look like them. */
function writeMarketplace(value: unknown, segments: Segments): string | undefined {
  const name = segments.findLast((segment) => typeof segment === 'string');
  if (typeof value !== 'string' || typeof name !== 'string' || !isMarketplaceName(name)) return undefined;
  return marketplaceLabel(value);
}

/** True for a marketplace and for a list of them, which need no marks. */
function isOurWords(value: unknown, segments: Segments): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.length > 0 && items.every((item) => writeMarketplace(item, segments) !== undefined);
}

function write(value: unknown, segments: Segments): string {
  if (value === undefined) return 'nothing';
  const marketplace = writeMarketplace(value, segments);
  if (marketplace !== undefined) return marketplace;
  if (isPlainHours(value) && (value.length > 0 || isDay(segments))) return writeHours(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? 'an empty list'
      : `[${value.map((item) => write(item, [...segments, 0])).join(', ')}]`;
  }
  if (isJsonObject(value)) return writeObject(value, segments);
  return typeof value === 'string' ? quoteText(value) : (JSON.stringify(value) ?? String(value));
}

/** A unit or a time that can stand without quotes, because it can be nothing else. */
const PLAIN_UNIT = /^[A-Za-z]{1,20}$/;
const PLAIN_TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/;

function writeObject(value: Record<string, unknown>, segments: Segments): string {
  const { value: amount, timeUnit } = value;
  const isDuration = typeof amount === 'number' && Object.keys(value).length === 2;
  if (isDuration && typeof timeUnit === 'string' && PLAIN_UNIT.test(timeUnit)) return `${amount} ${timeUnit}`;
  const members = Object.entries(value).map(
    ([name, inner]) => `${quoteText(name)}: ${write(inner, [...segments, name])}`,
  );
  return members.length === 0 ? 'an empty object' : `{ ${members.join(', ')} }`;
}

interface PlainHour {
  startTime?: string;
  endTime?: string;
}

/** Anything else in their place is written out like any other value. */
function isPlainHours(value: unknown): value is PlainHour[] {
  const isPlain = (time: unknown) =>
    time === undefined || (typeof time === 'string' && PLAIN_TIME.test(time));
  return (
    isOperatingHours(value) && value.every(({ startTime, endTime }) => isPlain(startTime) && isPlain(endTime))
  );
}

function writeHours(hours: readonly PlainHour[]): string {
  if (hours.length === 0) return 'closed';
  return hours.map(({ startTime, endTime }) => `${startTime ?? '?'}-${endTime ?? '?'}`).join(', ');
}

/** True for the list of one day: `...operatingHoursByDay.sunday`. */
function isDay(segments: Segments): boolean {
  return segments.at(-2) === 'operatingHoursByDay';
}
