/** Renders a JSON value as readable text: one line for each name and value, and tables if rows are alike. */

import { isJsonObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import {
  formatInline,
  formatListCount,
  formatMemberName,
  formatMoneyAmount,
  isEmptyList,
} from './format-inline.ts';
import { formatPath } from './not-shown.ts';
import { formatPageToken } from './page-token.ts';
import { replaceRepeats } from './repeated-messages.ts';
import type { SharedMembers } from './same-in-all.ts';
import { totalOf } from './select/part.ts';
import {
  buildSelectedTable,
  columnsOfSelect,
  type SelectedColumns,
  selectedBelow,
} from './selected-columns.ts';

/** The limit in characters of a value after its name on one line. */
const MAX_INLINE = 100;
const MAX_COLUMNS = 8;
/** The limit in characters of a cell. */
const MAX_CELL = 60;
/** The minimum share of cells with a value. */
const MIN_FILLED = 0.6;

/**
 * Renders a fitted value as lines. Codes, identifiers, dates and numbers are as sent, every other text of the
 * service is between « and »; hidden characters are spelled out. The same value gives the same lines.
 * @param select the paths paths: lists of which only some members were paths become tables of these
 */
export function renderValue(value: unknown, select: readonly string[] = []): string[] {
  return valueLines(replaceRepeats(value), columnsOfSelect(select));
}

function valueLines(value: unknown, paths: SelectedColumns): string[] {
  if (Array.isArray(value)) {
    const head = value.length < totalOf(value) ? [`${formatListCount(value)} elements:`] : [];
    return value.length === 0 && head.length === 0 ? ['0 elements'] : [...head, ...listLines(value, paths)];
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [formatInline(value, Infinity) ?? '{}'];
  return Object.entries(value).flatMap(([name, member]) => linesOf(name, member, selectedBelow(paths, name)));
}

function listLines(value: readonly unknown[], paths: SelectedColumns): string[] {
  const items = () => value.flatMap((element) => itemLines(element, paths));
  // The selection decides the layout, so that the next page has the same.
  if (paths.length > 0 && paths.every((path) => path.length > 0))
    return renderColumns(value, paths) ?? items();
  return tableLines(value) ?? items();
}

/** Returns `name: value`, or the name with the value below it. */
export function memberLines(name: string, value: unknown, select: readonly string[] = []): string[] {
  return linesOf(name, replaceRepeats(value), selectedBelow(columnsOfSelect(select), name));
}

/** States the members that were taken out of the elements of a list, because all of them share them. */
export function sharedLines({ list, elements, members }: SharedMembers): string[] {
  const of = list === '' ? 'the list' : formatPath(list);
  const head = `The same in all ${elements} elements of ${of}, left out of each:`;
  const inline = formatInline(members, MAX_INLINE);
  return inline === undefined ? [head, ...indent(valueLines(members, []))] : [`${head} ${inline}`];
}

function linesOf(name: string, value: unknown, paths: SelectedColumns): string[] {
  const label = formatMemberName(name);
  if (typeof value === 'string') return [`${label}: ${formatPageToken(name, value) ?? showText(value)}`];
  if (!Array.isArray(value)) {
    const inline = formatInline(value, MAX_INLINE);
    return inline === undefined
      ? [`${label}:`, ...indent(valueLines(value, paths))]
      : [`${label}: ${inline}`];
  }
  if (isEmptyList(value)) return [`${label}: []`];
  const isCut = value.length < totalOf(value);
  const inline = isCut || hasColumns(value, paths) ? undefined : formatInline(value, MAX_INLINE);
  if (inline !== undefined) return [`${label}: ${inline}`];
  return [`${label} (${formatListCount(value)}):`, ...indent(listLines(value, paths))];
}

const isMoney = (value: Record<string, unknown>) => formatMoneyAmount(value) !== undefined;

function hasColumns(list: readonly unknown[], paths: SelectedColumns): boolean {
  return buildSelectedTable(list, paths, isMoney) !== undefined;
}

/** Renders the paths columns, so that each page has the same ones whatever its rows contain. */
function renderColumns(elements: readonly unknown[], paths: SelectedColumns): string[] | undefined {
  const table = buildSelectedTable(elements, paths, isMoney);
  if (table === undefined) return undefined;
  const names = table.columns.map((path) => path.map(formatMemberName).join('.'));
  const cells = table.rows.map((row) =>
    row.map((value, at) =>
      value === undefined ? '-' : formatCell(table.columns[at]?.at(-1) ?? '', value, Infinity),
    ),
  );
  return rowLines(names, cells);
}

/** Joins cells by ` | ` below the names of their columns; undefined if one is too long. */
function rowLines(
  names: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string[] | undefined {
  const isWritten = rows.every((cells) => cells.every((text) => text !== undefined));
  return isWritten ? [names, ...rows].map((cells) => cells.join(' | ')) : undefined;
}

function formatCell(name: string, value: unknown, max: number): string | undefined {
  return formatPageToken(name, value) ?? formatInline(value, max);
}

const isSelectedFrom = (element: unknown, paths: SelectedColumns) =>
  isJsonObject(element) && paths.some(([name]) => name !== undefined);

function itemLines(element: unknown, paths: SelectedColumns): string[] {
  if (typeof element === 'string') return [`- ${showText(element)}`];
  const inline = isSelectedFrom(element, paths) ? undefined : formatInline(element, MAX_INLINE);
  if (inline !== undefined) return [`- ${inline}`];
  const [first = '', ...rest] = valueLines(element, paths);
  return [`- ${first}`, ...indent(rest)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/**
 * Renders a line of column names, then one line for each element, with cells separated by ` | ` and `-` for a
 * missing member. Returns undefined if the elements are not alike, or too long for it.
 */
function tableLines(elements: readonly unknown[]): string[] | undefined {
  const rows = elements.filter(isJsonObject);
  if (rows.length < 2 || rows.length !== elements.length) return undefined;
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) columns.add(name);
    if (columns.size > MAX_COLUMNS) return undefined;
  }
  const names = [...columns];
  const cells = rows.map((row) => names.map((name) => cell(row, name)));
  const filled = cells.flat().filter((text) => text !== '-').length;
  if (names.length === 0 || filled < rows.length * names.length * MIN_FILLED) return undefined;
  return rowLines(names.map(formatMemberName), cells);
}

function cell(row: Record<string, unknown>, name: string): string | undefined {
  return Object.hasOwn(row, name) ? formatCell(name, row[name], MAX_CELL) : '-';
}
