/**
 * Converts dates of reports to ISO 8601 with an offset if the format is known; in UTC, so that they compare
 * as text.
 */

import { isDay } from '../../base/text/local-time.ts';
import { monthOfName } from './month-names.ts';
import { offsetOfZone } from './zones.ts';

/** The note on a column of months, each of which is stored as its first day. */
export const MONTHS = 'months, each as its first day';

const ISO_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)$/;

/** Matches the beginning of dates in any country. */
const LOOKS_LIKE_DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:$|[T ,])/;
/** Matches a month of a year, in digits: 04/2023, 2023-04. */
const LOOKS_LIKE_MONTH = /^(?:(?:0?[1-9]|1[0-2])[-./](?:19|20)\d\d|(?:19|20)\d\d[-./](?:0[1-9]|1[0-2]))$/;

export function looksLikeDate(text: string): boolean {
  if (text.length < 6 || text.length > 60) return false;
  if (LOOKS_LIKE_DATE.test(text) || LOOKS_LIKE_MONTH.test(text)) return true;
  const parts = HAS_YEAR.test(text) ? readParts(text) : undefined;
  return parts !== undefined && BEFORE_TIME.test(parts.rest);
}

/** Evidence from a column on whether 05/11/2026 has the day or the month first. */
export interface DayOrder {
  /** True after a first number above 12. */
  day: boolean;
  /** True after a second number above 12. */
  month: boolean;
  /** True after an ambiguous value, which was read with the day first unless `decided`. */
  isLoose: boolean;
  /** True after months without a day, and after days. */
  hasMonths: boolean;
  hasDays: boolean;
  /** The order as known from the whole column. */
  decided: 'day' | 'month' | undefined;
}

export function newDayOrder(): DayOrder {
  return { day: false, month: false, isLoose: false, hasMonths: false, hasDays: false, decided: undefined };
}

/**
 * Returns ISO 8601 in UTC; a day without a time stays a day; undefined if the offset is unknown or there is
 * no such day. It records evidence in `order`, and the reader of the column decides in the end.
 */
export type DateReader = (text: string, order: DayOrder) => string | undefined;

/** Zones in which days are written after months. */
const MONTH_FIRST = new Set(['PST', 'PDT', 'MST', 'MDT', 'CST', 'CDT', 'EST', 'EDT']);

/** Reports that write the month first in every marketplace: public readers of them take MM/DD/YYYY. */
const WRITES_MONTH_FIRST = /^GET_LEDGER_(?:DETAIL|SUMMARY)_VIEW_DATA$/;

/**
 * @param reportType undefined if it is no report.
 * @param marketplaceIds decide the meaning of an ambiguous zone
 */
export function dateReader(
  reportType: string | undefined,
  marketplaceIds: readonly string[] = [],
): DateReader {
  const isMonthFirst = WRITES_MONTH_FIRST.test(reportType ?? '');
  let last = '';
  let date: string | undefined;
  // Dates of a row are often the same, like those of neighboring rows.
  const readLast = (text: string) => {
    if (text !== last) {
      last = text;
      date = readIso(text);
    }
    return date;
  };
  return (text, order) => {
    const iso = readLast(text);
    if (iso !== undefined) {
      order.hasDays = true;
      return iso;
    }
    return readOther(text, order, { isMonthFirst, marketplaceIds });
  };
}

/** Matches the usual form of a moment, on a day that every month has, so that no further check is needed. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T\d\d:\d\d:\d\d\+00:00$/;

function readIso(text: string): string | undefined {
  if (USUAL.test(text)) return `${text.slice(0, 19)}Z`;
  if (isDay(text)) return text;
  const [, date, time = '', offset = ''] = ISO_OFFSET.exec(text) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  if (!/[1-9]/.test(offset)) return `${date}T${time}Z`;
  return toUtc(`${date}T${time}${offset}`);
}

/** Matches the text after a day: a time or nothing. */
const BEFORE_TIME = /^(?:$|[T ,])/;

/** Matches a year of four digits, without which a text with words is no date. */
const HAS_YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)|-\d\d$|[年月]/;

interface DateParts {
  year: number;
  /** The day and the month, in their original order if that is not known. */
  first: number;
  second: number;
  isOpen: boolean;
  isMonth: boolean;
  /** The text after the day: a time, with or without a zone. */
  rest: string;
}

/**
 * The first matching form is used. `name` is a month's name; a form without a day is a month; a weekday may
 * come first.
 */
const FORMS = [
  /^(?<day>\d{1,2})(?<sign>[-./])(?<month>\d{1,2})\k<sign>(?<year>\d{4})(?!\d)(?<rest>.*)$/s,
  /^(?<year>\d{4})([-./])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)(?<rest>.*)$/s,
  /^(?<year>\d{4})年(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?(?<rest>.*)$/s,
  /^(?<month>\d{1,2})[-./](?<year>\d{4})$/,
  /^(?<year>\d{4})[-./](?<month>\d{2})$/,
  /^(?:\p{L}{2,12}\.?,? )?(?<day>\d{1,2})\.?(?:-|\/| (?:de )?)(?<name>[\p{L}\p{M}]{2,12})\.?(?:-|\/|,? (?:de )?)(?<year>\d{4}|\d{2}(?=$))(?!\d)(?<rest>.*)$/su,
  /^(?<name>[\p{L}\p{M}]{2,12})\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)(?<rest>.*)$/su,
  /^(?<name>[\p{L}\p{M}]{2,12})\.?[-/ ](?<year>\d{4})$/u,
];

/** Splits a date in digits or with a month's name into parts; undefined for anything else. */
function readParts(given: string): DateParts | undefined {
  const text = given.normalize('NFKC').trim();
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { year = '', month, name = '', day, sign = '.', rest = '' } = groups;
    const second = month === undefined ? monthOfName(name) : Number(month);
    return second === undefined
      ? undefined
      : {
          year: year.length === 2 ? 2000 + Number(year) : Number(year),
          first: Number(day ?? 1),
          second,
          isOpen: sign !== '.',
          isMonth: day === undefined,
          rest,
        };
  }
  return undefined;
}

const TIME =
  /^(?:T|,? )(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?: ?([AaPp])\.? ?[Mm]\.?)?(?: ?(?:(?:UTC|GMT)?([+-]\d{1,2}(?::?\d\d)?)|([A-Z]{1,5})))?$/;

interface DateHints {
  isMonthFirst: boolean;
  marketplaceIds: readonly string[];
}

/**
 * Parses a day, a month as its first day, or a moment with a known offset. It records evidence in `order`.
 */
function readOther(given: string, order: DayOrder, hints: DateHints): string | undefined {
  if (given.length > 60) return undefined;
  const parts = readParts(given);
  if (parts === undefined) return undefined;
  const [, hour = '', minute, second = '00', half, digits, zone] = TIME.exec(parts.rest) ?? [];
  if (parts.rest !== '' && minute === undefined) return undefined;
  const offset = digits === undefined ? zoneOffset(zone, hints.marketplaceIds) : isoOffset(digits);
  if (parts.rest !== '' && offset === undefined) return undefined;
  const isDecided = zone !== undefined && !MONTH_FIRST.has(zone) && order.decided === undefined;
  const date = dayOf(parts, order, { isDayFirst: isDecided, isMonthFirst: hints.isMonthFirst });
  if (date === undefined) return undefined;
  if (parts.isMonth) order.hasMonths = true;
  else order.hasDays = true;
  if (parts.rest === '') return date;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  if (half !== undefined && (Number(hour) > 12 || Number(hour) === 0)) return undefined;
  return toUtc(`${date}T${String(hours).padStart(2, '0')}:${minute}:${second}${offset}`);
}

const zoneOffset = (zone: string | undefined, marketplaceIds: readonly string[]) =>
  zone === undefined ? undefined : zone === 'Z' ? 'Z' : offsetOfZone(zone, marketplaceIds);

/** Formats `+1` and `+0100` as `+01:00`. */
function isoOffset(digits: string): string {
  const [hours = '', minutes = '00'] = digits.includes(':')
    ? digits.slice(1).split(':')
    : [
        digits.slice(1).slice(0, digits.length > 3 ? -2 : undefined),
        digits.length > 3 ? digits.slice(-2) : '00',
      ];
  return `${digits.charAt(0)}${hours.padStart(2, '0')}:${minutes}`;
}

function dayOf(
  { year, first, second, isOpen }: DateParts,
  order: DayOrder,
  hints: { isDayFirst: boolean; isMonthFirst: boolean },
): string | undefined {
  const isSwapped = isOpen && isMonthFirst(first, second, order, hints);
  const [month, day] = isSwapped ? [first, second] : [second, first];
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isDay(text) ? text : undefined;
}

/** Decides the order. A hint counts as evidence, so that a contradicting value leaves the column in doubt. */
function isMonthFirst(
  first: number,
  second: number,
  order: DayOrder,
  hints: { isDayFirst: boolean; isMonthFirst: boolean },
): boolean {
  if (first > 12) order.day = true;
  else if (second > 12) order.month = true;
  else if (first !== second) {
    if (hints.isMonthFirst) order.month = true;
    else if (hints.isDayFirst) order.day = true;
    else {
      order.isLoose = true;
      return order.decided === 'month';
    }
    return hints.isMonthFirst;
  }
  return second > 12;
}

function toUtc(text: string): string | undefined {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().replace('.000Z', 'Z');
}
