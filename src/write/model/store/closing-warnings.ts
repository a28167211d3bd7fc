/**
 * Warns about a day that closes at one level of a store while a channel below it stays open: "close on
 * Sundays" rarely means that.
 */

import { isJsonObject, type JsonObject, jsonText } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { capital } from '../../../base/text/format-value.ts';
import type { Warning } from '../change.ts';
import { DAYS, isOpen, isOperatingHours } from './hours.ts';

interface ChannelHours {
  /** The path, including `operatingHoursByDay`. */
  segments: Segments;
  days: JsonObject;
  /** False if it, or anything that encloses it, is marked as not offered. */
  isOffered: boolean;
}

/**
 * Names each channel that stays open on a day that the write closes, and the change that closes it too. The
 * store's own hours are above those of every channel, and a channel's hours are above those inside it.
 */
export function warnAboutClosing(before: unknown, after: unknown): Warning[] {
  const old = new Map(findHours(before, [], true).map((hours) => [formatPath(hours.segments), hours.days]));
  const now = findHours(after, [], true);
  const closedAt = now.map(({ segments, days }) => {
    const was = old.get(formatPath(segments)) ?? {};
    return { segments, days: DAYS.filter((day) => isOpen(was[day]) && !isOpen(days[day])) };
  });
  return now
    .filter(({ isOffered }) => isOffered)
    .flatMap((hours) => {
      const closedAbove = closedAt.filter(({ segments }) => isAbove(segments, hours.segments));
      const days = DAYS.filter(
        (day) => isOpen(hours.days[day]) && closedAbove.some((upper) => upper.days.includes(day)),
      );
      return days.length === 0 ? [] : [stillOpen(days, hours)];
    });
}

function stillOpen(open: readonly string[], { days, segments }: ChannelHours): Warning {
  const hours = open.map((day) => `${capital(day)}, ${spans(days[day])}`);
  const closed = Object.fromEntries(open.map((day) => [day, []]));
  const change = segments.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), closed);
  return {
    path: formatPath(segments),
    segments,
    message: `still open on ${hours.join('; ')}`,
    how: `to close it too, add ${jsonText(change)} to the changes`,
  };
}

function spans(hours: unknown): string {
  if (!isOperatingHours(hours)) return 'with hours of another shape';
  return hours.map(({ startTime, endTime }) => `${String(startTime)}-${String(endTime)}`).join(', ');
}

/**
 * Returns true for an enclosing path: `configuration` is above everything, `outbound` above
 * `outbound.pickupChannel`.
 */
function isAbove(upper: Segments, lower: Segments): boolean {
  if (formatPath(upper) === formatPath(lower)) return false;
  if (upper[0] === 'configuration') return true;
  // The prefix ends before `operationalConfiguration.operatingHoursByDay`.
  const prefix = upper.slice(0, -2);
  return prefix.every((name, at) => lower[at] === name);
}

function findHours(value: unknown, segments: Segments, isEnclosingOffered: boolean): ChannelHours[] {
  if (!isJsonObject(value)) return [];
  const isOffered = isEnclosingOffered && value.isSupported !== false;
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...segments, name];
    if (name === 'operatingHoursByDay' && isJsonObject(member))
      return [{ segments: inner, days: member, isOffered }];
    return findHours(member, inner, isOffered);
  });
}
