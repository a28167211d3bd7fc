/** Reads a moment as people give it: `2h`, `7d`, `2026-11-20`, `2026-11-20T12:00Z`. */

import { InputError } from '../errors.ts';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds since the epoch. A bare date begins at local midnight, a time without a zone is local.
 * @throws InputError for anything else
 */
export function parseSince(text: string, now: number): number {
  const ago = /^(\d{1,6})([smhdw])$/.exec(text);
  const unit = UNITS[ago?.[2] ?? ''];
  if (unit !== undefined) return now - Number(ago?.[1]) * unit;
  if (/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) {
    const moment = Date.parse(text.includes('T') ? text : `${text}T00:00`);
    if (!Number.isNaN(moment)) return moment;
  }
  throw new InputError(
    `--since ${JSON.stringify(text)} is not a moment.`,
    'Give a time span such as 2h, 7d or 4w, a date such as 2026-11-20, or a time such as 2026-11-20T12:00Z.',
  );
}
