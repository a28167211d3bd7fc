/**
 * Writes rows as a workbook of one sheet: numbers, days and moments keep their types, and every other text
 * stays text.
 */

import { type CellValue, type ColumnDef, calculateColumnWidth, writeXlsxStream } from 'hucre/xlsx';
import { InputError } from '../../../base/errors.ts';
import { EXCEL_CHARACTERS } from '../export-format.ts';
import type { RowBatches, SqlValue } from '../table-types.ts';

/** The end of a text that was cut; the answer reports such cells too. */
const CUT = '...';

/** The largest number whose digits Excel keeps: further digits of an id would become zeros. */
const MAX_NUMBER = 999_999_999_999_999;

/** The rows read before the first is written, because the width of a column precedes its cells. */
const SAMPLE_ROWS = 1_000;

/** The max column width in characters. */
const MAX_WIDTH = 60;

/**
 * The cell formats. A moment stays in UTC, as in the tables, and its cell shows that, because a sheet has no
 * zones. A moment without a zone (from SQLite's datetime) and a day have none here either.
 */
const FORMATS = {
  day: 'yyyy-mm-dd',
  local: 'yyyy-mm-dd hh:mm:ss',
  moment: 'yyyy-mm-dd hh:mm:ss "UTC"',
} as const;

type CellKind = keyof typeof FORMATS | 'other';

const DATE = /^\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z?))?$/;

/** Excel's calendar begins in 1900 with a leap day that did not exist: earlier dates stay text. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

/** @param name the sheet or the file: characters that a sheet name cannot contain are removed */
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
 * Creates a column of dates if all values of the sample are dates, or the first later one is. A later value
 * of another kind stays text, so that no number is shown as a date.
 */
function newColumn(heading: string, values: readonly SqlValue[], isAll: boolean) {
  let kind: CellKind | undefined;
  for (const value of values) {
    if (value !== null) kind = kind === undefined || kind === kindOf(value) ? kindOf(value) : 'other';
  }
  const cell = (value: SqlValue): CellValue => {
    if (value === null) return null;
    kind ??= kindOf(value);
    if (kind !== 'other') return kindOf(value) === kind ? toDate(String(value)) : textCell(String(value));
    if (typeof value === 'string') return textCell(value);
    return Math.abs(value) > MAX_NUMBER ? String(value) : value;
  };
  const isOpen = kind === undefined && !isAll;
  const definition: ColumnDef = {
    width: calculateColumnWidth([heading, ...(isOpen ? [FORMATS.moment] : values.map(cell))], {
      ...formatOf(kind),
      maxWidth: MAX_WIDTH,
    }),
    // The format is read with each cell, because the kind of a column that begins empty is known later.
    get numFmt() {
      return formatOf(kind).numFmt;
    },
  };
  return { cell, definition };
}

const formatOf = (kind: CellKind | undefined): { numFmt?: string } =>
  kind === undefined || kind === 'other' ? {} : { numFmt: FORMATS[kind] };

function kindOf(value: Exclude<SqlValue, null>): CellKind {
  if (typeof value === 'number') return 'other';
  const found = DATE.exec(value);
  if (found === null) return 'other';
  const date = toDate(value);
  // Impossible dates, such as 31 February or 25 o'clock, stay text.
  const isOne = date.getTime() >= FIRST_DAY && isoOf(date).startsWith(value.slice(0, 16).replace(' ', 'T'));
  if (!isOne) return 'other';
  const [, separator, zone] = found;
  return separator === undefined ? 'day' : zone === 'Z' ? 'moment' : 'local';
}

/** Parses the digits without the zone of this computer. */
const toDate = (text: string) =>
  new Date(`${text.replace(' ', 'T').replace('Z', '')}${text.length > 10 ? 'Z' : ''}`);

const isoOf = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

/** Matches text like the form in which workbooks write characters that XML cannot contain: `_x0001_`. */
const LIKE_ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Matches characters that XML forbids and the library does not escape. */
const NO_CHARACTERS = /[\uFFFE\uFFFF]/g;

/** Returns a text cell, which is never a formula: its type decides, not its beginning. */
function textCell(text: string): string {
  const escaped = shorten(text).replace(LIKE_ESCAPED, '_x005F_');
  return escaped.replace(NO_CHARACTERS, (one) => (one === '\uFFFE' ? '_xFFFE_' : '_xFFFF_'));
}

function shorten(text: string): string {
  if (text.length <= EXCEL_CHARACTERS) return text;
  // The cut must not separate the halves of a character.
  return `${text.slice(0, EXCEL_CHARACTERS - CUT.length).replace(/[\uD800-\uDBFF]$/, '')}${CUT}`;
}

/** Excel's max length of a sheet name, in characters. */
const MAX_NAME_CHARACTERS = 31;

/** Returns `orders` for `orders.xlsx`. */
function sheetName(file: string): string {
  const plain = file
    .replace(/\.[^.]*$/, '')
    .replace(/[[\]:*?/\\'\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    .trim();
  // Excel reserves the name History.
  return plain === '' || plain.toLowerCase() === 'history' ? 'Rows' : plain;
}

function tooLarge(): InputError {
  return new InputError(
    'Not saved: the sheet takes more than 4 GB before it is packed, which is more than an .xlsx holds.',
    'Save it with the ending .csv, .tsv or .jsonl, or select fewer columns or rows.',
  );
}
