/** Dates of reports as ISO 8601 with an offset, where the format is known; in UTC, so that they compare as text. */

const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
const ISO_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)$/;

/** Begins as dates do in any country. */
const LOOKS_LIKE_DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:$|[T ,])/;

export function looksLikeDate(text: string): boolean {
  return LOOKS_LIKE_DATE.test(text);
}

/** What the values of a column say about 05/11/2026: whether the day or the month stands first. */
export interface DayOrder {
  /** A first number above 12. */
  day: boolean;
  /** A second number above 12. */
  month: boolean;
  /** A value that can be read either way, and was read with the day first unless `decided`. */
  isLoose: boolean;
  /** Known from all of the column. */
  decided: 'day' | 'month' | undefined;
}

export function newDayOrder(): DayOrder {
  return { day: false, month: false, isLoose: false, decided: undefined };
}

/**
 * ISO 8601 in UTC; a day without a time stays one; undefined where no offset is known or there is no such day. What is
 * seen of the order is noted in `order`: whoever reads the column decides in the end.
 */
export type DateReader = (text: string, order: DayOrder) => string | undefined;

/** Which offset a name of a zone means in the reports that write one. */
const ZONES: Readonly<Record<string, string>> = {
  UTC: '+00:00',
  GMT: '+00:00',
  WET: '+00:00',
  WEST: '+01:00',
  BST: '+01:00',
  CET: '+01:00',
  MET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MEST: '+02:00',
  MESZ: '+02:00',
  JST: '+09:00',
  PST: '-08:00',
  PDT: '-07:00',
  EST: '-05:00',
  EDT: '-04:00',
};

/** Where these are said, days are written behind months. */
const MONTH_FIRST = new Set(['PST', 'PDT', 'EST', 'EDT']);

/** Types whose dates have the name of a zone behind them: listings, and settlements. */
const NAMES_ZONES = /^GET_(?:MERCHANT_|FLAT_FILE_OPEN_LISTINGS|V2_SETTLEMENT_|FLAT_FILE_OFFAMAZON)/;

/** @param reportType undefined for what is no report */
export function dateReader(reportType: string | undefined): DateReader {
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
  return NAMES_ZONES.test(reportType ?? '')
    ? (text, order) => readLast(text) ?? readWithZone(text, order)
    : readLast;
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

const ZONED =
  /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d)\.(\d\d)\.(\d{4})|(\d\d)\/(\d\d)\/(\d{4})) (\d\d:\d\d:\d\d) ([A-Z]{3,4})$/;

/**
 * `2026-11-20 10:00:00 PST`, `20.11.2026 10:00:00 UTC`, `20/11/2026 10:00:00 GMT`; the day stands first in the last two,
 * except that a slash in an American zone says nothing of it.
 */
function readWithZone(text: string, order: DayOrder): string | undefined {
  const found = ZONED.exec(text);
  if (found === null) return undefined;
  const offset = ZONES[found[11] ?? ''];
  const year = found[1] ?? found[6] ?? found[9];
  const isSwapped =
    found[7] !== undefined && MONTH_FIRST.has(found[11] ?? '') && isMonthFirst(found[7], found[8], order);
  const month = found[2] ?? found[5] ?? (isSwapped ? found[7] : found[8]);
  const day = found[3] ?? found[4] ?? (isSwapped ? found[8] : found[7]);
  const date = `${year}-${month}-${day}`;
  return offset === undefined || !isDay(date) ? undefined : toUtc(`${date}T${found[10]}${offset}`);
}

function isMonthFirst(first: string, second = '', order: DayOrder): boolean {
  if (Number(first) > 12) order.day = true;
  else if (Number(second) > 12) order.month = true;
  else if (first !== second) {
    order.isLoose = true;
    return order.decided === 'month';
  }
  return Number(second) > 12;
}

function toUtc(text: string): string | undefined {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().replace('.000Z', 'Z');
}
