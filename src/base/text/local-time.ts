/** Formats moments for readers, in the local time of this computer with its zone. */

/** The lifetime of the format for the system's zone, which can change. */
const SYSTEM_ZONE_MS = 1_000;

const formats = new Map<string | undefined, { format: Intl.DateTimeFormat; until: number }>();

/**
 * Returns a cached format, because a list has thousands of moments and each format takes kilobytes outside
 * the garbage-collected heap.
 */
function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const now = performance.now();
  const known = formats.get(timeZone);
  if (known !== undefined && now < known.until) return known.format;
  // The Swedish format is the ISO format with a space.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const until = timeZone === undefined ? now + SYSTEM_ZONE_MS : Number.POSITIVE_INFINITY;
  formats.set(timeZone, { format, until });
  return format;
}

/**
 * Formats a moment as `2026-11-20 12:13:14`.
 * @param timeZone of the reader; the system's own by default
 */
export const localTime = (time: string | number, timeZone?: string): string =>
  formatIn(timeZone).format(new Date(time));

/** Returns the zone's name, such as `Europe/Berlin`. */
export const timeZoneName = (timeZone?: string) => formatIn(timeZone).resolvedOptions().timeZone;

/** Formats a moment as `2026-11-20 12:13:14 (Europe/Berlin)`. */
export function localTimeWithZone(time: string | number, timeZone?: string): string {
  const format = formatIn(timeZone);
  return `${format.format(new Date(time))} (${format.resolvedOptions().timeZone})`;
}

/** Formats a moment to the minute for a reader whose zone is unknown: `2026-11-21T20:02Z`. */
export function utcMinute(time: string | number): string {
  const minute = Math.floor(Number(new Date(time)) / 60_000);
  if (minute !== lastMinute.minute)
    lastMinute = { minute, text: `${new Date(minute * 60_000).toISOString().slice(0, 16)}Z` };
  return lastMinute.text;
}

/** Caches the last minute, because every answer of one minute shows the same text. */
let lastMinute = { minute: Number.NaN, text: '' };

const minutes = (time: number, timeZone?: string) => localTime(time, timeZone).replace(/:00$/, '');

/**
 * Formats days and moments that a text shows as sent: the moments in local time, with the zone once: `, in
 * Europe/Berlin 2026-12-01 to 2026-12-25 00:00`. Empty when it would repeat the text.
 */
export function localMoments(moments: readonly string[], timeZone?: string): string {
  const local = moments.map((moment) => {
    const at = /(?:Z|[+-]\d{2}:?\d{2})$/.test(moment) ? Date.parse(moment) : Number.NaN;
    return Number.isNaN(at) ? moment : minutes(at, timeZone);
  });
  const isNew = local.some((text, at) => !moments[at]?.replace('T', ' ').startsWith(text.replace('T', ' ')));
  return isNew ? `, in ${timeZone ?? timeZoneName()} ${local.join(' to ')}` : '';
}

const DAY_MS = 86_400_000;

/** Returns true for an existing day such as `2026-11-20`. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/**
 * Returns the first or last second of a day in a zone; ISO 8601, UTC.
 * @param day one that `isDay`
 */
export function momentOfDay(day: string, timeZone: string, end: 'start' | 'end'): string {
  if (end === 'start') return isoSecond(startOf(day, timeZone));
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, day.length);
  return isoSecond(startOf(next, timeZone) - 1_000);
}

const MINUTE_MS = 60_000;

/** Returns how far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(time: number, timeZone: string): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${localTime(minute, timeZone).replace(' ', 'T')}Z`) - minute;
}

const isoSecond = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

function startOf(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The offset is computed twice, because the first guess may lie on the other side of a daylight-saving
  // change.
  const guess = midnight - offsetAt(midnight, timeZone);
  const start = midnight - offsetAt(guess, timeZone);
  // A day that begins at one o'clock has no midnight, so the two offsets lead to both sides of the gap.
  return localTime(start, timeZone).startsWith(day) ? start : guess;
}
