/** Provides calendar days, weeks and hours of a time zone for SQL, because SQLite itself has no zones. */

import { delimit } from '../../../base/text/escape-text.ts';
import { offsetAt } from '../../../base/text/local-time.ts';
import { nearestName } from '../../../base/text/nearest-name.ts';
import { marketplaces } from '../../../service/facts/marketplaces.ts';

type SqlParam = string | number | bigint | Uint8Array | null;

const DAY_MS = 86_400_000;

/** No zone changes its clock within one of these slots. */
const SLOT_MS = 900_000;

/** Max slots that are cached for each zone. */
const MAX_REMEMBERED = 50_000;

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Creates functions that throw an Error about wrong arguments. A zone is an IANA name, or a marketplace by
 * country or id.
 * @param now returns milliseconds since the epoch
 */
export function createLocalTime(now: () => number) {
  const zones = new Map<string, (utc: number) => number>();
  const offsetIn = (name: string, zone: SqlParam) => {
    const id = String(zone ?? '');
    const known = zones.get(id) ?? createOffset(name, zoneOfMarketplace(id) ?? id);
    zones.set(id, known);
    return known;
  };
  const local = (name: string, value: SqlParam, zone: SqlParam): Date | null => {
    const offset = offsetIn(name, zone);
    if (value === null || value === '') return null;
    const text = String(value);
    if (DAY.test(text)) return new Date(parseMoment(name, text));
    const utc = text === 'now' ? now() : parseMoment(name, text);
    return new Date(utc + offset(utc));
  };
  return {
    /** Returns `2026-11-20`. */
    date: (value: SqlParam, zone: SqlParam) =>
      local('local_date', value, zone)?.toISOString().slice(0, 10) ?? null,
    /** Returns `2026-11`. */
    month: (value: SqlParam, zone: SqlParam) =>
      local('local_month', value, zone)?.toISOString().slice(0, 7) ?? null,
    /** Returns the ISO week: `2026-W47`. */
    week(value: SqlParam, zone: SqlParam): string | null {
      const found = local('local_week', value, zone);
      return found && weekText(Math.floor(found.getTime() / DAY_MS));
    },
    /** Returns 0 to 23. */
    hour(value: SqlParam, zone: SqlParam): number | null {
      const found = local('local_hour', value, zone);
      if (found !== null && DAY.test(String(value)))
        throw new Error(`local_hour: ${quote(value)} has no time.`);
      return found === null ? null : found.getUTCHours();
    },
  };
}

/** Quotes a value of a table, which is untrusted text of the service. */
const quote = (value: SqlParam) => delimit(String(value), 60);

function parseMoment(name: string, text: string): number {
  const ms = DAY.test(text) || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new Error(
    `${name}: ${quote(text)} is no day and no time with an offset (2026-11-20, 2026-11-20T10:00:00Z), so its day in a zone is not known. Leave such rows out, or take the day from the text with substr.`,
  );
}

/** Returns undefined for a text that names no marketplace. */
function zoneOfMarketplace(text: string): string | undefined {
  const word = text.toLowerCase();
  const found = marketplaces().find((one) =>
    [one.id, one.country, one.name, ...one.also].some((name) => name.toLowerCase() === word),
  );
  return found?.timeZone;
}

/** Rejects a plain offset such as +01:00, because it would silently ignore daylight saving time. */
function createOffset(name: string, zone: string): (utc: number) => number {
  if (zone === '') {
    throw new Error(
      `${name}: no zone, and the account has no marketplace. Write ${name}(value, 'Europe/Berlin').`,
    );
  }
  if (!isZone(zone)) {
    const nearest = nearestName(zone, ['UTC', ...Intl.supportedValuesOf('timeZone')]);
    throw new Error(
      `${name}: ${quote(zone)} is no time zone.${nearest === undefined ? '' : ` The nearest name is '${nearest}'.`} Zones are written as 'Europe/Berlin', marketplaces as 'DE'.`,
    );
  }
  const offsets = new Map<number, number>();
  return (utc) => {
    const slot = Math.floor(utc / SLOT_MS);
    const offset = offsets.get(slot) ?? offsetAt(slot * SLOT_MS, zone);
    if (offsets.size >= MAX_REMEMBERED) offsets.clear();
    offsets.set(slot, offset);
    return offset;
  };
}

function isZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && Number.isFinite(offsetAt(0, zone));
  } catch {
    return false;
  }
}

/** Formats the week, which begins on Monday and belongs to the year of its Thursday. */
function weekText(day: number): string {
  const weekday = (((day + 3) % 7) + 7) % 7;
  const thursday = day - weekday + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
  return `${year}-W${String(1 + Math.floor((thursday - firstDay) / 7)).padStart(2, '0')}`;
}
