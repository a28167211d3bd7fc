/** Whether a time zone is one of the IANA names, by the database that Node carries. */

import { closest } from 'fastest-levenshtein';
import type { Segments } from './json.ts';
import { type Fault, quote } from './value-faults.ts';

/** A name that is unknown, or known only in another spelling, gets the name that was probably meant. */
export function checkTimezone(value: string, segments: Segments): Fault[] {
  const known = findZone(value);
  const quoted = quote(value);
  if (known === undefined || /^[+-]/.test(value)) {
    // Nobody means a zone by a text longer than any name, and the search takes time in proportion.
    const meant = closest(value.slice(0, 64), Intl.supportedValuesOf('timeZone'));
    return [{ segments, message: `${quoted} is not an IANA time zone; did you mean "${meant}"?` }];
  }
  if (known !== value && known.toLowerCase() === value.toLowerCase()) {
    return [{ segments, message: `${quoted} is spelled "${known}" in the IANA time zones` }];
  }
  return [];
}

function findZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
