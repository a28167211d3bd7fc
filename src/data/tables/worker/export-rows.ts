/** All rows of one reading statement as a file, piece by piece: the next one is made when it is asked for. */

import { InputError } from '../../../base/errors.ts';
import { count } from '../../../base/text/value-words.ts';
import type { SqlValue } from '../types.ts';
import { holdsPartOfMark, resolveMarks } from './mark-places.ts';
import {
  marksIn,
  type OpenQuery,
  type QueryOpener,
  selectAnswer,
  shortened,
  showable,
} from './open-query.ts';
import type { ExportEnd, ExportPiece, ExportRequest } from './protocol.ts';
import { createRowWriter, type RowWriter } from './row-format.ts';

/** Of one piece, about. */
const PIECE_CHARACTERS = 256 * 1024;

/** Rows that are written at once. */
const ROWS_AT_ONCE = 200;

/** One at a time. */
export function createExporter(open: QueryOpener): (request: ExportRequest) => ExportPiece | undefined {
  let current: { pieces: Generator<ExportPiece, void>; stop(): void } | undefined;
  const stop = () => {
    current?.stop();
    current = undefined;
  };
  return (request) => {
    if (request.do === 'stop') {
      stop();
      return undefined;
    }
    if (request.do === 'export') {
      stop();
      const query = open(request);
      const pieces = makePieces(query, request);
      current = {
        pieces,
        stop() {
          pieces.return();
          query.database.close();
        },
      };
      return undefined;
    }
    try {
      const next = current?.pieces.next();
      if (next?.value?.end !== undefined || next?.done !== false) stop();
      return next?.value ?? undefined;
    } catch (error) {
      stop();
      throw error;
    }
  };
}

type Begin = Extract<ExportRequest, { do: 'export' }>;

function* makePieces(query: OpenQuery, request: Begin): Generator<ExportPiece, void> {
  const { database, columns } = query;
  const statement = database.prepare(selectAnswer(columns));
  const writer = createRowWriter(request.format, columns);
  const encoder = new TextEncoder();
  const file = createFileRows(query, request, writer);
  let text = writer.head;
  let rows: SqlValue[][] = [];
  try {
    for (const found of statement.iterate()) {
      rows.push(file.add(columns.map((_, at) => showable(Reflect.get(found, `c${at}`)))));
      if (rows.length < ROWS_AT_ONCE) continue;
      text += writer.rows(rows);
      rows = [];
      if (text.length < PIECE_CHARACTERS) continue;
      yield { bytes: encoder.encode(text) };
      text = '';
    }
  } finally {
    statement.finalize();
  }
  yield {
    bytes: encoder.encode(`${text}${writer.rows(rows)}${writer.tail()}`),
    end: file.end(),
  };
}

/** Counts and keeps the first rows as they are masked; gives each as it stands in the file. */
function createFileRows(
  { columns, pairs }: OpenQuery,
  { maxRows, maxBytes, mostRows }: Begin,
  writer: RowWriter,
) {
  const first: SqlValue[][] = [];
  const counts = { personal: 0, unresolved: 0 };
  let total = 0;
  let left = maxBytes;
  const resolve = (cell: SqlValue): SqlValue => {
    if (typeof cell !== 'string' || pairs === undefined) return cell;
    const { value, replaced, unresolved } = resolveMarks(cell, pairs);
    if (replaced > 0) counts.personal += 1;
    if (unresolved > 0 || holdsPartOfMark(cell)) counts.unresolved += 1;
    return typeof value === 'bigint' ? String(value) : value;
  };
  return {
    add(row: SqlValue[]): SqlValue[] {
      total += 1;
      if (total > mostRows) throw tooManyRows(mostRows);
      if (first.length < maxRows && left > 0) {
        const shown = row.map(shortened);
        left -= shown.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);
        first.push(shown);
      }
      const written = row.map(resolve);
      // How a value looks that the assistant does not see is not told either.
      writer.count(written.filter((cell, at) => cell === row[at]));
      return written;
    },
    end(): ExportEnd {
      const answer = { columns: [...columns], rows: first, total, marks: marksIn(first, pairs) };
      return { answer, ...counts, ...writer.counts };
    },
  };
}

function tooManyRows(most: number): InputError {
  return new InputError(
    `Not saved: the result has more than ${count(most)} rows, which is all that Excel opens of a CSV.`,
    'Save it with the ending .jsonl or .tsv, which take any number of rows, or select fewer.',
  );
}
