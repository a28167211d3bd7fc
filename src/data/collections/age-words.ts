/** How old a thing is, as people say it. */

import { inWords } from '../../base/text/duration.ts';

const HOUR_MS = 3_600_000;

/** `40 s`, `12 min`, `5 hours`, `3 days`; never less than a second. */
export function ageWords(ms: number): string {
  if (ms >= 48 * HOUR_MS) return `${Math.round(ms / (24 * HOUR_MS))} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return inWords(Math.max(1_000, Math.round(ms / 1_000) * 1_000));
}
