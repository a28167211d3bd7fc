/** Dates of reports as ISO 8601 with an offset, where the format is known; in UTC, so that they compare as text. */

import { monthOfName } from './month-names.ts';
import { offsetOfZone } from './zones.ts';

/** Notes that a column holds months, each of which a table has as its first day. */
export const MONTHS = 'months, each as its first day';

const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
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
  if (ISO_DATE.test(text)) return isDay(text) ? text : undefined;
  const [, date, time = '', offset = ''] = ISO_OFFSET.exec(text) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  if (!/[1-9]/.test(offset)) return `${date}T${time}Z`;
  return toUtc(`${date}T${time}${offset}`);
}

/** 31 February is a text, not a date. */
function isDay(text: string): boolean {
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8, 10));
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
}

/** A time, or nothing, follows a day. */
const BEFORE_TIME = /^(?:$|[T ,])/;

/** A year of four digits, without which a text with words is no date. */
const HAS_YEAR = /(?:^|\D)(?:19|20)\d\d(?:\D|$)|-\d\d$|[年月]/;

interface DateParts {
  year: number;
  /** In their order, where the order is not known. */
  first: number;
  second: number;
  order: 'day' | 'month' | 'open';
  isMonth: boolean;
  /** Behind the day: a time, with a zone or without one. */
  rest: string;
}

const NUMERIC = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s;
const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/s;
const CJK = /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?(.*)$/s;
const MONTH_YEAR = /^(\d{1,2})[-./](\d{4})$/;
const YEAR_MONTH = /^(\d{4})[-./](\d{2})$/;
/** A weekday may stand in front: `Mon, 16 Mar 2026`. */
const DAY_NAME =
  /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})\.?(?:-|\/| (?:de )?)([\p{L}\p{M}]{2,12})\.?(?:-|\/|,? (?:de )?)(\d{4}|\d{2}(?=$))(?!\d)(.*)$/su;
const NAME_DAY = /^([\p{L}\p{M}]{2,12})\.? (\d{1,2}),? (\d{4})(?!\d)(.*)$/su;
const NAME_YEAR = /^([\p{L}\p{M}]{2,12})\.?[-/ ](\d{4})$/u;

/** The parts of a date in digits or with the name of a month; undefined for anything else. */
function readParts(given: string): DateParts | undefined {
  const text = given.normalize('NFKC').trim();
  const make = (year: string, month: number, day: string | undefined, rest = ''): DateParts => ({
    year: year.length === 2 ? 2000 + Number(year) : Number(year),
    first: Number(day ?? 1),
    second: month,
    order: 'day',
    isMonth: day === undefined,
    rest,
  });
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [, first = '', sign, second = '', year = '', rest = ''] = numeric;
    const parts = make(year, Number(second), first, rest);
    return { ...parts, order: sign === '.' ? 'day' : 'open' };
  }
  const yearFirst = YEAR_FIRST.exec(text) ?? undefined;
  if (yearFirst !== undefined)
    return make(yearFirst[1] ?? '', Number(yearFirst[3]), yearFirst[4], yearFirst[5]);
  const cjk = CJK.exec(text) ?? undefined;
  if (cjk !== undefined) return make(cjk[1] ?? '', Number(cjk[2]), cjk[3], cjk[4]);
  const month = MONTH_YEAR.exec(text) ?? undefined;
  if (month !== undefined) return make(month[2] ?? '', Number(month[1]), undefined);
  const yearMonth = YEAR_MONTH.exec(text) ?? undefined;
  if (yearMonth !== undefined) return make(yearMonth[1] ?? '', Number(yearMonth[2]), undefined);
  return readNamed(text, make);
}

function readNamed(
  text: string,
  make: (year: string, month: number, day: string | undefined, rest?: string) => DateParts,
): DateParts | undefined {
  const dayName = DAY_NAME.exec(text) ?? undefined;
  const nameDay = NAME_DAY.exec(text) ?? undefined;
  const nameYear = NAME_YEAR.exec(text) ?? undefined;
  const month = monthOfName(dayName?.[2] ?? nameDay?.[1] ?? nameYear?.[1] ?? '');
  if (month === undefined) return undefined;
  if (dayName !== undefined) return make(dayName[3] ?? '', month, dayName[1], dayName[4]);
  if (nameDay !== undefined) return make(nameDay[3] ?? '', month, nameDay[2], nameDay[4]);
  return make(nameYear?.[2] ?? '', month, undefined);
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
  { year, first, second, order: known }: DateParts,
  order: DayOrder,
  hints: { isDayFirst: boolean; isMonthFirst: boolean },
): string | undefined {
  const isSwapped = known === 'open' ? isMonthFirst(first, second, order, hints) : known === 'month';
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
