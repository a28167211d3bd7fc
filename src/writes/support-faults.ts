/** A channel that is said to be supported although no opening hours apply to it. */

import { isJsonObject, type JsonObject } from '../json.ts';
import { DAYS } from './hours.ts';
import type { Segments } from './json.ts';
import type { Fault } from './value-faults.ts';

/**
 * Hours are looked for in the channel itself, then in what encloses it, then in `configuration`: the document does
 * not say that a channel inherits them, so only a channel that could get none from anywhere is told.
 */
export function checkSupport(body: JsonObject): Fault[] {
  return visit(body.capabilities, ['capabilities'], hoursOf(body.configuration));
}

function visit(value: unknown, segments: Segments, inherited: JsonObject | undefined): Fault[] {
  if (!isJsonObject(value)) return [];
  const hours = hoursOf(value) ?? inherited;
  const own = value.isSupported === true ? checkOpen(hours, [...segments, 'isSupported']) : [];
  const inner = Object.entries(value).flatMap(([name, member]) => visit(member, [...segments, name], hours));
  return [...own, ...inner];
}

function checkOpen(hours: JsonObject | undefined, segments: Segments): Fault[] {
  if (hours === undefined) return [{ segments, message: 'is true, but no opening hours are given for it' }];
  const isOpen = DAYS.some((day) => Array.isArray(hours[day]) && hours[day].length > 0);
  return isOpen ? [] : [{ segments, message: 'is true, but its opening hours are empty on every day' }];
}

function hoursOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.operationalConfiguration)) return undefined;
  const hours = value.operationalConfiguration.operatingHoursByDay;
  return isJsonObject(hours) ? hours : undefined;
}
