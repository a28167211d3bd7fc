/** A connection of its own for one reading statement: the files that it names, masked where that is asked, nothing it could change; and its first rows. */

import { randomBytes } from 'node:crypto';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { postcodeArea } from '../../../privacy/personal/marks.ts';
import { quoteIdentifier } from '../sql-names.ts';
import type { SqlValue } from '../table-types.ts';
import { areaOfMark, collectMarks } from './mark-places.ts';
import { createValueMasker, type FunctionValue } from './mask-values.ts';
import { createMaskedViews } from './masked-views.ts';
import type { BuiltInTable, CalledTable, QueryAnswer, QueryRequest } from './messages.ts';
import { createOneCurrency, currencyOfMarketplace, ONE_CURRENCY } from './one-currency.ts';
import { createRecentPairs, type RecentPairs } from './recent-pairs.ts';
import { createLocalTime } from './sql-local-time.ts';

const local = createLocalTime(Date.now);

export interface OpenQuery {
  database: Database;
  /** In their order. */
  columns: readonly string[];
  /** Absent where nothing is masked. */
  pairs: RecentPairs | undefined;
}

export type QueryOpener = (request: Omit<QueryRequest, 'do'>) => OpenQuery;

/** The marks of one query are known in the next ones. */
export function createQueryOpener(): QueryOpener {
  let kept: { account: string; key: Uint8Array; pairs: RecentPairs } | undefined;
  return ({ sql, files, names = [], builtIn, masking, home }) => {
    // A thread can work for one session after the other: the marks of one mean nothing to the next.
    if (masking !== undefined && !(kept?.account === masking.account && isSameKey(kept.key, masking.key))) {
      const { account, key } = masking;
      kept = { account, key, pairs: createRecentPairs(key, account) };
    }
    const pairs = masking === undefined ? undefined : kept?.pairs;
    const database = new sqlite.Database(':memory:');
    try {
      // Made up after the statement was written: it can name neither the files nor the functions of the views.
      const aliases = files.map(() => `c${randomBytes(12).toString('hex')}`);
      for (const [at, file] of files.entries()) database.run(`ATTACH ? AS ${aliases[at]}`, [file]);
      for (const table of builtIn) createBuiltIn(database, table);
      addFunctions(database, home);
      database.function(ONE_CURRENCY, withAnyArguments(createOneCurrency()));
      database.function('__currency_of', (value) => currencyOfMarketplace(String(value ?? '')));
      if (masking !== undefined && pairs !== undefined) {
        const prefix = `m${randomBytes(12).toString('hex')}`;
        const masker = createValueMasker(pairs);
        createMaskedViews(masking.tables, aliases, { database, masker, prefix });
      }
      for (const called of names) createNamedView(database, called, aliases);
      // The view makes every statement but one that reads a syntax error, and tells the columns in their order.
      database.exec(`CREATE TEMP VIEW __answer AS SELECT * FROM (\n${sql}\n)`);
      database.exec('PRAGMA query_only = 1');
      const columns = database.all('PRAGMA table_info(__answer)').map(({ name }) => String(name));
      return { database, columns, pairs };
    } catch (error) {
      database.close();
      throw error;
    }
  };
}

const isSameKey = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** Of the answer; aliases tell columns of one name apart, and keep names that are numbers in their places. */
export function selectAnswer(columns: readonly string[]): string {
  return `SELECT ${columns.map((name, at) => `${quoteIdentifier(name)} AS c${at}`).join(', ')} FROM __answer`;
}

/**
 * The view answers before every other table of its name, as a masked view does. It names the schema of its table, so
 * that no WITH table of the statement takes that table's place.
 */
function createNamedView(database: Database, { name, table, file }: CalledTable, aliases: readonly string[]) {
  const masked = database.get("SELECT 1 FROM temp.sqlite_schema WHERE type = 'view' AND name = ?", [table]);
  const schema = masked === null ? (aliases[file] ?? '') : 'temp';
  database.exec(`DROP VIEW IF EXISTS temp.${quoteIdentifier(name)}`);
  database.exec(
    `CREATE TEMP VIEW ${quoteIdentifier(name)} AS SELECT * FROM ${quoteIdentifier(schema)}.${quoteIdentifier(table)}`,
  );
}

function createBuiltIn(database: Database, { name, columns, rows }: BuiltInTable): void {
  database.exec(`CREATE TABLE ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})`);
  const insert = database.prepare(
    `INSERT INTO ${quoteIdentifier(name)} VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run([...row]);
  insert.finalize();
}

/** @param home zone of the account's marketplace, for what names none */
function addFunctions(database: Database, home: string | undefined): void {
  const add = (name: string, of: (value: FunctionValue, zone: FunctionValue) => string | number | null) => {
    // The engine tells functions of one name apart by how many arguments they take.
    database.function(name, (value) => of(value ?? null, home ?? null));
    database.function(name, (value, zone) => of(value ?? null, zone ?? home ?? null));
  };
  add('local_date', local.date);
  add('local_week', local.week);
  add('local_month', local.month);
  add('local_hour', local.hour);
  database.function('postcode_area', (value) => areaOf(value ?? null));
}

/** The library takes the number of arguments from the function's length; one below zero stands for any number. */
function withAnyArguments(run: (...values: FunctionValue[]) => FunctionValue) {
  const variadic = (...values: FunctionValue[]) => run(...values);
  return Object.defineProperty(variadic, 'length', { value: -1 });
}

/** Of a mark and of a postcode alike. */
function areaOf(value: FunctionValue): string | null {
  if (value === null || value instanceof Uint8Array) return null;
  const text = String(value);
  return text.includes('«') ? (areaOfMark(text) ?? null) : (postcodeArea(text) ?? null);
}

// The first rows of a statement, and how many there are in all.

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

/** @param most where it does not matter how many more there are */
export function countRows(database: Database, countSql: string, most?: number): number {
  database.exec('PRAGMA query_only = 0');
  database.exec(`CREATE TEMP VIEW __counted AS SELECT * FROM (\n${countSql}\n)`);
  database.exec('PRAGMA query_only = 1');
  const counted = most === undefined ? '__counted' : `(SELECT 1 FROM __counted LIMIT ${most})`;
  return Number(database.get(`SELECT count(*) AS n FROM ${counted}`)?.n ?? 0);
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
