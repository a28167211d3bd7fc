/** Runs one reading statement over the files that it names, on a connection of its own that can change nothing. */

import sqlite, { type Database } from 'node-sqlite3-wasm';
import { quoteIdentifier } from '../names.ts';
import type { SqlValue } from '../types.ts';
import { createLocalTime } from './local-time.ts';
import type { BuiltInTable, QueryAnswer, QueryRequest } from './protocol.ts';

/** Characters of one value that are given; the rest is counted. */
const MOST_CELL_CHARACTERS = 20_000;

/** Digits that a sum of amounts keeps exactly; beyond them stands what binary fractions add. */
const EXACT_DIGITS = 15;

const local = createLocalTime(Date.now);

/** @throws SQLite3Error with SQLite's own words */
export function runQuery({ sql, countSql, maxRows, maxBytes, files, builtIn }: QueryRequest): QueryAnswer {
  const database = new sqlite.Database(':memory:');
  try {
    for (const [at, file] of files.entries()) database.run(`ATTACH ? AS c${at}`, [file]);
    for (const table of builtIn) createBuiltIn(database, table);
    addFunctions(database);
    // The view makes every statement but one that reads a syntax error, and tells the columns in their order.
    database.exec(`CREATE TEMP VIEW __answer AS SELECT * FROM (\n${sql}\n)`);
    database.exec('PRAGMA query_only = 1');
    const columns = database.all('PRAGMA table_info(__answer)').map(({ name }) => String(name));
    const { rows, isAll } = readRows(database, columns, maxRows, maxBytes);
    return { columns, rows, total: isAll ? rows.length : countRows(database, countSql) };
  } finally {
    database.close();
  }
}

function createBuiltIn(database: Database, { name, columns, rows }: BuiltInTable): void {
  database.exec(`CREATE TABLE ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})`);
  const insert = database.prepare(
    `INSERT INTO ${quoteIdentifier(name)} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run([...row]);
  insert.finalize();
}

function addFunctions(database: Database): void {
  database.function('local_date', (value, zone) => local.date(value ?? null, zone ?? null));
  database.function('local_week', (value, zone) => local.week(value ?? null, zone ?? null));
  database.function('local_hour', (value, zone) => local.hour(value ?? null, zone ?? null));
}

/** Aliases tell columns of one name apart, and keep names that are numbers in their places. */
function readRows(database: Database, columns: readonly string[], maxRows: number, maxBytes: number) {
  const aliased = columns.map((name, at) => `${quoteIdentifier(name)} AS c${at}`);
  const statement = database.prepare(`SELECT ${aliased.join(', ')} FROM __answer LIMIT ${maxRows + 1}`);
  const rows: SqlValue[][] = [];
  let left = maxBytes;
  try {
    for (const found of statement.iterate()) {
      const row = columns.map((_, at) => showable(Reflect.get(found, `c${at}`)));
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

function showable(value: unknown): SqlValue {
  if (typeof value === 'number') return showableNumber(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  if (typeof value !== 'string') return null;
  if (value.length <= MOST_CELL_CHARACTERS) return value;
  return `${value.slice(0, MOST_CELL_CHARACTERS)}... (${value.length - MOST_CELL_CHARACTERS} more characters)`;
}

function showableNumber(value: number): SqlValue {
  if (Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(EXACT_DIGITS)) : String(value);
}
