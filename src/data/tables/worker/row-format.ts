/**
 * Writes rows as a file, piece by piece: CSV that Excel opens correctly, tab-separated, JSON lines, one JSON
 * list, or a workbook.
 */

import Papa from 'papaparse';
import type { CsvSigns } from '../../../base/settings.ts';
import { EXCEL_CHARACTERS } from '../export-format.ts';
import type { CellCounts, ExportForm, RowBatches, SqlValue } from '../table-types.ts';

/**
 * Matches the start of a formula, in full-width signs too. A negative number is none; `+49 170 ...` would
 * lose its sign.
 */
const FORMULA = /^(?!-\d+(?:[.,]\d+)*$)[=+\-@\t\r\n＝＋－＠]/;

/** The same for decimals after a comma: there a number is a text too, with its exponent. */
const FORMULA_OF_TEXTS = /^(?!-\d+(?:[.,]\d+)*(?:e[+-]\d+)?$)[=+\-@\t\r\n＝＋－＠]/;

/** The form of a CSV file. */
interface CsvForm {
  delimiter: string;
  decimal: string;
  /**
   * Matches a formula after the other separator. Excel separates by that one in other regions (semicolons in
   * most of Europe, commas elsewhere), and LibreOffice by both, so a cell could begin within another. Quotes
   * do not prevent this in Excel.
   */
  formulaBehind: RegExp;
  /** LibreOffice takes these for separators too, unless the cell is in quotes. */
  alsoSeparates: RegExp;
}

const BEHIND_SEMICOLON = /;(?=[=+\-@\t\r\n＝＋－＠])/g;
/** Matches a comma before a formula, but not the dash of a price: `5,- EUR`. */
const BEHIND_COMMA = /,(?!-(?:$|[\s€]))(?=[=+\-@\t\r\n＝＋－＠])/g;

const CSV_FORMS: Readonly<Record<CsvSigns, CsvForm>> = {
  comma: { delimiter: ',', decimal: '.', formulaBehind: BEHIND_SEMICOLON, alsoSeparates: /[;\t]/ },
  semicolon: { delimiter: ';', decimal: ',', formulaBehind: BEHIND_COMMA, alsoSeparates: /[,\t]/ },
  'semicolon-point': {
    delimiter: ';',
    decimal: '.',
    formulaBehind: BEHIND_COMMA,
    alsoSeparates: /[,\t]/,
  },
};

/** Matches a number with its decimals after a comma, where the comma is no separator. */
const NUMBER = /^-?\d+(?:,\d+)?(?:e[+-]\d+)?$/;

/** Matches texts that Excel reads as a number and changes: `0012`, 16 digits and more, `12E3`. */
const OTHER_AS_NUMBER = /^(?:0\d+|\d{16,}|\d+E\d+)$/i;

/** The approximate length of one piece of text. */
const PIECE_CHARACTERS = 256 * 1024;

export interface RowWriter {
  /** Adds cells to the counts. */
  count(cells: readonly SqlValue[]): void;
  counts: Omit<CellCounts, 'unresolved'>;
  /** Yields the whole file: each piece is made on request. */
  pieces(batches: RowBatches): AsyncIterable<Uint8Array>;
}

export function createRowWriter(
  { format, csv = 'comma', name }: ExportForm,
  columns: readonly string[],
): RowWriter {
  if (format === 'csv') return separated(columns, CSV_FORMS[csv]);
  if (format === 'tsv') return separated(columns);
  return format === 'xlsx' ? workbook(columns, name) : objects(columns, format === 'json');
}

function workbook(columns: readonly string[], name: string | undefined): RowWriter {
  const counts = { guarded: 0, long: 0, digits: 0 };
  return {
    counts,
    count(cells) {
      for (const cell of cells) if (isLong(cell)) counts.long += 1;
    },
    async *pieces(batches) {
      const { writeWorkbook } = await import('./workbook.ts');
      yield* writeWorkbook(columns, batches, name);
    },
  };
}

const isLong = (cell: SqlValue) => typeof cell === 'string' && cell.length > EXCEL_CHARACTERS;

interface TextFile {
  /** The text before the rows. */
  head: string;
  rows(rows: readonly (readonly SqlValue[])[]): string;
  tail: string;
}

async function* textPieces({ head, rows, tail }: TextFile, batches: RowBatches): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = head;
  for await (const batch of batches) {
    text += rows(batch);
    if (text.length < PIECE_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(`${text}${tail}`);
}

function separated(columns: readonly string[], csv?: CsvForm): RowWriter {
  const counts = { guarded: 0, long: 0, digits: 0 };
  const delimiter = csv?.delimiter ?? '\t';
  const newline = csv === undefined ? '\n' : '\r\n';
  const formula = csv?.decimal === ',' ? FORMULA_OF_TEXTS : FORMULA;
  const within = (cell: SqlValue): SqlValue => {
    if (csv === undefined) return cell;
    if (typeof cell === 'string') return cell.replace(csv.formulaBehind, (sign) => `${sign}'`);
    return typeof cell === 'number' && csv.decimal === ',' ? String(cell).replace('.', ',') : cell;
  };
  const needsQuotes = (cell: unknown) =>
    (columns.length === 1 && cell === '') ||
    (typeof cell === 'string' && csv?.alsoSeparates.test(cell) === true && !NUMBER.test(cell));
  const write = (rows: readonly (readonly SqlValue[])[]) => {
    if (rows.length === 0) return '';
    // A reader would not take an empty line for a row.
    const filled = columns.length > 1 ? rows : rows.map(([cell]) => [cell ?? '']);
    const text = Papa.unparse(
      filled.map((row) => row.map(within)),
      { delimiter, newline, escapeFormulae: formula, quotes: needsQuotes },
    );
    return `${text}${newline}`;
  };
  return {
    counts,
    count(cells) {
      for (const cell of cells) {
        if (typeof cell !== 'string') continue;
        if (formula.test(cell) || within(cell) !== cell) counts.guarded += 1;
        if (OTHER_AS_NUMBER.test(cell)) counts.digits += 1;
        if (isLong(cell)) counts.long += 1;
      }
    },
    pieces: (batches) =>
      textPieces(
        { head: `${csv === undefined ? '' : '\uFEFF'}${write([columns])}`, rows: write, tail: '' },
        batches,
      ),
  };
}

/** Writes an object for each row, by the names of the columns; in a list, or one on each line. */
function objects(columns: readonly string[], isList: boolean): RowWriter {
  let isFirst = true;
  const separator = () => {
    if (!isList) return '';
    const before = isFirst ? '\n' : ',\n';
    isFirst = false;
    return before;
  };
  const rows = (batch: readonly (readonly SqlValue[])[]) =>
    batch
      .map((row) => {
        const members = columns.map((name, at): [string, SqlValue] => [name, row[at] ?? null]);
        return `${separator()}${JSON.stringify(Object.fromEntries(members))}${isList ? '' : '\n'}`;
      })
      .join('');
  return {
    counts: { guarded: 0, long: 0, digits: 0 },
    count: () => undefined,
    pieces: (batches) => textPieces({ head: isList ? '[' : '', rows, tail: isList ? '\n]\n' : '' }, batches),
  };
}
