/** A moment as people read it: the local time of this computer, and which zone that is. */

/** The system's own zone can change: its format is made anew after so long. */
const SYSTEM_ZONE_MS = 1_000;

const formats = new Map<string | undefined, { format: Intl.DateTimeFormat; until: number }>();

/** Made once: a list has thousands of moments, and each format takes kilobytes outside of what is collected early. */
function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const now = performance.now();
  const known = formats.get(timeZone);
  if (known !== undefined && now < known.until) return known.format;
  // The Swedish form is the ISO form with a space.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const until = timeZone === undefined ? now + SYSTEM_ZONE_MS : Number.POSITIVE_INFINITY;
  formats.set(timeZone, { format, until });
  return format;
}

/** `2026-11-20 12:13:14`. @param timeZone of the reader; the system's own when left out */
export const localTime = (time: string | number, timeZone?: string): string =>
  formatIn(timeZone).format(new Date(time));

/** `Europe/Berlin`. */
export const timeZoneName = (timeZone?: string) => formatIn(timeZone).resolvedOptions().timeZone;

/** `2026-11-20 12:13:14 (Europe/Berlin)`. */
export function localTimeWithZone(time: string | number, timeZone?: string): string {
  const format = formatIn(timeZone);
  return `${format.format(new Date(time))} (${format.resolvedOptions().timeZone})`;
}

/** To the minute, for a reader whose zone is not known: `2026-11-21T20:02Z`. */
export function utcMinute(time: string | number): string {
  const minute = Math.floor(Number(new Date(time)) / 60_000);
  if (minute !== lastMinute.minute)
    lastMinute = { minute, text: `${new Date(minute * 60_000).toISOString().slice(0, 16)}Z` };
  return lastMinute.text;
}

/** Every answer of one minute tells the same. */
let lastMinute = { minute: Number.NaN, text: '' };

const minutes = (time: number, timeZone?: string) => localTime(time, timeZone).replace(/:00$/, '');

/**
 * For days and moments that stand in a text as they are sent: the moments in local time, the zone named once: `, in
 * Europe/Berlin 2026-12-01 to 2026-12-25 00:00`. Empty where that would say what stands there already.
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

/** True for `2026-11-20`; false for one that does not exist. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** The first or the last second of a day in a zone; ISO 8601, UTC. @param day one that `isDay` */
export function momentOfDay(day: string, timeZone: string, end: 'start' | 'end'): string {
  if (end === 'start') return isoSecond(startOf(day, timeZone));
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, day.length);
  return isoSecond(startOf(next, timeZone) - 1_000);
}

const MINUTE_MS = 60_000;

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(time: number, timeZone: string): number {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${localTime(minute, timeZone).replace(' ', 'T')}Z`) - minute;
}

const isoSecond = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

function startOf(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Twice: the offset of the first guess may be that of the other side of a change of summer time.
  const guess = midnight - offsetAt(midnight, timeZone);
  const start = midnight - offsetAt(guess, timeZone);
  // A day that begins at one o'clock has no midnight: the two offsets lead to both sides of the gap.
  return localTime(start, timeZone).startsWith(day) ? start : guess;
}
