/** A day that is closed at one place of a store, while a channel below it stays open: "close on Sundays" rarely means that. */

import { isJsonObject, type JsonObject, jsonText } from '../../json.ts';
import { formatPath, type Segments } from '../../json-difference.ts';
import type { Warning } from '../change.ts';
import { DAYS, isOperatingHours } from './hours.ts';

/** One set of opening hours. */
interface Hours {
  /** Up to and with `operatingHoursByDay`. */
  segments: Segments;
  days: JsonObject;
  /** What it, or what encloses it, is said not to be offered. */
  isOffered: boolean;
}

/**
 * Names each place that stays open on a day that the write closes, and the change that closes it too. The store's own
 * hours are above those of every channel, those of a channel above what is inside it.
 */
export function warnAboutClosing(before: unknown, after: unknown): Warning[] {
  const old = new Map(findHours(before, [], true).map((hours) => [formatPath(hours.segments), hours.days]));
  const now = findHours(after, [], true);
  const told = new Set<string>();
  return now.flatMap((hours) => {
    const was = old.get(formatPath(hours.segments)) ?? {};
    const closed = DAYS.filter((day) => isOpen(was[day]) && !isOpen(hours.days[day]));
    return closed.flatMap((day) =>
      now
        .filter(
          (other) => other.isOffered && isOpen(other.days[day]) && isAbove(hours.segments, other.segments),
        )
        .flatMap((other) => {
          const segments = [...other.segments, day];
          const path = formatPath(segments);
          if (told.has(path)) return [];
          told.add(path);
          return [{ path, segments, message: stillOpen(day, other, segments) }];
        }),
    );
  });
}

function stillOpen(day: string, { days }: Hours, segments: Segments): string {
  const name = `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  const change = segments.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), []);
  return `still open on ${name}, ${spans(days[day])}; to close it too, add ${jsonText(change)} to the changes`;
}

function spans(hours: unknown): string {
  if (!isOperatingHours(hours)) return 'with hours of another shape';
  return hours.map(({ startTime, endTime }) => `${String(startTime)}-${String(endTime)}`).join(', ');
}

const isOpen = (hours: unknown) => Array.isArray(hours) && hours.length > 0;

/** `configuration` is above everything, `outbound` above `outbound.pickupChannel`. */
function isAbove(upper: Segments, lower: Segments): boolean {
  if (formatPath(upper) === formatPath(lower)) return false;
  if (upper[0] === 'configuration') return true;
  // Without `operationalConfiguration.operatingHoursByDay`.
  const place = upper.slice(0, -2);
  return place.every((name, at) => lower[at] === name);
}

function findHours(value: unknown, segments: Segments, isEnclosingOffered: boolean): Hours[] {
  if (!isJsonObject(value)) return [];
  const isOffered = isEnclosingOffered && value.isSupported !== false;
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...segments, name];
    if (name === 'operatingHoursByDay' && isJsonObject(member))
      return [{ segments: inner, days: member, isOffered }];
    return findHours(member, inner, isOffered);
  });
}
