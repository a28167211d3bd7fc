/** Fits a table into a terminal: column widths, and lines broken between words. */

import { wrap } from './wrap.ts';

/** The width of the border and padding of one column; the last border counts separately. */
const PER_COLUMN = 3;
const MIN_WIDTH = 6;

export interface FittedRows {
  widths: number[];
  rows: string[][];
}

/**
 * Formats a table without colors; cli-table3 is loaded on first use.
 * @param rows each with an optional text below it, across all columns
 * @param width of the whole table, borders included, in characters
 */
export async function formatTable(
  head: readonly string[],
  rows: readonly { cells: readonly string[]; below?: string | undefined }[],
  width: number,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const fitted = fitRows([head, ...rows.map(({ cells }) => cells)], width);
  const table = new Table({
    head: [...head],
    style: { head: [], border: [] },
    colWidths: fitted.widths,
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  const inner = fitted.widths.reduce((sum, one) => sum + one + 1, 0) - 3;
  for (const [at, { below }] of rows.entries()) {
    table.push(fitted.rows[at + 1] ?? []);
    if (below !== undefined) table.push([{ colSpan: head.length, content: wrap(below, inner).join('\n') }]);
  }
  return table.toString();
}

/**
 * Computes column widths. Columns are as wide as their longest line if all fit; otherwise the widest shrink
 * and the narrow ones keep their width.
 * @param rows the lines of each cell; the head is one of them
 * @param width of the whole table, borders included, in characters
 * @returns widths with the padding of one blank on each side, as cli-table3 counts them, and the rows with
 * their lines
 */
export function fitRows(rows: readonly (readonly string[])[], width: number): FittedRows {
  const count = Math.max(...rows.map((row) => row.length));
  const longest = Array.from({ length: count }, (_, at) =>
    Math.max(1, ...rows.flatMap((row) => (row[at] ?? '').split('\n').map((line) => line.length))),
  );
  const room = width - 1 - PER_COLUMN * count;
  let cap = Math.max(...longest);
  while (cap > MIN_WIDTH && total(longest, cap) > room) cap--;
  const inner = longest.map((length) => Math.min(length, cap));
  return {
    widths: inner.map((length) => length + 2),
    rows: rows.map((row) => row.map((cell, at) => wrapCell(cell, inner[at] ?? cap))),
  };
}

function total(lengths: readonly number[], cap: number): number {
  return lengths.reduce((sum, length) => sum + Math.min(length, cap), 0);
}

/** Wraps a cell; the table itself breaks a word that is longer than its column. */
function wrapCell(cell: string, width: number): string {
  return cell
    .split('\n')
    .flatMap((line) => wrap(line, width))
    .join('\n');
}
