/** Places of a text where something personal stands. */

import type { PersonalKind } from './kinds.ts';

export interface Found {
  kind: PersonalKind;
  start: number;
  /** Behind its last character. */
  end: number;
}
