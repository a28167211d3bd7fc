/** Finds probable mistakes in a supply source that the document does not forbid (section 2.4). */

import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { formatPath, type Segments } from '../../../base/json-difference.ts';
import { nearestName } from '../../../base/text/nearest-name.ts';
import type { Warning } from '../change.ts';
import { checkHours, DAYS, type Fault, isOpen, quote } from './hours.ts';

/**
 * Warns about opening hours that are reversed, overlap or are no times, and about unknown time zones. It also
 * finds negative and fractional numbers, invalid e-mail addresses and phone numbers, and supported channels
 * that are never open. An empty day list means closed that day, and an empty e-mail or phone means none:
 * neither is a warning.
 */
export function warnAboutSupplySource(body: unknown): Warning[] {
  const { capabilities, configuration } = toObject(body);
  const faults = [
    ...checkMembers(body, []),
    ...checkChannels(capabilities, ['capabilities'], hoursOf(configuration)),
  ];
  return faults.map(({ segments, message }) => ({ path: formatPath(segments), segments, message }));
}

function checkMembers(value: unknown, segments: Segments): Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => checkMembers(item, [...segments, at]));
  if (!isJsonObject(value)) return checkValue(value, segments);
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'operatingHoursByDay' && isJsonObject(inner)
      ? checkHours(inner, [...segments, name])
      : checkMembers(inner, [...segments, name]),
  );
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

/** Every number of a supply source counts something: hours, orders, parking spots. */
function checkNumber(value: number, segments: Segments): Fault[] {
  if (value < 0) return [{ segments, message: `${value} is negative` }];
  if (!Number.isInteger(value)) {
    return [
      { segments, message: `${value} is not a whole number; the public definition takes whole numbers only` },
    ];
  }
  return [];
}

/**
 * Checks in two grades: no mail could arrive there, or the public definition's own pattern does not match it.
 */
function checkEmail(value: string, segments: Segments): Fault[] {
  if (value === '') return [];
  const quoted = quote(value);
  if (!/^[^\s@<>,;:"()]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)) {
    return [{ segments, message: `${quoted} cannot be an e-mail address` }];
  }
  if (!/^[\w.-]+@[\w.-]+\.[a-z]{2,5}$/i.test(value)) {
    const reason = 'before the @ only letters, digits, _ . - and at the end 2 to 5 letters';
    return [{ segments, message: `${quoted} may be refused: the public definition takes ${reason}` }];
  }
  return [];
}

/** Accepts 5 to 15 digits (the maximum of E.164) with the usual separators, and perhaps an extension. */
function checkPhone(value: string, segments: Segments): Fault[] {
  if (value === '') return [];
  const number = value.trim().replace(/\s{0,2}(?:x|ext\.?|#)\s{0,2}\d{1,6}$/i, '');
  const digits = number.replace(/\D/g, '').length;
  if (/^\+?[\d\s().\-/]+$/.test(number) && digits >= 5 && digits <= 15) return [];
  return [{ segments, message: `${quote(value)} cannot be a phone number (5 to 15 digits)` }];
}

/** Suggests the probable name for one that is unknown, or known only in another spelling. */
function checkTimezone(value: string, segments: Segments): Fault[] {
  const known = findZone(value);
  const quoted = quote(value);
  if (known === undefined || /^[+-]/.test(value)) {
    const near = nearestName(value, Intl.supportedValuesOf('timeZone'));
    const next = near === undefined ? 'write it as "Europe/Berlin"' : `did you mean "${near}"?`;
    return [{ segments, message: `${quoted} is not an IANA time zone; ${next}` }];
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

/**
 * Warns about a supported channel without opening hours. Hours are read from the channel itself, then from
 * the enclosing members, then from `configuration`. The document does not say that a channel inherits them,
 * so only a channel without any hours is reported.
 */
function checkChannels(value: unknown, segments: Segments, inherited: JsonObject | undefined): Fault[] {
  if (!isJsonObject(value)) return [];
  const hours = hoursOf(value) ?? inherited;
  const own = value.isSupported === true ? checkOpen(hours, [...segments, 'isSupported']) : [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    checkChannels(member, [...segments, name], hours),
  );
  return [...own, ...inner];
}

function checkOpen(hours: JsonObject | undefined, segments: Segments): Fault[] {
  if (hours === undefined) return [{ segments, message: 'is true, but no opening hours are given for it' }];
  if (DAYS.some((day) => isOpen(hours[day]))) return [];
  return [{ segments, message: 'is true, but its opening hours are empty on every day' }];
}

function hoursOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.operationalConfiguration)) return undefined;
  const hours = value.operationalConfiguration.operatingHoursByDay;
  return isJsonObject(hours) ? hours : undefined;
}
