/** Writes a JSON value as a person would want to read it: names and values by line, tables where rows are alike. */

import { isJsonObject } from '../json.ts';
import { delimit, showText } from '../text/escape-text.ts';
import { type Asked, askedBelow, askedNames, askedTable } from './asked-columns.ts';
import { pageTokenWords } from './page-token.ts';
import { foldRepeats, SAME_MESSAGE, SAME_MESSAGE_WORDS } from './repeated-messages.ts';
import { totalOf } from './select/part.ts';

/** Longest value put behind its name on one line, in characters. */
const LONGEST_INLINE = 100;
const MOST_COLUMNS = 8;
/** Longest cell, in characters. */
const LONGEST_CELL = 60;
/** Share of cells that must hold something. */
const LEAST_FILLED = 0.6;

/**
 * Lines of a value that has been fitted. Codes, identifiers, dates and numbers stand as they are, every other
 * text of the service between « and »; hidden characters are spelled out. The same value gives the same lines.
 * @param select the paths that were selected: lists of which only some members were are tables of these
 */
export function renderValue(value: unknown, select: readonly string[] = []): string[] {
  return valueLines(foldRepeats(value), askedNames(select));
}

function valueLines(value: unknown, asked: Asked): string[] {
  if (Array.isArray(value)) {
    const head = value.length < totalOf(value) ? [`${countWords(value)} elements:`] : [];
    return value.length === 0 && head.length === 0 ? ['0 elements'] : [...head, ...listLines(value, asked)];
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [inlineWords(value, Infinity) ?? '{}'];
  return Object.entries(value).flatMap(([name, member]) => linesOf(name, member, askedBelow(asked, name)));
}

function listLines(value: readonly unknown[], asked: Asked): string[] {
  const items = () => value.flatMap((element) => itemLines(element, asked));
  // What was selected decides the layout, so that the next page has the same.
  if (asked.length > 0 && asked.every((path) => path.length > 0)) return askedLines(value, asked) ?? items();
  return tableLines(value) ?? items();
}

/** `name: value`, or the name and below it the value. */
export function memberLines(name: string, value: unknown, select: readonly string[] = []): string[] {
  return linesOf(name, foldRepeats(value), askedBelow(askedNames(select), name));
}

function linesOf(name: string, value: unknown, asked: Asked): string[] {
  const label = nameWords(name);
  if (typeof value === 'string') return [`${label}: ${pageTokenWords(name, value) ?? showText(value)}`];
  if (!Array.isArray(value)) {
    const inline = inlineWords(value, LONGEST_INLINE);
    return inline === undefined
      ? [`${label}:`, ...indent(valueLines(value, asked))]
      : [`${label}: ${inline}`];
  }
  if (isEmptyList(value)) return [`0 ${label}`];
  const isCut = value.length < totalOf(value);
  const inline = isCut || hasColumns(value, asked) ? undefined : inlineWords(value, LONGEST_INLINE);
  if (inline !== undefined) return [`${label}: ${inline}`];
  return [`${label} (${countWords(value)}):`, ...indent(listLines(value, asked))];
}

const isEmptyList = (value: unknown) => Array.isArray(value) && totalOf(value) === 0;

/** `50`, or `28 of 50` where some were left out. */
function countWords(list: readonly unknown[]): string {
  const total = totalOf(list);
  return list.length < total ? `${list.length} of ${total}` : `${total}`;
}

const isMoney = (value: Record<string, unknown>) => money(value) !== undefined;

function hasColumns(list: readonly unknown[], asked: Asked): boolean {
  return askedTable(list, asked, isMoney) !== undefined;
}

/** The same columns on each page: they are those that were selected, whatever the rows hold. */
function askedLines(elements: readonly unknown[], asked: Asked): string[] | undefined {
  const table = askedTable(elements, asked, isMoney);
  if (table === undefined) return undefined;
  const names = table.columns.map((path) => path.map(nameWords).join('.'));
  const lines = [names.join(' | ')];
  for (const row of table.rows) {
    const cells = row.map((value, at) =>
      value === undefined ? '-' : cellWords(table.columns[at]?.at(-1) ?? '', value, Infinity),
    );
    const shown = cells.filter((text) => text !== undefined);
    if (shown.length !== cells.length) return undefined;
    lines.push(shown.join(' | '));
  }
  return lines;
}

function cellWords(name: string, value: unknown, most: number): string | undefined {
  return pageTokenWords(name, value) ?? inlineWords(value, most);
}

const isAskedOf = (element: unknown, asked: Asked) =>
  isJsonObject(element) && asked.some(([name]) => name !== undefined);

function itemLines(element: unknown, asked: Asked): string[] {
  if (typeof element === 'string') return [`- ${showText(element)}`];
  const inline = isAskedOf(element, asked) ? undefined : inlineWords(element, LONGEST_INLINE);
  if (inline !== undefined) return [`- ${inline}`];
  const [first = '', ...rest] = valueLines(element, asked);
  return [`- ${first}`, ...indent(rest)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/**
 * A line of column names, then one line for each element, cells parted by ` | ` and `-` where a member is
 * missing. Undefined where the elements are not alike, or too long for it.
 */
function tableLines(elements: readonly unknown[]): string[] | undefined {
  const rows = elements.filter(isJsonObject);
  if (rows.length < 2 || rows.length !== elements.length) return undefined;
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > MOST_COLUMNS) return undefined;
  }
  const names = [...columns];
  const cells = rows.map((row) => names.map((name) => cell(row, name)));
  const filled = cells.flat().filter((text) => text !== '-').length;
  if (names.length === 0 || filled < rows.length * names.length * LEAST_FILLED) return undefined;
  const lines: string[] = [names.map(nameWords).join(' | ')];
  for (const texts of cells) {
    const shown = texts.filter((text) => text !== undefined);
    if (shown.length !== names.length) return undefined;
    lines.push(shown.join(' | '));
  }
  return lines;
}

function cell(row: Record<string, unknown>, name: string): string | undefined {
  return Object.hasOwn(row, name) ? cellWords(name, row[name], LONGEST_CELL) : '-';
}

const PLAIN_NAME = /^[A-Za-z_$][\w$.-]{0,79}$/;

/** A member name: as it is where it can only be a name, otherwise delimited. */
export function nameWords(name: string): string {
  return PLAIN_NAME.test(name) ? name : delimit(name);
}

/**
 * A value on one line of at most `most` characters: `19.99 USD` for money, `A, B` for a list of plain values,
 * `{ value: 2, timeUnit: Hours }` for a small object. Undefined when it is longer.
 */
export function inlineWords(value: unknown, most: number): string | undefined {
  const words = writeInline(value, most, 0);
  return words !== undefined && words.length <= most ? words : undefined;
}

function writeInline(value: unknown, most: number, depth: number): string | undefined {
  if (value === SAME_MESSAGE) return SAME_MESSAGE_WORDS;
  if (typeof value === 'string') return value.length > most ? undefined : showText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 2) return undefined;
  if (Array.isArray(value)) return writeList(value, most, depth);
  return isJsonObject(value) ? (money(value) ?? writeObject(value, most, depth)) : undefined;
}

function writeList(value: readonly unknown[], most: number, depth: number): string | undefined {
  if (value.length > most) return undefined;
  const words = joinAll(
    value.map((element) => () => writeInline(element, most, depth + 1)),
    most,
  );
  const simple =
    depth === 0 && value.length > 0 && value.every((each) => typeof each !== 'object' || each === null);
  if (words === undefined) return undefined;
  const cut = value.length < totalOf(value) ? ` (${countWords(value)})` : '';
  return `${simple ? words : `[${words}]`}${cut}`;
}

function writeObject(value: Record<string, unknown>, most: number, depth: number): string | undefined {
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  const words = joinAll(
    names.map((name) => () => {
      if (isEmptyList(value[name])) return `0 ${nameWords(name)}`;
      const inner = pageTokenWords(name, value[name]) ?? writeInline(value[name], most, depth + 1);
      return inner === undefined ? undefined : `${nameWords(name)}: ${inner}`;
    }),
    most,
  );
  return words === undefined ? undefined : `{ ${words} }`;
}

/** Joined with commas; undefined, at once, when it gets longer than `most`. */
function joinAll(writers: readonly (() => string | undefined)[], most: number): string | undefined {
  let joined = '';
  for (const [i, write] of writers.entries()) {
    const next = write();
    if (next === undefined) return undefined;
    joined += i === 0 ? next : `, ${next}`;
    if (joined.length > most) return undefined;
  }
  return joined;
}

/** `19.99 USD` for an object of exactly a currency code and an amount, however capitalised; the amount as sent. */
function money(value: Record<string, unknown>): string | undefined {
  const members = Object.entries(value);
  const find = (wanted: string) => members.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const [code, amount] = [find('currencycode'), find('amount')];
  if (members.length !== 2 || typeof code !== 'string') return undefined;
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined;
  return `${typeof amount === 'string' ? showText(amount) : amount} ${showText(code)}`;
}
