/**
 * Answers with a result that was saved as a file: its path, its contents, and its first rows in masked form.
 */

import { escapeText, showText } from '../../base/text/escape-text.ts';
import { count } from '../../base/text/format-value.ts';
import { formatSize } from '../../base/text/size.ts';
import type { Exported, ExportFormat, MoneySum, QueryResult } from '../../data/tables/table-types.ts';
import type { SavedFile } from '../../store/files/files.ts';
import { REAL_VALUES } from '../documents/describe-document.ts';
import { type ChosenCsvSigns, describeCsvSigns } from './csv-signs.ts';
import { fitTable, type TableAnswerParts } from './table-answer.ts';

interface SavedRowsParts extends TableAnswerParts {
  format: ExportFormat;
  /** Set for a CSV only. */
  csv: ChosenCsvSigns | undefined;
}

export function fitSavedRows(exported: Exported<SavedFile>, parts: SavedRowsParts) {
  const { format, csv } = parts;
  const { saved, result, isPersonal, sums } = exported;
  const { name, path, bytes, uri } = saved;
  const rows = result.total;
  const columns = result.columns.length;
  // The size would reveal how long a buyer's values are.
  const size = isPersonal ? {} : { bytes };
  const sizes = isPersonal ? [] : [formatSize(bytes)];
  const lines = [
    `Saved ${escapeText(path)} (${[counted(rows, 'row'), counted(columns, 'column'), ...sizes].join(', ')}).`,
    ...(sums.length === 0 ? [] : [`Sums of all rows: ${sums.map(formatSum).join(', ')}.`]),
    ...remarks(exported, format),
    ...(csv === undefined ? [] : [describeCsvSigns(csv)]),
    ...(rows > result.rows.length ? [`The first ${result.rows.length} rows are given here.`] : []),
  ];
  const { text, structured } = fitTable(result, { ...parts, saved: lines });
  return {
    text,
    structured: {
      ...structured,
      saved: { path, name, rows, columns, ...size, personal: isPersonal, ...(csv && { csv: csv.signs }) },
      ...(sums.length === 0 ? {} : { sums }),
    },
    links: [{ uri, name, description: [counted(rows, 'row'), ...sizes].join(', ') }],
  };
}

/** A page has placeholders instead of personal values, and no more rows than a reader can look through. */
export function fitSavedPage(result: QueryResult, saved: SavedFile, parts: TableAnswerParts) {
  const { name, path, bytes, uri } = saved;
  const rows = result.rows.length;
  const lines = [
    `Saved ${escapeText(path)} (${[counted(rows, 'row'), formatSize(bytes)].join(', ')}), a page to look at in a browser.`,
    ...(rows < result.total
      ? [`It has ${rows} of ${counted(result.total, 'row')}; .xlsx or .csv has all.`]
      : []),
    ...(rows > FIRST_ROWS ? [`The first ${FIRST_ROWS} rows are given here.`] : []),
  ];
  const first = { ...result, rows: result.rows.slice(0, FIRST_ROWS) };
  const { text, structured } = fitTable(first, { ...parts, saved: lines });
  const columns = result.columns.length;
  return {
    text,
    structured: { ...structured, saved: { path, name, rows, columns, bytes, personal: false } },
    links: [{ uri, name, description: [counted(rows, 'row'), formatSize(bytes)].join(', ') }],
  };
}

const FIRST_ROWS = 5;

const formatSum = ({ column, sum, currency }: MoneySum) =>
  `${showText(column)} ${sum}${currency === undefined ? '' : ` ${showText(currency)}`}`;

function remarks(
  { isPersonal, unresolved, guarded, long, digits }: Exported<SavedFile>,
  format: ExportFormat,
): string[] {
  return [
    ...(isPersonal ? [REAL_VALUES] : []),
    ...(unresolved > 0
      ? [
          `${counted(unresolved, 'cell')} of the file keep a mark, or a part of one, instead of the value: select the columns as they are (no upper or substr of them), fewer rows or columns at once, or without ORDER BY.`,
        ]
      : []),
    ...(guarded > 0
      ? [
          `In the file, a ' stands before ${counted(guarded, 'cell')} that a spreadsheet could take for a formula; .jsonl has none.`,
        ]
      : []),
    ...(digits > 0
      ? [
          `The file is whole, but Excel changes ${counted(digits, 'cell')} of digits (leading zeros, more than 15, or such as 12E3) when it opens it: there, import as text (Data, From Text/CSV), or save as .xlsx.`,
        ]
      : []),
    ...(long > 0 ? [`${counted(long, 'cell')} ${LONG[format === 'xlsx' ? 'cut' : 'whole']}`] : []),
  ];
}

/** A cell in Excel has at most 32,767 characters. */
const LONG = {
  cut: 'are cut after 32,767 characters, which is all that a cell of Excel holds; .jsonl keeps them whole.',
  whole: 'are longer than Excel shows (32,767 characters).',
} as const;

const counted = (number: number, what: string) => `${count(number)} ${what}${number === 1 ? '' : 's'}`;
