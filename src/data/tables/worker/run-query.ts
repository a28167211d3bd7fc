/** The first rows of one reading statement, and how many there are in all. */

import type { Database } from 'node-sqlite3-wasm';
import type { SqlValue } from '../types.ts';
import { collectMarks } from './mark-places.ts';
import { type OpenQuery, type QueryOpener, selectAnswer } from './open-query.ts';
import type { QueryAnswer, QueryRequest } from './protocol.ts';

/** Characters of one value that are given; the rest is counted. */
const MOST_CELL_CHARACTERS = 20_000;

/** Digits that a sum of amounts keeps exactly; beyond them stands what binary fractions add. */
const EXACT_DIGITS = 15;

/** @throws SQLite3Error with SQLite's own words */
export function runQuery(open: QueryOpener, request: QueryRequest): QueryAnswer {
  const query = open(request);
  const { database, columns, pairs } = query;
  try {
    const { rows, isAll } = readRows(query, request.maxRows, request.maxBytes);
    const total = isAll ? rows.length : countRows(database, request.countSql);
    return { columns: [...columns], rows, total, marks: marksIn(rows, pairs) };
  } finally {
    database.close();
  }
}

export function marksIn(rows: readonly SqlValue[][], pairs: OpenQuery['pairs']): Map<string, string> {
  const marks = new Map<string, string>();
  if (pairs === undefined) return marks;
  for (const cell of rows.flat()) if (typeof cell === 'string') collectMarks(cell, pairs, marks);
  return marks;
}

function readRows({ database, columns }: OpenQuery, maxRows: number, maxBytes: number) {
  const statement = database.prepare(`${selectAnswer(columns)} LIMIT ${maxRows + 1}`);
  const rows: SqlValue[][] = [];
  let left = maxBytes;
  try {
    for (const found of statement.iterate()) {
      const row = columns.map((_, at) => shortened(showable(Reflect.get(found, `c${at}`))));
      left -= row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (rows.length === maxRows || (left < 0 && rows.length > 0)) return { rows, isAll: false };
      rows.push(row);
    }
  } finally {
    statement.finalize();
  }
  return { rows, isAll: true };
}

function countRows(database: Database, countSql: string): number {
  database.exec('PRAGMA query_only = 0');
  database.exec(`CREATE TEMP VIEW __counted AS SELECT * FROM (\n${countSql}\n)`);
  database.exec('PRAGMA query_only = 1');
  return Number(database.get('SELECT count(*) AS n FROM __counted')?.n ?? 0);
}

const sizeOf = (value: SqlValue) => (typeof value === 'string' ? value.length : 8);

/** As JSON can hold it. */
export function showable(value: unknown): SqlValue {
  if (typeof value === 'number') return showableNumber(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  return typeof value === 'string' ? value : null;
}

export function shortened(value: SqlValue): SqlValue {
  if (typeof value !== 'string' || value.length <= MOST_CELL_CHARACTERS) return value;
  return `${value.slice(0, MOST_CELL_CHARACTERS)}... (${value.length - MOST_CELL_CHARACTERS} more characters)`;
}

function showableNumber(value: number): SqlValue {
  if (Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(EXACT_DIGITS)) : String(value);
}
