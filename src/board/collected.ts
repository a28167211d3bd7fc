/** Builds the view of collected data: tables with their age and columns, and the rows of one table. */

import type { CollectedView, DataCollection, RowsView } from '../../views/data.ts';
import { coverageNotes } from '../data/collections/coverage.ts';
import { quoteIdentifier } from '../data/tables/sql-names.ts';
import type { CollectionInfo, CollectionSource, QueryResult, Tables } from '../data/tables/table-types.ts';
import { formatNameInRequest } from './sentences.ts';

/** The maximum number of rows returned at once. */
const ROWS_AT_ONCE = 2_000;

/** The maximum bytes of all values together, because cells may be long texts. */
const MAX_BYTES = 8_000_000;

export function describeData(
  collections: readonly CollectionInfo[],
  redact: (text: string) => string,
): CollectedView {
  return {
    kind: 'data',
    ask: 'Collect my orders of the last 30 days, and tell me which products sold best.',
    collections: collections.map((info): DataCollection => {
      const { id, source, collectedAt, complete, until, tables, notes } = info;
      return {
        id,
        source: redact(formatSource(source)),
        collectedAt,
        complete,
        until: until === undefined || until === 'process' ? null : until,
        notes: [...notes, ...coverageNotes(info)].map(redact),
        tables: tables.map(({ name, rows, columns, parent }) => ({
          name,
          rows,
          isNested: parent !== undefined,
          columns: columns.map(({ name: column, type, first, last, note, personal }) => ({
            name: column,
            type,
            from: first ?? null,
            to: last ?? null,
            note: personal === undefined ? (note ?? null) : `personal data (${personal}): shown as marks`,
          })),
        })),
      };
    }),
  };
}

function formatSource(source: CollectionSource): string {
  if (source.kind === 'operation')
    return source.operation === 'review_listings' ? 'review of listings' : source.operation;
  return source.kind === 'report'
    ? `report ${source.reportType}`
    : `document ${formatNameInRequest(source.id)}`;
}

export interface RowsRequest {
  table: string;
  from: number;
}

/**
 * Reads one part of a table, in its own order.
 * @throws as `Tables.query`
 */
export async function readRows(
  { table, from }: RowsRequest,
  tables: Pick<Tables, 'query'>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<RowsView> {
  const sql = `SELECT * FROM ${quoteIdentifier(table)} LIMIT ${ROWS_AT_ONCE} OFFSET ${from}`;
  const result = await tables.query(sql, { maxRows: ROWS_AT_ONCE, maxBytes: MAX_BYTES, timeoutMs, signal });
  return describeRows(table, result);
}

/** Formats the rows of any query. */
export function describeRows(
  name: string,
  { columns, rows, total, notes }: Pick<QueryResult, 'columns' | 'rows' | 'total' | 'notes'>,
  redact: (text: string) => string = (text) => text,
): RowsView {
  return {
    kind: 'rows',
    name,
    columns: columns.map((column, at) => ({
      name: redact(column),
      isNumber:
        rows.some((row) => typeof row[at] === 'number') && rows.every((row) => typeof row[at] !== 'string'),
    })),
    rows: rows.map((row) => row.map((value) => (typeof value === 'string' ? redact(value) : value))),
    total,
    notes: notes.map(redact),
  };
}
