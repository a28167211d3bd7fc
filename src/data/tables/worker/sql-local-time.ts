/** Calendar days, weeks and hours of a time zone, for SQL: SQLite itself knows no zones. */

import { delimit } from '../../../base/text/escape-text.ts';
import { nearestName } from '../../../base/text/nearest-name.ts';
import { marketplaces } from '../../../service/facts/marketplaces.ts';

type Value = string | number | bigint | Uint8Array | null;

const DAY_MS = 86_400_000;

/** No zone changes its clock within one of these. */
const SLOT_MS = 900_000;

/** Slots and days remembered for each zone. */
const MOST_REMEMBERED = 50_000;

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

interface Zone {
  /** Milliseconds to add to UTC, by slot. */
  offsets: Map<number, number>;
  days: Map<number, string>;
  weeks: Map<number, string>;
  format: Intl.DateTimeFormat;
}

/**
 * Each function throws an Error whose message says what is wrong with its arguments. A zone is a name of the IANA, or a
 * marketplace, by country or ID. @param now milliseconds since the epoch
 */
export function createLocalTime(now: () => number) {
  const zones = new Map<string, Zone>();
  const local = (name: string, value: Value, zone: Value): { zone: Zone; ms: number } | null => {
    const known = findZone(zones, name, zone);
    if (value === null || value === '') return null;
    const text = String(value);
    if (DAY.test(text)) return { zone: known, ms: parseMoment(name, text) };
    const utc = text === 'now' ? now() : parseMoment(name, text);
    return { zone: known, ms: utc + offsetAt(known, utc) };
  };
  return {
    /** `2026-11-20` */
    date(value: Value, zone: Value): string | null {
      const found = local('local_date', value, zone);
      return found === null ? null : remember(found.zone.days, Math.floor(found.ms / DAY_MS), dayText);
    },
    /** `2026-11` */
    month(value: Value, zone: Value): string | null {
      const found = local('local_month', value, zone);
      if (found === null) return null;
      return remember(found.zone.days, Math.floor(found.ms / DAY_MS), dayText).slice(0, 'yyyy-mm'.length);
    },
    /** ISO week: `2026-W47` */
    week(value: Value, zone: Value): string | null {
      const found = local('local_week', value, zone);
      return found === null ? null : remember(found.zone.weeks, Math.floor(found.ms / DAY_MS), weekText);
    },
    /** 0 to 23 */
    hour(value: Value, zone: Value): number | null {
      const found = local('local_hour', value, zone);
      if (found !== null && DAY.test(String(value)))
        throw new Error(`local_hour: ${quote(value)} has no time.`);
      return found === null ? null : new Date(found.ms).getUTCHours();
    },
  };
}

/** A value of a table: the service's. */
const quote = (value: Value) => delimit(String(value), 60);

function parseMoment(name: string, text: string): number {
  const ms = DAY.test(text) || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new Error(
    `${name}: ${quote(text)} is no day and no time with an offset (2026-11-20, 2026-11-20T10:00:00Z), so its day in a zone is not known. Leave such rows out, or take the day from the text with substr.`,
  );
}

function findZone(zones: Map<string, Zone>, name: string, zone: Value): Zone {
  const id = String(zone ?? '');
  const known = zones.get(id);
  if (known !== undefined) return known;
  const format = formatOf(name, zoneOfMarketplace(id) ?? id);
  const made = { offsets: new Map(), days: new Map(), weeks: new Map(), format };
  zones.set(id, made);
  return made;
}

/** Undefined for a text that names none. */
function zoneOfMarketplace(text: string): string | undefined {
  const word = text.toLowerCase();
  const found = marketplaces().find((one) =>
    [one.id, one.country, one.name, ...one.also].some((name) => name.toLowerCase() === word),
  );
  return found?.timeZone;
}

/** A plain offset such as +01:00 is no zone: it would miss daylight saving time in silence. */
function formatOf(name: string, zone: string): Intl.DateTimeFormat {
  try {
    if (/^(?:UTC|Etc\/|[A-Za-z])/.test(zone)) {
      return new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    }
  } catch {
    // Told below, with the nearest name.
  }
  if (zone === '') {
    throw new Error(
      `${name}: no zone, and the account has no marketplace. Write ${name}(value, 'Europe/Berlin').`,
    );
  }
  const nearest = nearestName(zone, ['UTC', ...Intl.supportedValuesOf('timeZone')]);
  throw new Error(
    `${name}: ${quote(zone)} is no time zone.${nearest === undefined ? '' : ` The nearest name is '${nearest}'.`} Zones are written as 'Europe/Berlin', marketplaces as 'DE'.`,
  );
}

function offsetAt({ offsets, format }: Zone, utc: number): number {
  return remember(offsets, Math.floor(utc / SLOT_MS), (slot) => {
    const parts = new Map<string, number>();
    const moment = slot * SLOT_MS;
    for (const { type, value } of format.formatToParts(moment)) parts.set(type, Number(value));
    const part = (name: string) => parts.get(name) ?? 0;
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - moment;
  });
}

function remember<Made>(kept: Map<number, Made>, key: number, make: (key: number) => Made): Made {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  if (kept.size >= MOST_REMEMBERED) kept.clear();
  kept.set(key, made);
  return made;
}

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A week begins on Monday and belongs to the year that its Thursday is in. */
function weekText(day: number): string {
  const weekday = (((day + 3) % 7) + 7) % 7;
  const thursday = day - weekday + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
  return `${year}-W${String(1 + Math.floor((thursday - firstDay) / 7)).padStart(2, '0')}`;
}
