/** A connection of its own for one reading statement: the files that it names, masked where that is asked, and nothing it could change. */

import { randomBytes } from 'node:crypto';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { postcodeArea } from '../../../privacy/personal/marks.ts';
import { quoteIdentifier } from '../names.ts';
import { createLocalTime } from './local-time.ts';
import { areaOfMark } from './mark-places.ts';
import { createValueMasker, type FunctionValue } from './mask-values.ts';
import { createMaskedViews } from './masked-views.ts';
import type { BuiltInTable, QueryRequest } from './protocol.ts';
import { createRecentPairs, type RecentPairs } from './recent-pairs.ts';

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
  return ({ sql, files, builtIn, masking }) => {
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
      addFunctions(database);
      if (masking !== undefined && pairs !== undefined) {
        const prefix = `m${randomBytes(12).toString('hex')}`;
        const masker = createValueMasker(pairs);
        createMaskedViews(masking.tables, aliases, { database, masker, prefix });
      }
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
  database.function('postcode_area', (value) => areaOf(value ?? null));
}

/** Of a mark and of a postcode alike. */
function areaOf(value: FunctionValue): string | null {
  if (value === null || value instanceof Uint8Array) return null;
  const text = String(value);
  return text.includes('«') ? (areaOfMark(text) ?? null) : (postcodeArea(text) ?? null);
}
