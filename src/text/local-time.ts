/** A moment as people read it: the local time of this computer, and which zone that is. */

/** `2026-11-20 12:13:14`. @param timeZone of the reader; the system's own when left out */
export function localTime(time: string | number, timeZone?: string): string {
  // The Swedish form is the ISO form with a space.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    new Date(time),
  );
}

/** `Europe/Berlin`. */
export const timeZoneName = (timeZone?: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).resolvedOptions().timeZone;

/** `2026-11-20 12:13:14 (Europe/Berlin)`. */
export const localTimeWithZone = (time: string | number, timeZone?: string) =>
  `${localTime(time, timeZone)} (${timeZoneName(timeZone)})`;
