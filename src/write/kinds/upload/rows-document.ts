/** The rows of a query as a document: messages of JSON_LISTINGS_FEED, a table, or a JSON list. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { parseJson } from '../../../base/json.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { LISTINGS_FEED } from './content-type.ts';

export interface Rows {
  /** One JSON object a line, by the names of the columns. */
  lines: string;
  columns: readonly string[];
  contentType: string;
}

/** @param listings for JSON_LISTINGS_FEED @throws InputError for no rows, and for columns and cells that do not fit */
export function rowsToDocument(rows: Rows, listings: { sellerId: string } | undefined): Uint8Array {
  const values = rows.lines
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [rowSchema.parse(parseJson(line))]));
  if (values.length === 0) {
    throw new InputError(
      'The query gives no rows; nothing was sent.',
      'Look at the rows with query_data first.',
    );
  }
  if (listings !== undefined) return toMessages(values, rows.columns, listings.sellerId);
  if (/^application\/json\b/i.test(rows.contentType)) return Buffer.from(JSON.stringify(values));
  if (/^text\/(tab-separated-values|plain)\b/i.test(rows.contentType)) return toTable(values, rows.columns);
  throw new InputError(
    `Rows are not written as ${rows.contentType}; nothing was sent.`,
    'They become text/tab-separated-values or application/json; for anything else, save a file and send that.',
  );
}

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type Row = z.output<typeof rowSchema>;

/** Feeds in tables have no quoting: a cell that would be two is refused. */
function toTable(rows: readonly Row[], columns: readonly string[]): Uint8Array {
  const lines = rows.map((row, at) =>
    columns
      .map((name) => {
        const cell = String(row[name] ?? '');
        if (!/[\t\r\n]/.test(cell)) return cell;
        throw new InputError(
          `Row ${at + 1} has a tab or a line end in ${quoteText(name)}, which no such feed can hold; nothing was sent.`,
          "Take it out: replace(column, char(10), ' ').",
        );
      })
      .join('\t'),
  );
  return Buffer.from(`${[columns.join('\t'), ...lines].join('\n')}\n`);
}

const COLUMNS = 'sku, product_type, and patches or attributes (JSON); operation_type, where it is another';

function toMessages(rows: readonly Row[], columns: readonly string[], sellerId: string): Uint8Array {
  const has = (name: string) => columns.includes(name);
  if (!has('sku') || !(has('patches') || has('attributes') || has('operation_type'))) {
    throw new InputError(
      `A query for ${LISTINGS_FEED} has the columns ${COLUMNS}; nothing was sent.`,
      'For prices, stock and texts of listings, change_listings takes a query with plain words.',
    );
  }
  const messages = rows.map((row, at) => {
    const { sku, product_type: productType, operation_type: type, patches, attributes } = row;
    const given = patches === null || patches === undefined ? 'PARTIAL_UPDATE' : 'PATCH';
    return {
      messageId: at + 1,
      sku: sku === null || sku === undefined ? '' : String(sku),
      operationType: type ?? given,
      ...(productType === null || productType === undefined ? {} : { productType }),
      ...asJson('patches', patches, at),
      ...asJson('attributes', attributes, at),
    };
  });
  return Buffer.from(JSON.stringify({ header: { sellerId, version: '2.0' }, messages }));
}

function asJson(name: string, cell: Row[string] | undefined, at: number): Record<string, unknown> {
  if (cell === null || cell === undefined) return {};
  const value = parseJson(String(cell));
  if (typeof value === 'object' && value !== null) return { [name]: value };
  throw new InputError(
    `Row ${at + 1}: ${name} is no JSON; nothing was sent.`,
    'Make it with json_array and json_object.',
  );
}
