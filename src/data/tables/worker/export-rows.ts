/** Exports all rows of one reading statement as a file, piece by piece, each on request. */

import { InputError } from '../../../base/errors.ts';
import { count } from '../../../base/text/format-value.ts';
import type { SqlValue } from '../table-types.ts';
import type { ExportEnd, ExportPiece, ExportRequest } from './messages.ts';
import { createMoneySums } from './money-sums.ts';
import {
  countRows,
  marksIn,
  type OpenQuery,
  type QueryOpener,
  selectAnswer,
  shortened,
  toJsonValue,
} from './open-query.ts';
import { containsPartOfMark, resolveMarks } from './placeholders.ts';
import { createRowWriter, type RowWriter } from './row-format.ts';

/** The number of rows written at once. */
const ROWS_AT_ONCE = 200;

/** Creates an exporter, which runs one export at a time. */
export function createExporter(
  open: QueryOpener,
): (request: ExportRequest) => Promise<ExportPiece | undefined> {
  let current: { pieces: AsyncGenerator<ExportPiece, void>; query: OpenQuery } | undefined;
  const stop = async () => {
    const ended = current;
    current = undefined;
    try {
      await ended?.pieces.return();
    } finally {
      ended?.query.database.close();
    }
  };
  return async (request) => {
    if (request.do === 'stop') {
      await stop();
      return undefined;
    }
    try {
      if (request.do === 'export') {
        await stop();
        const query = open(request);
        current = { pieces: makePieces(query, request), query };
        refuseTooMany(query, request);
        return undefined;
      }
      const next = await current?.pieces.next();
      if (next?.value?.end !== undefined) await stop();
      return next?.value ?? undefined;
    } catch (error) {
      await stop();
      throw error;
    }
  };
}

type Begin = Extract<ExportRequest, { do: 'export' }>;

async function* makePieces(query: OpenQuery, request: Begin): AsyncGenerator<ExportPiece, void> {
  const writer = createRowWriter(request, query.columns);
  const file = createFileRows(query, request, writer);
  const batches = readBatches(query, file.add);
  try {
    for await (const bytes of writer.pieces(batches)) yield { bytes };
  } finally {
    // A writer that is stopped may still be about to request the next rows.
    batches.return();
  }
  yield { bytes: new Uint8Array(), end: file.end() };
}

function* readBatches(
  { database, columns }: OpenQuery,
  add: (row: SqlValue[]) => SqlValue[],
): Generator<SqlValue[][], void> {
  const statement = database.prepare(selectAnswer(columns));
  let rows: SqlValue[][] = [];
  try {
    for (const found of statement.iterate()) {
      rows.push(add(columns.map((_, at) => toJsonValue(Reflect.get(found, `c${at}`)))));
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  } finally {
    statement.finalize();
  }
}

/** Counts rows, retains the first ones masked, and returns each row as written to the file. */
function createFileRows({ columns, pairs }: OpenQuery, { maxRows, maxBytes }: Begin, writer: RowWriter) {
  const first: SqlValue[][] = [];
  const counts = { personal: 0, unresolved: 0 };
  const money = createMoneySums(columns);
  let total = 0;
  let left = maxBytes;
  const resolve = (cell: SqlValue): SqlValue => {
    if (typeof cell !== 'string' || pairs === undefined) return cell;
    const { value, replaced, unresolved } = resolveMarks(cell, pairs);
    if (replaced > 0) counts.personal += 1;
    if (unresolved > 0 || containsPartOfMark(cell)) counts.unresolved += 1;
    return typeof value === 'bigint' ? String(value) : value;
  };
  return {
    add(row: SqlValue[]): SqlValue[] {
      total += 1;
      money.add(row);
      if (first.length < maxRows && left > 0) {
        const shown = row.map(shortened);
        left -= shown.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);
        first.push(shown);
      }
      const written = row.map(resolve);
      // The counts exclude unmasked cells, because they would reveal the form of values that the assistant
      // does not see.
      writer.count(written.filter((cell, at) => cell === row[at]));
      return written;
    },
    end(): ExportEnd {
      const answer = { columns: [...columns], rows: first, total, marks: marksIn(first, pairs) };
      return { answer, ...counts, ...writer.counts, sums: money.end() };
    },
  };
}

/** Rejects a result that is too long before the first row is written, not after a million of them. */
function refuseTooMany({ database }: OpenQuery, { mostRows, format, countSql }: Begin): void {
  if (mostRows === undefined || countRows(database, countSql, mostRows + 1) <= mostRows) return;
  throw new InputError(
    `Not saved: the result has more than ${count(mostRows)} rows, which is all that ${format === 'csv' ? 'Excel opens of a CSV' : 'a sheet of Excel holds'}.`,
    'Save it with the ending .jsonl or .tsv, which take any number of rows, or select fewer.',
  );
}
