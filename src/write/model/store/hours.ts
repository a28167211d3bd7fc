/** Handles opening hours of a supply source: it recognizes their lists and finds probable mistakes. */

import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import type { Segments } from '../../../base/json-difference.ts';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

interface OperatingHour {
  startTime?: unknown;
  endTime?: unknown;
}

/** Returns true for a list of opening hours only; an empty list counts. */
export function isOperatingHours(value: unknown): value is OperatingHour[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && hasOnlyTimes(item));
}

/** Returns true if a day has opening hours. */
export const isOpen = (hours: unknown): boolean => Array.isArray(hours) && hours.length > 0;

function hasOnlyTimes(item: JsonObject): boolean {
  const names = Object.keys(item);
  return names.length > 0 && names.every((name) => name === 'startTime' || name === 'endTime');
}

/** One probable mistake, and its path. */
export interface Fault {
  segments: Segments;
  message: string;
}

/**
 * Quotes a value as JSON, cut after 80 characters: a message names a value, it does not repeat a document.
 */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}

interface Opening {
  text: string;
  start: number;
  end: number;
}

/** Checks one `operatingHoursByDay`: reversed, overlapping, no times, no days. */
export function checkHours(days: JsonObject, segments: Segments): Fault[] {
  return Object.entries(days).flatMap(([day, hours]) => {
    const inner = [...segments, day];
    if (!DAYS.some((known) => known === day)) {
      return [{ segments: inner, message: `is not a day; the days are ${DAYS.join(', ')}` }];
    }
    if (!Array.isArray(hours)) return [{ segments: inner, message: 'is not a list of opening hours' }];
    const openings: Opening[] = [];
    const faults = hours.flatMap((hour, at) => checkOpening(hour, [...inner, at], openings));
    return [...faults, ...checkOverlap(openings, inner)];
  });
}
/** Adds the opening to `openings` when it is one. */
function checkOpening(hour: unknown, segments: Segments, openings: Opening[]): Fault[] {
  const { startTime, endTime } = toObject(hour);
  const start = parseTime(startTime);
  const end = parseTime(endTime);
  if (start === undefined || end === undefined) {
    return [
      ...(start === undefined ? [noTime(startTime, [...segments, 'startTime'])] : []),
      ...(end === undefined ? [noTime(endTime, [...segments, 'endTime'])] : []),
    ];
  }
  const text = `${startTime}-${endTime}`;
  if (end < start) return [{ segments, message: `${text} closes before it opens` }];
  // The public service itself returns 00:00-00:00, so only other empty spans are reported.
  if (end === start && start !== 0)
    return [{ segments, message: `${text} opens and closes at the same time` }];
  openings.push({ text, start, end });
  return [];
}

function noTime(value: unknown, segments: Segments): Fault {
  if (value === undefined) return { segments, message: 'is missing' };
  return { segments, message: `${quote(value)} is not a time such as 09:00 (HH:mm, 24 hours)` };
}

function checkOverlap(openings: readonly Opening[], segments: Segments): Fault[] {
  const sorted = [...openings].sort((a, b) => a.start - b.start || a.end - b.end);
  let latest: Opening | undefined;
  return sorted.flatMap((opening) => {
    const earlier = latest;
    if (earlier === undefined || opening.end > earlier.end) latest = opening;
    if (earlier === undefined || earlier.end <= opening.start) return [];
    return [{ segments, message: `${earlier.text} and ${opening.text} overlap` }];
  });
}

/** Returns the minutes since midnight of `HH:mm` (00:00 to 24:00); undefined for anything else. */
export function parseTime(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^([01]\d|2[0-4]):([0-5]\d)$/.exec(value) : null;
  if (match === null) return undefined;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return minutes <= 1440 ? minutes : undefined;
}
