/** Determines the type of a column while its values are read. */

import { requoteForeignPlaceholders } from '../../../base/text/placeholder-shape.ts';
import { maskEmails, maskFreeText } from '../../../privacy/personal/free-text.ts';
import type { Treatment } from '../../../privacy/personal/kinds.ts';
import { isThingName, maskValue } from '../../../privacy/personal/mask-value.ts';
import { rulesOf } from '../../../privacy/personal/members.ts';
import { mayContainStructure } from '../../../privacy/personal/structure-in-text.ts';
import {
  type DecimalSign,
  type Decimals,
  decideSign,
  isAmount,
  isIdentifierName,
  kindOfAmount,
  newDecimals,
  parseAmount,
  plainAmount,
} from '../amounts.ts';
import { type DateReader, type DayOrder, looksLikeDate, MONTHS, newDayOrder } from '../dates.ts';
import type { ColumnInfo, SqlValue } from '../table-types.ts';

export type ColumnKind = 'text' | 'amount' | 'date';

/**
 * The state of reading a column's texts. `open`: its first filled value decides whether it contains dates.
 */
export interface ColumnValues {
  name: string;
  kind: ColumnKind | 'open';
  sign: DecimalSign;
  seen: Decimals;
  order: DayOrder;
  /** True after a value that does not fit the assumed type. */
  isMixed: boolean;
  /** True after a date whose form was changed. */
  isRewritten: boolean;
  isFilled: boolean;
  /** True after values like dates whose offset is unknown. */
  hasUnknownDates: boolean;
  note: string | undefined;
  /** The likely type of its values, and the reason why they are not read as such. */
  doubt: ColumnInfo['doubt'];
  /** The currency or percent sign beside its amounts; empty if there is none. */
  mark: string | undefined;
  hasOtherMark: boolean;
  /** Whether it became a column of amounts after the table was created. */
  isLate: boolean;
  /** Whether values have leading zeros, as in codes. */
  hasCodes: boolean;
  /** Whether some of its values are amounts. */
  hasAmounts: boolean;
  /** Whether its heading shows that it contains amounts. */
  isNamedAmount: boolean;
  /** The personal kind that follows from its heading. */
  personal: Treatment | undefined;
  /** Whether it contains the seller's own data, regardless of its values. */
  isOwn: boolean;
  /** True after a text with an e-mail address or telephone number. */
  hasContact: boolean;
  mayHoldContact(text: string): boolean;
  /** The last inspected value, because values repeat. */
  last: string;
  /**
   * The kinds of the first values of a text column: a word, or a sign for no value, may precede dates or
   * amounts.
   */
  looked: Record<ColumnKind, number>;
  /** The number of values still to examine. */
  looksLeft: number;
  /** The last value that was examined. */
  lookedAt: string;
}

export function newColumn(name: string): ColumnValues {
  return {
    name,
    kind: kindOfAmount(name) === undefined ? 'open' : 'amount',
    sign: undefined,
    seen: newDecimals(),
    order: newDayOrder(),
    isMixed: false,
    isRewritten: false,
    isFilled: false,
    hasUnknownDates: false,
    note: undefined,
    doubt: undefined,
    mark: undefined,
    hasOtherMark: false,
    isLate: false,
    hasCodes: false,
    hasAmounts: false,
    isNamedAmount: kindOfAmount(name) !== undefined,
    personal: undefined,
    isOwn: false,
    hasContact: false,
    mayHoldContact: createContactSearch(name),
    last: '',
    looked: { text: 0, amount: 0, date: 0 },
    looksLeft: MAX_EXAMINED,
    lookedAt: '',
  };
}

/** Returns the value for the table; a value that does not fit is recorded in the column and stays text. */
export function readText(column: ColumnValues, given: string, readDate: DateReader): SqlValue {
  if (given === '') return null;
  const text = requoteForeignPlaceholders(given);
  column.isFilled = true;
  if (column.kind === 'open') openColumn(column, text);
  if (column.kind === 'text') {
    if (column.looksLeft > 0) lookAtText(column, text, guessKind);
    seeContact(column, text);
    return text;
  }
  if (column.kind === 'date') return readDateText(column, text, readDate);
  return readAmount(column, text) ?? noteOtherText(column, text);
}

/** Opens a column whose table exists already, and stores its numbers as text. */
function openColumn(column: ColumnValues, text: string): void {
  column.kind = guessKind(column, text);
  column.isLate = column.kind === 'amount';
}

function noteOtherText(column: ColumnValues, text: string): string {
  column.isMixed = true;
  column.hasCodes ||= /^0\d+$/.test(text);
  seeContact(column, text);
  return text;
}

export function readAmount(column: ColumnValues, text: string): number | undefined {
  const plain = parseAmount(text, column.seen, column.sign);
  if (plain !== undefined) {
    noteMark(column, '');
    return plain;
  }
  const other = plainAmount(text);
  const amount = other && parseAmount(other.text, column.seen, column.sign);
  if (amount !== undefined) noteMark(column, other?.mark ?? '');
  return amount;
}

function noteMark(column: ColumnValues, mark: string): void {
  column.hasAmounts = true;
  if (column.mark === undefined) column.mark = mark;
  else if (column.mark !== mark) column.hasOtherMark = true;
}

/**
 * Guesses the kind of the column from its first filled value, regardless of its name, because no list of
 * headings is complete. All values decide in the end.
 */
export function guessKind(column: ColumnValues, first: string): ColumnKind {
  if (looksLikeDate(first)) return 'date';
  const isOpen = column.personal === undefined && !isIdentifierName(column.name);
  return isOpen && isAmount(first) ? 'amount' : 'text';
}

/** Max consecutive distinct values that are examined in a column whose first one is a text. */
const MAX_EXAMINED = 50;

/** Matches texts that mean no value. */
const NO_VALUE = /^(?:[-–—.]{1,4}|n\.?\/?a\.?|nan|null|none)$/i;

/** @param kindOf returns the kind of a column whose first value this is */
export function lookAtText(
  column: ColumnValues,
  text: string,
  kindOf: (column: ColumnValues, text: string) => ColumnKind,
): void {
  if (column.looksLeft === 0 || text === column.lookedAt) return;
  column.lookedAt = text;
  if (NO_VALUE.test(text)) return;
  column.looked[kindOf(column, text)] += 1;
  column.looksLeft -= 1;
}

/**
 * Min parts of those values at which a text column is reported as doubtful: the form of dates is
 * unmistakable.
 */
const MIN_DATES = 0.25;
const MIN_AMOUNTS = 0.5;

function doubtOfText({ looked: { text, amount, date } }: ColumnValues): ColumnInfo['doubt'] {
  const all = text + amount + date;
  if (all === 0) return undefined;
  if (date >= all * MIN_DATES) return { kind: 'date', reason: 'not all values are dates' };
  return amount >= all * MIN_AMOUNTS ? { kind: 'number', reason: 'not all values are numbers' } : undefined;
}

/** Searches until the first hit, because the whole column is searched then. */
export function seeContact(column: ColumnValues, text: string): void {
  if (column.hasContact || column.personal !== undefined || text === column.last) return;
  column.last = text;
  column.hasContact = column.mayHoldContact(text);
}

function readDateText(column: ColumnValues, text: string, readDate: DateReader): SqlValue {
  const date = readDate(text, column.order);
  if (date === undefined) {
    seeContact(column, text);
    column.isMixed = true;
    column.hasUnknownDates ||= looksLikeDate(text);
    return text;
  }
  if (date !== text) column.isRewritten = true;
  return date;
}

/**
 * Returns the column with settings by which all of it has one kind; the same column if they did not change.
 * @param all the evidence of all columns
 */
export function settleColumn(column: ColumnValues, all: Decimals): { column: ColumnValues; again: boolean } {
  if (column.kind === 'amount') return settleAmount(column, all);
  if (column.kind === 'date' && column.isMixed) {
    const reason = column.hasUnknownDates
      ? 'their format or offset is not known'
      : 'not all values are dates';
    const note = `${column.hasUnknownDates ? 'dates' : 'text'} as sent: ${reason}`;
    const doubt = { kind: 'date' as const, reason };
    return { column: { ...column, kind: 'text', note, doubt }, again: column.isRewritten };
  }
  if (column.kind === 'date') return settleDates(column);
  const doubt = doubtOfText(column);
  const note = doubt === undefined ? column.note : `text as sent: ${doubt.reason}`;
  return { column: { ...column, kind: 'text', note, doubt }, again: false };
}

function settleDates(column: ColumnValues): { column: ColumnValues; again: boolean } {
  const { day, month, isLoose, decided, hasMonths, hasDays } = column.order;
  const reason =
    hasMonths && hasDays
      ? 'some values are days and others months'
      : (day && month) || (isLoose && day === month)
        ? 'whether the day or the month stands first cannot be told'
        : undefined;
  if (reason !== undefined) {
    const doubt = { kind: 'date' as const, reason };
    const note = `dates as sent: ${reason}`;
    return { column: { ...column, kind: 'text', note, doubt }, again: column.isRewritten };
  }
  if (hasMonths) return { column: { ...column, note: MONTHS }, again: false };
  if (!month) return { column, again: false };
  return {
    column: { ...column, order: { ...column.order, decided: 'month' } },
    again: isLoose && decided !== 'month',
  };
}

function settleAmount(column: ColumnValues, all: Decimals): { column: ColumnValues; again: boolean } {
  const isMixed = column.isMixed || column.hasOtherMark;
  const sign = isMixed ? undefined : decideSign(column.seen, all);
  if (sign === undefined) {
    const reason = column.isFilled ? noteOnAmounts(column) : undefined;
    const doubt = reason === undefined ? undefined : { kind: 'number' as const, reason };
    const note = reason === undefined ? undefined : `text as sent: ${reason}`;
    return { column: { ...column, kind: 'text', note, doubt }, again: column.isFilled };
  }
  const isLoose = column.seen.looseComma || column.seen.loosePoint;
  const again = sign === 'comma' && isLoose && column.sign !== 'comma';
  const { mark = '' } = column;
  const note = mark === '' ? column.note : `without the sign that stood beside each value: ${mark}`;
  return { column: { ...column, sign, note }, again: again || column.isLate };
}

/** Returns undefined for a column of words or codes, which need no note. */
function noteOnAmounts(column: ColumnValues): string | undefined {
  const { isMixed, hasOtherMark, hasAmounts, hasCodes, isNamedAmount, seen } = column;
  if (hasCodes && !isNamedAmount) return undefined;
  if (seen.isTooLong) return 'it has values with more digits than a number keeps';
  if (isMixed) return hasAmounts ? 'not all values are numbers' : undefined;
  if (hasOtherMark) return 'its values have different currencies or percent signs beside them';
  const sign = !seen.looseComma ? 'points' : seen.loosePoint ? 'commas and points' : 'commas';
  return seen.comma && seen.point
    ? 'some values have a comma before their decimals, others a point'
    : `whether its ${sign} stand before decimals or thousands cannot be told`;
}

/** Merges the evidence about decimals from all columns. */
export function joinDecimals(columns: readonly ColumnValues[]): Decimals {
  const all = newDecimals();
  for (const { kind, seen, isMixed } of columns) {
    if (kind !== 'amount' || isMixed) continue;
    all.comma ||= seen.comma;
    all.point ||= seen.point;
  }
  return all;
}

export function describeColumn({ name, kind, note, doubt }: ColumnValues): ColumnInfo {
  const type = kind === 'amount' ? 'number' : kind === 'date' ? 'date' : 'text';
  return { name, type, note, ...(kind === 'text' && doubt !== undefined ? { doubt } : {}) };
}

/** Returns the declared type, because SQLite compares a number with a quoted one only in a numeric column. */
export function declaredType(kind: ColumnKind | 'open' | 'number' | 'json'): string {
  return kind === 'amount' || kind === 'number' ? 'NUMERIC' : 'TEXT';
}

// This part detects texts with an e-mail address, a telephone number, or JSON or markup with personal
// members.

/** Matches a text that is no code; codes are not searched. */
const NOT_A_CODE = /[^\w.:/-]/;

/** Creates the search for the texts of one column. */
function createContactSearch(column: string): (text: string) => boolean {
  const search = isThingName(column) ? maskEmails : maskFreeText;
  let isFound = false;
  const find = () => {
    isFound = true;
    return undefined;
  };
  return (text) => {
    if (!NOT_A_CODE.test(text)) return false;
    isFound = false;
    search(text, find);
    return isFound || (mayContainStructure(text) && hasPersonalMembers(text));
  };
}

/** Returns true if JSON or markup in a text has personal members. */
function hasPersonalMembers(text: string): boolean {
  return maskValue(text, { rule: rulesOf({}), mark: () => '' }).count > 0;
}
