/** Reports and datasets cut time into days, weeks and months of a marketplace. Days are written as `2026-11-21`. */

import { localTime } from '../../src/base/text/local-time.ts';
import type { Market } from './markets.ts';
import { DAY_MS } from './plain-values.ts';

export const GRANULARITIES = ['DAY', 'WEEK', 'MONTH'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Both days are inclusive. */
export interface Days {
  first: string;
  last: string;
}

/** Returns the day of UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const dayIn = ({ timeZone }: Pick<Market, 'timeZone'>, ms: number): string =>
  localTime(ms, timeZone).slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS);

/** Weeks begin on Sunday. */
export function beginOf(day: string, by: Granularity): string {
  if (by === 'MONTH') return `${day.slice(0, 7)}-01`;
  return by === 'DAY' ? day : addDays(day, -new Date(day).getUTCDay());
}

export function endOf(begin: string, by: Granularity): string {
  if (by === 'DAY') return begin;
  return addDays(beginOf(addDays(begin, by === 'WEEK' ? 7 : 31), by), -1);
}
