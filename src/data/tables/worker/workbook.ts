/** Rows as a workbook of one sheet: numbers, days and moments as such, every other text as a text, whatever it looks like. */

import { type CellValue, type ColumnDef, calculateColumnWidth, writeXlsxStream } from 'hucre/xlsx';
import { InputError } from '../../../base/errors.ts';
import { EXCEL_CHARACTERS } from '../export-format.ts';
import type { RowBatches, SqlValue } from '../table-types.ts';

/** Of a longer one: told of in the answer, and to be seen in the cell. */
const CUT = '...';

/** Digits of a number that Excel keeps: the rest of an id would be zeros. */
const LARGEST_NUMBER = 999_999_999_999_999;

/** Looked at before the first is written: how wide a column is stands before its cells. */
const SAMPLE_ROWS = 1_000;

/** In characters. */
const WIDEST = 60;

/**
 * A moment stays in UTC, as in the tables, and its cell says so: a sheet knows no zones. One without a zone (of SQLite's
 * datetime) and a day have none here either.
 */
const FORMATS = {
  day: 'yyyy-mm-dd',
  local: 'yyyy-mm-dd hh:mm:ss',
  moment: 'yyyy-mm-dd hh:mm:ss "UTC"',
} as const;

type Kind = keyof typeof FORMATS | 'other';

const DATE = /^\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z?))?$/;

/** The calendar of Excel begins in 1900, with a leap day that there was not: what is before stays a text. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

/** @param name of the sheet, or of the file: what a sheet cannot be called is left out */
export async function* writeWorkbook(
  columns: readonly string[],
  batches: RowBatches,
  name = '',
): AsyncGenerator<Uint8Array> {
  const rows = flatten(batches);
  try {
    const sample: (readonly SqlValue[])[] = [];
    let isAll = false;
    while (sample.length < SAMPLE_ROWS && !isAll) {
      const next = await rows.next();
      if (next.done === true) isAll = true;
      else sample.push(next.value);
    }
    const sheet = columns.map((heading, at) => {
      const values = sample.map((row) => row[at] ?? null);
      return newColumn(heading, values, isAll);
    });
    const toCells = (row: readonly SqlValue[]) => sheet.map(({ cell }, at) => cell(row[at] ?? null));
    async function* cells(): AsyncGenerator<CellValue[]> {
      yield columns.map(textCell);
      for (const row of sample) yield toCells(row);
      for await (const row of rows) yield toCells(row);
    }
    yield* writeXlsxStream(cells(), {
      name: sheetName(name),
      columns: sheet.map(({ definition }) => definition),
      freezePane: { rows: 1 },
    });
  } catch (error) {
    throw error instanceof Error && error.name === 'ZipError' ? tooLarge() : error;
  } finally {
    await rows.return(undefined);
  }
}

async function* flatten(batches: RowBatches): AsyncGenerator<readonly SqlValue[]> {
  for await (const batch of batches) yield* batch;
}

/**
 * Of dates where all of its values that were looked at are, or where the first one is that comes later: then a value that
 * is none stays the text that it is, so that no number is shown as a date.
 */
function newColumn(heading: string, values: readonly SqlValue[], isAll: boolean) {
  let kind: Kind | undefined;
  for (const value of values) {
    if (value !== null) kind = kind === undefined || kind === kindOf(value) ? kindOf(value) : 'other';
  }
  const cell = (value: SqlValue): CellValue => {
    if (value === null) return null;
    kind ??= kindOf(value);
    if (kind !== 'other') return kindOf(value) === kind ? toDate(String(value)) : textCell(String(value));
    if (typeof value === 'string') return textCell(value);
    return Math.abs(value) > LARGEST_NUMBER ? String(value) : value;
  };
  const isOpen = kind === undefined && !isAll;
  const definition: ColumnDef = {
    width: calculateColumnWidth([heading, ...(isOpen ? [FORMATS.moment] : values.map(cell))], {
      ...formatOf(kind),
      maxWidth: WIDEST,
    }),
    // Asked for with each cell: a column that begins empty is known later.
    get numFmt() {
      return formatOf(kind).numFmt;
    },
  };
  return { cell, definition };
}

const formatOf = (kind: Kind | undefined): { numFmt?: string } =>
  kind === undefined || kind === 'other' ? {} : { numFmt: FORMATS[kind] };

function kindOf(value: Exclude<SqlValue, null>): Kind {
  if (typeof value === 'number') return 'other';
  const found = DATE.exec(value);
  if (found === null) return 'other';
  const date = toDate(value);
  // 31 February, and 25 o'clock, are texts.
  const isOne = date.getTime() >= FIRST_DAY && isoOf(date).startsWith(value.slice(0, 16).replace(' ', 'T'));
  if (!isOne) return 'other';
  const [, separator, zone] = found;
  return separator === undefined ? 'day' : zone === 'Z' ? 'moment' : 'local';
}

/** As its digits say, in no zone of this computer. */
const toDate = (text: string) =>
  new Date(`${text.replace(' ', 'T').replace('Z', '')}${text.length > 10 ? 'Z' : ''}`);

const isoOf = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

/** Looks like a character that XML cannot hold, as workbooks write them: `_x0001_`. */
const LIKE_ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** No characters to XML, and not escaped by the library. */
const NO_CHARACTERS = /[\uFFFE\uFFFF]/g;

/** Never a formula: a text is one by its type, not by how it begins. */
function textCell(text: string): string {
  const escaped = shorten(text).replace(LIKE_ESCAPED, '_x005F_');
  return escaped.replace(NO_CHARACTERS, (one) => (one === '\uFFFE' ? '_xFFFE_' : '_xFFFF_'));
}

function shorten(text: string): string {
  if (text.length <= EXCEL_CHARACTERS) return text;
  // Not between the halves of a character.
  return `${text.slice(0, EXCEL_CHARACTERS - CUT.length).replace(/[\uD800-\uDBFF]$/, '')}${CUT}`;
}

/** Excel's, in characters. */
const LONGEST_NAME = 31;

/** `orders` of `orders.xlsx`. */
function sheetName(file: string): string {
  const plain = file
    .replace(/\.[^.]*$/, '')
    .replace(/[[\]:*?/\\'\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim();
  // Excel keeps that one for itself.
  return plain === '' || plain.toLowerCase() === 'history' ? 'Rows' : plain;
}

function tooLarge(): InputError {
  return new InputError(
    'Not saved: the sheet takes more than 4 GB before it is packed, which is more than an .xlsx holds.',
    'Save it with the ending .csv, .tsv or .jsonl, or select fewer columns or rows.',
  );
}
