/** Chooses the file format of a result by the extension of its name. */

import { InputError } from '../../base/errors.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { ExportFormat } from './table-types.ts';

/** The max length of an Excel cell. */
export const EXCEL_CHARACTERS = 32_767;

const FORMATS: Readonly<Record<string, ExportFormat>> = {
  xlsx: 'xlsx',
  csv: 'csv',
  tsv: 'tsv',
  txt: 'tsv',
  jsonl: 'jsonl',
  json: 'json',
};

/** @throws InputError for an unsupported extension */
export function exportFormatOf(name: string): ExportFormat {
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined;
  if (format !== undefined) return format;
  throw new InputError(
    `Not saved: rows are not written as ${quoteName(name)}.`,
    'End the name in .xlsx (Excel, with types), .csv, .tsv or .txt (tab-separated), .jsonl (one object a line), .json (one list) or .html (a page to look at).',
  );
}
