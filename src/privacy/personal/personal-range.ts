/** A range of a text that holds personal data. */

import type { PersonalKind } from './kinds.ts';

export interface PersonalRange {
  kind: PersonalKind;
  start: number;
  /** The position after its last character. */
  end: number;
}

/** Returns a copy with its own memory, because a stored slice would retain the whole text. */
export function copyRange(text: string, { start, end }: Pick<PersonalRange, 'start' | 'end'>): string {
  return Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le');
}
