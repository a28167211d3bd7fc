/** The records of a feed that is a table: their numbers, and their SKUs where a column holds them. */

import type { SentMessage } from './types.ts';

/** More are not read: what is told of them would be of no use. */
const MOST_RECORDS = 1_000_000;

const SKU_COLUMN = /^(sku|seller-sku|item_sku|merchant-sku)$/i;

/** Templates have their settings in a first line, and names for people in the second. */
const SETTINGS = /^(TemplateType|feedType|settings)=/i;

export interface TableMessages {
  columns: string[];
  messages: SentMessage[];
}

/** Empty where the bytes are no table. */
export function readTableMessages(bytes: Uint8Array, contentType: string): TableMessages {
  const none = { columns: [], messages: [] };
  if (!/^text\/(tab-separated-values|plain|csv)/i.test(contentType)) return none;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const head = SETTINGS.test(lines[0] ?? '') ? 2 : 0;
  const columns = cellsOf(lines[head] ?? '', contentType);
  const at = columns.findIndex((name) => SKU_COLUMN.test(name));
  const rows = lines.slice(head + 1, head + 1 + MOST_RECORDS);
  return {
    columns,
    messages: rows.map((row, index) => {
      const sku = at < 0 ? '' : (cellsOf(row, contentType)[at] ?? '');
      return { messageId: index + 1, ...(sku === '' ? {} : { sku }) };
    }),
  };
}

/** Quotes stand for themselves in tab-separated feeds; of a CSV only the plain cells are read. */
function cellsOf(line: string, contentType: string): string[] {
  const cells = line.split(/^text\/csv/i.test(contentType) ? ',' : '\t');
  return cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}
