/** Dates of reports as ISO 8601 with an offset, where the format is known; in UTC, so that they compare as text. */

import { isDay } from '../../base/text/local-time.ts';
import { monthOfName } from './month-names.ts';
import { offsetOfZone } from './zones.ts';

/** Notes that a column holds months, each of which a table has as its first day. */
export const MONTHS = 'months, each as its first day';

const ISO_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)$/;

/** Begins as dates do in any country. */
const LOOKS_LIKE_DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:$|[T ,])/;
/** A month of a year, in digits: 04/2023, 2023-04. */
const LOOKS_LIKE_MONTH = /^(?:(?:0?[1-9]|1[0-2])[-./](?:19|20)\d\d|(?:19|20)\d\d[-./](?:0[1-9]|1[0-2]))$/;

export function looksLikeDate(text: string): boolean {
  if (text.length < 6 || text.length > 60) return false;
  if (LOOKS_LIKE_DATE.test(text) || LOOKS_LIKE_MONTH.test(text)) return true;
  const parts = HAS_YEAR.test(text) ? readParts(text) : undefined;
  return parts !== undefined && BEFORE_TIME.test(parts.rest);
}

/** What the values of a column say about 05/11/2026: whether the day or the month stands first. */
export interface DayOrder {
  /** A first number above 12. */
  day: boolean;
  /** A second number above 12. */
  month: boolean;
  /** A value that can be read either way, and was read with the day first unless `decided`. */
  isLoose: boolean;
  /** Months without a day, and days. */
  hasMonths: boolean;
  hasDays: boolean;
  /** Known from all of the column. */
  decided: 'day' | 'month' | undefined;
}

export function newDayOrder(): DayOrder {
  return { day: false, month: false, isLoose: false, hasMonths: false, hasDays: false, decided: undefined };
}

/**
 * ISO 8601 in UTC; a day without a time stays one; undefined where no offset is known or there is no such day. What is
 * seen of the order is noted in `order`: whoever reads the column decides in the end.
 */
export type DateReader = (text: string, order: DayOrder) => string | undefined;

/** Where these are said, days are written behind months. */
const MONTH_FIRST = new Set(['PST', 'PDT', 'MST', 'MDT', 'CST', 'CDT', 'EST', 'EDT']);

/** Reports that write the month first, whatever the marketplace: public readers of them take MM/DD/YYYY. */
const WRITES_MONTH_FIRST = /^GET_LEDGER_(?:DETAIL|SUMMARY)_VIEW_DATA$/;

/** @param reportType undefined for what is no report. @param marketplaceIds decide what an ambiguous zone means */
export function dateReader(
  reportType: string | undefined,
  marketplaceIds: readonly string[] = [],
): DateReader {
  const isMonthFirst = WRITES_MONTH_FIRST.test(reportType ?? '');
  let last = '';
  let date: string | undefined;
  // Dates of a row are often the same, and those of the rows beside it.
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

/** As most reports write a moment, on a day that every month has: nothing is left to be looked at. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T\d\d:\d\d:\d\d\+00:00$/;

function readIso(text: string): string | undefined {
  if (USUAL.test(text)) return `${text.slice(0, 19)}Z`;
  if (isDay(text)) return text;
  const [, date, time = '', offset = ''] = ISO_OFFSET.exec(text) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  if (!/[1-9]/.test(offset)) return `${date}T${time}Z`;
  return toUtc(`${date}T${time}${offset}`);
}

/** A time, or nothing, follows a day. */
const BEFORE_TIME = /^(?:$|[T ,])/;

/** A year of four digits, without which a text with words is no date. */
const HAS_YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)|-\d\d$|[年月]/;

interface DateParts {
  year: number;
  /** The day and the month, in their order where that is not known. */
  first: number;
  second: number;
  isOpen: boolean;
  isMonth: boolean;
  /** Behind the day: a time, with a zone or without one. */
  rest: string;
}

/** The first that fits counts. `name` is that of a month; what has no day is a month; a weekday may stand in front. */
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

/** The parts of a date in digits or with the name of a month; undefined for anything else. */
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

/** A day, a month as its first day, or a moment whose offset is known. What is seen of the order is noted in `order`. */
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

/** `+1` and `+0100` as `+01:00`. */
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

/** A hint counts as evidence of the order, so that a value that contradicts it leaves the column in doubt. */
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
