/** Arrays of like objects as a table, where that is shorter to read than lines. */

import { isJsonObject } from '../json.ts';
import { inlineWords, nameWords } from './render-inline.ts';

const MOST_COLUMNS = 8;
/** Longest cell, in characters. */
const LONGEST_CELL = 60;
/** Share of cells that must hold something. */
const LEAST_FILLED = 0.6;

/**
 * A line of column names, then one line for each element, cells parted by ` | ` and `-` where a member is
 * missing. Undefined where the elements are not alike, or too long for it.
 */
export function tableLines(elements: readonly unknown[]): string[] | undefined {
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
