/**
 * Opens a separate connection for one reading statement, with its files, masked if required and read-only;
 * and returns its first rows.
 */

import { randomBytes } from 'node:crypto';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { getPostcodeArea } from '../../../privacy/personal/placeholders.ts';
import { quoteIdentifier } from '../sql-names.ts';
import type { SqlValue } from '../table-types.ts';
import { createValueMasker, type FunctionValue } from './mask-values.ts';
import { createMaskedViews } from './masked-views.ts';
import type { BuiltInTable, CalledTable, QueryAnswer, QueryRequest } from './messages.ts';
import { createOneCurrency, currencyOfMarketplace, ONE_CURRENCY } from './one-currency.ts';
import { createRecentPairs, type RecentPairs } from './placeholder-cache.ts';
import { areaOfMark, collectMarks } from './placeholders.ts';
import { createLocalTime } from './sql-local-time.ts';

const local = createLocalTime(Date.now);

export interface OpenQuery {
  database: Database;
  /** The columns in order. */
  columns: readonly string[];
  /** The placeholders; absent if nothing is masked. */
  pairs: RecentPairs | undefined;
}

export type QueryOpener = (request: Omit<QueryRequest, 'do'>) => OpenQuery;

/** Creates an opener whose placeholders stay known in later queries. */
export function createQueryOpener(): QueryOpener {
  let kept: { account: string; key: Uint8Array; pairs: RecentPairs } | undefined;
  return ({ sql, files, names = [], builtIn, masking, home }) => {
    // A thread can work for several sessions, and the placeholders of one mean nothing in the next.
    if (masking !== undefined && !(kept?.account === masking.account && isSameKey(kept.key, masking.key))) {
      const { account, key } = masking;
      kept = { account, key, pairs: createRecentPairs(key, account) };
    }
    const pairs = masking === undefined ? undefined : kept?.pairs;
    const database = new sqlite.Database(':memory:');
    try {
      // The names are random and created after the statement, so it can name neither the files nor the
      // functions of the views.
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
      // The view makes any statement that does not only read a syntax error, and lists the columns in order.
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

/**
 * Selects the answer with aliases, which distinguish columns of the same name and keep numeric names in
 * order.
 */
export function selectAnswer(columns: readonly string[]): string {
  return `SELECT ${columns.map((name, at) => `${quoteIdentifier(name)} AS c${at}`).join(', ')} FROM __answer`;
}

/**
 * Creates a view that takes precedence over other tables of its name, as a masked view does. It names the
 * schema of its table, so that no WITH table of the statement can replace that table.
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

/** @param home the zone of the account's marketplace, used if the call names none */
function addFunctions(database: Database, home: string | undefined): void {
  const add = (name: string, of: (value: FunctionValue, zone: FunctionValue) => string | number | null) => {
    // The engine distinguishes functions of the same name by the number of their arguments.
    database.function(name, (value) => of(value ?? null, home ?? null));
    database.function(name, (value, zone) => of(value ?? null, zone ?? home ?? null));
  };
  add('local_date', local.date);
  add('local_week', local.week);
  add('local_month', local.month);
  add('local_hour', local.hour);
  database.function('postcode_area', (value) => areaOf(value ?? null));
}

/**
 * Marks a function as variadic: the library takes the number of arguments from its length, and -1 means any
 * number.
 */
function withAnyArguments(run: (...values: FunctionValue[]) => FunctionValue) {
  const variadic = (...values: FunctionValue[]) => run(...values);
  return Object.defineProperty(variadic, 'length', { value: -1 });
}

/** Returns the area of a placeholder or of a postcode. */
function areaOf(value: FunctionValue): string | null {
  if (value === null || value instanceof Uint8Array) return null;
  const text = String(value);
  return text.includes('«') ? (areaOfMark(text) ?? null) : (getPostcodeArea(text) ?? null);
}

// This part reads the first rows of a statement, and the number of all.

/** Max characters of one value that are returned; the rest is counted. */
const MAX_CELL_CHARACTERS = 20_000;

/** The digits that a sum of amounts keeps exactly; further ones are errors of binary fractions. */
const EXACT_DIGITS = 15;

/** @throws SQLite3Error with SQLite's own message */
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
      const row = columns.map((_, at) => shortened(toJsonValue(Reflect.get(found, `c${at}`))));
      left -= row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (rows.length === maxRows || (left < 0 && rows.length > 0)) return { rows, isAll: false };
      rows.push(row);
    }
  } finally {
    statement.finalize();
  }
  return { rows, isAll: true };
}

/** @param most the count at which counting stops, if a larger number is irrelevant */
export function countRows(database: Database, countSql: string, most?: number): number {
  database.exec('PRAGMA query_only = 0');
  database.exec(`CREATE TEMP VIEW __counted AS SELECT * FROM (\n${countSql}\n)`);
  database.exec('PRAGMA query_only = 1');
  const counted = most === undefined ? '__counted' : `(SELECT 1 FROM __counted LIMIT ${most})`;
  return Number(database.get(`SELECT count(*) AS n FROM ${counted}`)?.n ?? 0);
}

const sizeOf = (value: SqlValue) => (typeof value === 'string' ? value.length : 8);

/** Converts a value for JSON. */
export function toJsonValue(value: unknown): SqlValue {
  if (typeof value === 'number') return showableNumber(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  return typeof value === 'string' ? value : null;
}

export function shortened(value: SqlValue): SqlValue {
  if (typeof value !== 'string' || value.length <= MAX_CELL_CHARACTERS) return value;
  return `${value.slice(0, MAX_CELL_CHARACTERS)}... (${value.length - MAX_CELL_CHARACTERS} more characters)`;
}

function showableNumber(value: number): SqlValue {
  if (Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(EXACT_DIGITS)) : String(value);
}
