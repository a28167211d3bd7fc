/** The values of one column while they are read, and what they turn out to be. */

import { withForeignMarks } from '../../../base/text/mark-shape.ts';
import { maskEmails, maskFreeText } from '../../../privacy/personal/free-text.ts';
import type { Treatment } from '../../../privacy/personal/kinds.ts';
import { isThing, maskWalk } from '../../../privacy/personal/mask-walk.ts';
import { rulesOf } from '../../../privacy/personal/members.ts';
import { mayHoldStructure } from '../../../privacy/personal/structure-in-text.ts';
import {
  type DecimalSign,
  type Decimals,
  decideSign,
  kindOfAmount,
  newDecimals,
  parseAmount,
} from '../amounts.ts';
import { type DateReader, type DayOrder, looksLikeDate, newDayOrder } from '../dates.ts';
import type { ColumnInfo, SqlValue } from '../tables.ts';

export type ColumnKind = 'text' | 'amount' | 'date';

/** How a column's texts are read. `open`: its first filled value tells whether it holds dates. */
export interface ColumnValues {
  name: string;
  kind: ColumnKind | 'open';
  sign: DecimalSign;
  seen: Decimals;
  order: DayOrder;
  /** A value that is not what the column was taken for. */
  isMixed: boolean;
  /** A date was written in another way than it came. */
  isRewritten: boolean;
  isFilled: boolean;
  /** Values looked like dates whose offset is not known. */
  hasUnknownDates: boolean;
  note: string | undefined;
  /** Known from its heading. */
  personal: Treatment | undefined;
  /** The seller's own, whatever stands in it. */
  isOwn: boolean;
  /** An e-mail address or telephone number stood in one of its texts. */
  hasContact: boolean;
  mayHoldContact(text: string): boolean;
  /** Looked at last: values repeat. */
  last: string;
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
    personal: undefined,
    isOwn: false,
    hasContact: false,
    mayHoldContact: createContactSearch(name),
    last: '',
  };
}

/** The value as it goes into the table; what does not fit is noted in the column, and stays the text that it is. */
export function readText(column: ColumnValues, given: string, readDate: DateReader): SqlValue {
  if (given === '') return null;
  const text = withForeignMarks(given);
  column.isFilled = true;
  if (column.kind === 'text') {
    seeContact(column, text);
    return text;
  }
  if (column.kind === 'amount') {
    const amount = parseAmount(text, column.seen, column.sign);
    if (amount !== undefined) return amount;
    column.isMixed = true;
    seeContact(column, text);
    return text;
  }
  return readDateText(column, text, readDate);
}

/** Once is enough: all of the column is searched then. */
export function seeContact(column: ColumnValues, text: string): void {
  if (column.hasContact || column.personal !== undefined || text === column.last) return;
  column.last = text;
  column.hasContact = column.mayHoldContact(text);
}

function readDateText(column: ColumnValues, text: string, readDate: DateReader): SqlValue {
  if (column.kind === 'open') column.kind = looksLikeDate(text) ? 'date' : 'text';
  if (column.kind === 'text') {
    seeContact(column, text);
    return text;
  }
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
 * How the column has to be read so that all of it is of one kind; the same column where that is how it was read.
 * @param all of all columns
 */
export function settleColumn(column: ColumnValues, all: Decimals): { column: ColumnValues; again: boolean } {
  if (column.kind === 'amount') return settleAmount(column, all);
  if (column.kind === 'date' && column.isMixed) {
    const note = column.hasUnknownDates
      ? 'dates as sent: their format or offset is not known'
      : 'text as sent: not all values are dates';
    return { column: { ...column, kind: 'text', note }, again: column.isRewritten };
  }
  if (column.kind === 'date') return settleDates(column);
  return { column: column.kind === 'open' ? { ...column, kind: 'text' } : column, again: false };
}

function settleDates(column: ColumnValues): { column: ColumnValues; again: boolean } {
  const { day, month, isLoose, decided } = column.order;
  if ((day && month) || (isLoose && day === month)) {
    const note = 'dates as sent: whether the day or the month stands first cannot be told';
    return { column: { ...column, kind: 'text', note }, again: column.isRewritten };
  }
  if (!month) return { column, again: false };
  return {
    column: { ...column, order: { ...column.order, decided: 'month' } },
    again: isLoose && decided !== 'month',
  };
}

function settleAmount(column: ColumnValues, all: Decimals): { column: ColumnValues; again: boolean } {
  const sign = column.isMixed ? undefined : decideSign(column.seen, all);
  if (sign === undefined) {
    const note = noteOnAmounts(column);
    return { column: { ...column, kind: 'text', note }, again: column.isFilled };
  }
  const isLoose = column.seen.looseComma || column.seen.loosePoint;
  return { column: { ...column, sign }, again: sign === 'comma' && isLoose && column.sign !== 'comma' };
}

function noteOnAmounts({ isMixed, seen }: ColumnValues): string {
  if (seen.isTooLong) return 'text as sent: it has values with more digits than a number keeps';
  if (isMixed) return 'text as sent: not all values are numbers';
  const sign = !seen.looseComma ? 'points' : seen.loosePoint ? 'commas and points' : 'commas';
  return seen.comma && seen.point
    ? 'text as sent: some values have a comma before their decimals, others a point'
    : `text as sent: whether its ${sign} stand before decimals or thousands cannot be told`;
}

/** What was seen of the decimals in any column. */
export function joinDecimals(columns: readonly ColumnValues[]): Decimals {
  const all = newDecimals();
  for (const { kind, seen, isMixed } of columns) {
    if (kind !== 'amount' || isMixed) continue;
    all.comma ||= seen.comma;
    all.point ||= seen.point;
  }
  return all;
}

export function describeColumn({ name, kind, note }: ColumnValues): ColumnInfo {
  const type = kind === 'amount' ? 'number' : kind === 'date' ? 'date' : 'text';
  return { name, type, note };
}

/** SQLite compares a number with a quoted one only where the column says that it holds numbers. */
export function declaredType(kind: ColumnKind | 'open' | 'number' | 'json'): string {
  return kind === 'amount' || kind === 'number' ? 'NUMERIC' : 'TEXT';
}

// Tells texts of a table in which an e-mail address, a telephone number, or JSON or markup with personal members stands.

/** What is no code: every other text is spared the search. */
const MAY_HOLD = /[^\w.:/-]/;

/** For the texts of one column. */
function createContactSearch(column: string): (text: string) => boolean {
  const search = isThing(column) ? maskEmails : maskFreeText;
  let isFound = false;
  const find = () => {
    isFound = true;
    return undefined;
  };
  return (text) => {
    if (!MAY_HOLD.test(text)) return false;
    isFound = false;
    search(text, find);
    return isFound || (mayHoldStructure(text) && holdsMembers(text));
  };
}

/** In JSON or markup that stands in a text. */
function holdsMembers(text: string): boolean {
  return maskWalk(text, { rule: rulesOf({}), mark: () => '' }).count > 0;
}
