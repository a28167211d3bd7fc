/** Writes a JSON value as a person would want to read it: names and values by line, tables where rows are alike. */

import { isJsonObject } from '../json.ts';
import { delimit, showText } from '../text/escape-text.ts';

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
 */
export function renderValue(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return tableLines(value) ?? value.flatMap((element) => itemLines(element));
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [inlineWords(value, Infinity) ?? '{}'];
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member));
}

/** `name: value`, or the name and below it the value. */
export function memberLines(name: string, value: unknown): string[] {
  const label = nameWords(name);
  if (typeof value === 'string') return [`${label}: ${showText(value)}`];
  const inline = inlineWords(value, LONGEST_INLINE);
  if (inline !== undefined) return [`${label}: ${inline}`];
  const count = Array.isArray(value) ? ` (${value.length})` : '';
  return [`${label}${count}:`, ...indent(renderValue(value))];
}

function itemLines(element: unknown): string[] {
  if (typeof element === 'string') return [`- ${showText(element)}`];
  const inline = inlineWords(element, LONGEST_INLINE);
  if (inline !== undefined) return [`- ${inline}`];
  const [first = '', ...rest] = renderValue(element);
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
  return Object.hasOwn(row, name) ? inlineWords(row[name], LONGEST_CELL) : '-';
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
  return words === undefined || simple ? words : `[${words}]`;
}

function writeObject(value: Record<string, unknown>, most: number, depth: number): string | undefined {
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  const words = joinAll(
    names.map((name) => () => {
      const inner = writeInline(value[name], most, depth + 1);
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
