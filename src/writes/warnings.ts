/** What is probably wrong in a supply source, though the document does not forbid it (section 2.4). */

import { isJsonObject } from '../json.ts';
import { checkHours } from './hours-faults.ts';
import { formatPath, type Segments } from './json.ts';
import { checkSupport } from './support-faults.ts';
import { checkTimezone } from './timezone-fault.ts';
import { checkEmail, checkNumber, checkPhone, type Fault } from './value-faults.ts';

export interface Warning {
  /** Dotted place in the body. */
  path: string;
  /** The same place in machine form. Names are the caller's or the service's: escape them where they are shown. */
  segments: Segments;
  /** Holds values as the caller gave them, JSON-quoted: pass it through the same escaping as other foreign text. */
  message: string;
}

/**
 * Looks for: opening hours that are reversed, overlap or are no times; an unknown time zone; negative and fractional
 * numbers; e-mail addresses and phone numbers that cannot be one; something supported that is never open.
 * An empty day list means closed that day, and an empty e-mail or phone means none: neither is a warning.
 */
export function warnAboutSupplySource(body: unknown): Warning[] {
  const faults = [...checkMembers(body, []), ...(isJsonObject(body) ? checkSupport(body) : [])];
  return faults.map(({ segments, message }) => ({ path: formatPath(segments), segments, message }));
}

function checkMembers(value: unknown, segments: Segments): Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => checkMembers(item, [...segments, at]));
  if (!isJsonObject(value)) return checkValue(value, segments);
  return Object.entries(value).flatMap(([name, inner]) => checkMember(name, inner, [...segments, name]));
}

function checkMember(name: string, value: unknown, segments: Segments): Fault[] {
  if (name === 'operatingHoursByDay' && isJsonObject(value)) return checkHours(value, segments);
  return checkMembers(value, segments);
}

function checkValue(value: unknown, segments: Segments): Fault[] {
  if (typeof value === 'number') return checkNumber(value, segments);
  if (typeof value !== 'string') return [];
  const checks: Record<string, (text: string, segments: Segments) => Fault[]> = {
    email: checkEmail,
    phone: checkPhone,
    phoneNumber: checkPhone,
    timezone: checkTimezone,
  };
  const name = segments.at(-1);
  return typeof name === 'string' && Object.hasOwn(checks, name)
    ? (checks[name]?.(value, segments) ?? [])
    : [];
}
