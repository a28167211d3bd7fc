/** Opening hours as the service writes them: lists of `{ startTime, endTime }`, times as HH:mm. */

import { isJsonObject } from '../json.ts';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export interface OperatingHour {
  startTime?: unknown;
  endTime?: unknown;
}

/** True for a list that holds nothing but opening hours; an empty list counts. */
export function isOperatingHours(value: unknown): value is OperatingHour[] {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && hasOnlyTimes(item));
}

function hasOnlyTimes(item: Record<string, unknown>): boolean {
  const names = Object.keys(item);
  return names.length > 0 && names.every((name) => name === 'startTime' || name === 'endTime');
}

/** Minutes since midnight of `HH:mm` (00:00 to 24:00), undefined for anything else. */
export function parseTime(value: unknown): number | undefined {
  const match = typeof value === 'string' ? /^([01]\d|2[0-4]):([0-5]\d)$/.exec(value) : null;
  if (match === null) return undefined;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return minutes <= 1440 ? minutes : undefined;
}
