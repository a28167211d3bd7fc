/** Rows as the text of a file: CSV that Excel opens right, tab-separated, JSON lines, or one JSON list. */

import Papa from 'papaparse';
import type { CellCounts, ExportFormat, SqlValue } from '../types.ts';

/** Excel shows no more of a cell. */
const EXCEL_CHARACTERS = 32_767;

/**
 * Where a spreadsheet would begin to calculate, in wide signs too. A negative number is one; `+49 170 ...` would lose
 * its sign.
 */
const FORMULA = /^(?!-\d+(?:[.,]\d+)*$)[=+\-@\t\r\n＝＋－＠]/;

/**
 * Where Excel separates by semicolons, as in most of Europe, and LibreOffice by both, a cell could begin in the middle of
 * another: quotes do not help Excel there.
 */
const FORMULA_BEHIND = /;(?=[=+\-@\t\r\n＝＋－＠])/g;

/** LibreOffice takes these for separators too, unless the cell is in quotes. */
const ALSO_SEPARATES = /[;\t]/;

/** What Excel reads as a number, and gives back as another text: `0012`, 16 digits and more, `12E3`. */
const OTHER_AS_NUMBER = /^(?:0\d+|\d{16,}|\d+E\d+)$/i;

export interface RowWriter {
  /** What stands before the rows. */
  head: string;
  rows(rows: readonly SqlValue[][]): string;
  /** Cells to be counted. */
  count(cells: readonly SqlValue[]): void;
  tail(): string;
  counts: Omit<CellCounts, 'unresolved'>;
}

export function createRowWriter(format: ExportFormat, columns: readonly string[]): RowWriter {
  if (format === 'csv') return separated(columns, { delimiter: ',', newline: '\r\n', mark: '\uFEFF' });
  if (format === 'tsv') return separated(columns, { delimiter: '\t', newline: '\n', mark: '' });
  return objects(columns, format === 'json');
}

interface Separated {
  delimiter: string;
  newline: string;
  mark: string;
}

function separated(columns: readonly string[], { delimiter, newline, mark }: Separated): RowWriter {
  const counts = { guarded: 0, long: 0, digits: 0 };
  const isCsv = delimiter === ',';
  const within = (cell: SqlValue) =>
    isCsv && typeof cell === 'string' ? cell.replace(FORMULA_BEHIND, ";'") : cell;
  const needsQuotes = (cell: unknown) =>
    (columns.length === 1 && cell === '') || (isCsv && typeof cell === 'string' && ALSO_SEPARATES.test(cell));
  const write = (rows: readonly (readonly SqlValue[])[]) => {
    if (rows.length === 0) return '';
    // An empty line would be no row to a reader.
    const filled = columns.length > 1 ? rows : rows.map(([cell]) => [cell ?? '']);
    const text = Papa.unparse(
      [...filled].map((row) => row.map(within)),
      { delimiter, newline, escapeFormulae: FORMULA, quotes: needsQuotes },
    );
    return `${text}${newline}`;
  };
  return {
    counts,
    head: `${mark}${write([columns])}`,
    count(cells) {
      for (const cell of cells) {
        if (typeof cell !== 'string') continue;
        if (FORMULA.test(cell) || within(cell) !== cell) counts.guarded += 1;
        if (OTHER_AS_NUMBER.test(cell)) counts.digits += 1;
        if (cell.length > EXCEL_CHARACTERS) counts.long += 1;
      }
    },
    rows: write,
    tail: () => '',
  };
}

/** An object for each row, by the names of the columns; in a list, or one on each line. */
function objects(columns: readonly string[], isList: boolean): RowWriter {
  let isFirst = true;
  const separator = () => {
    if (!isList) return '';
    const before = isFirst ? '\n' : ',\n';
    isFirst = false;
    return before;
  };
  return {
    counts: { guarded: 0, long: 0, digits: 0 },
    head: isList ? '[' : '',
    count: () => undefined,
    rows: (rows) =>
      rows
        .map((row) => {
          const members = columns.map((name, at): [string, SqlValue] => [name, row[at] ?? null]);
          return `${separator()}${JSON.stringify(Object.fromEntries(members))}${isList ? '' : '\n'}`;
        })
        .join(''),
    tail: () => (isList ? '\n]\n' : ''),
  };
}
