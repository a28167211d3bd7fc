/** Places of a text where something personal stands. */

import type { PersonalKind } from './kinds.ts';

export interface Found {
  kind: PersonalKind;
  start: number;
  /** Behind its last character. */
  end: number;
}

/** A copy of its own: a slice that is kept would keep the whole text. */
export function foundIn(text: string, { start, end }: Pick<Found, 'start' | 'end'>): string {
  return Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le');
}
