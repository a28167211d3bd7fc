/** Examples of the columns of a table: each taken from a row of it as a query shows that, with marks of its own. */

import { randomBytes } from 'node:crypto';
import type { Database } from 'node-sqlite3-wasm';
import { EVERY_MARK } from '../../../base/text/mark-shape.ts';
import { cutBetweenMarks } from '../../../privacy/personal/between-marks.ts';
import type { ValueSource } from '../../../privacy/personal/kinds.ts';
import { quoteIdentifier } from '../names.ts';
import { maskedTable } from '../personal-tables.ts';
import type { ColumnInfo, Sample, SqlValue, TableInfo } from '../types.ts';
import type { Currencies } from './currencies.ts';
import { createValueMasker } from './mask-values.ts';
import { maskColumns } from './masked-views.ts';
import { createRecentPairs, type RecentPairs } from './recent-pairs.ts';
import { marksIn, showable } from './run-query.ts';

/** Longest example, in characters; a mark stays whole. */
const LONGEST_EXAMPLE = 40;

/** The first row in which each column is filled, by its name. */
export interface FirstRows {
  /** @param row its number in the table */
  see(values: readonly SqlValue[], row: number): void;
  found: ReadonlyMap<string, number>;
}

/** @param columns in the order of the values */
export function watchFirstRows(columns: readonly { name: string }[]): FirstRows {
  const found = new Map<string, number>();
  let empty = [...columns.entries()];
  return {
    found,
    see(values, row) {
      if (!empty.some(([at]) => values[at] !== null)) return;
      for (const [at, { name }] of empty) if (values[at] !== null) found.set(name, row);
      empty = empty.filter(([at]) => values[at] === null);
    },
  };
}

/** Where values stand of which something is told. */
export interface Seen {
  firstRows: FirstRows;
  currencies: Currencies;
}

export function withSamples(
  database: Database,
  table: TableInfo,
  { firstRows, currencies }: Seen,
  source: ValueSource,
): TableInfo {
  const pairs = createRecentPairs(randomBytes(32), '');
  const read = createReader(database, table, source, pairs);
  const samples = new Map<string, Sample>();
  for (const row of new Set(firstRows.found.values())) {
    const names = [...firstRows.found].flatMap(([name, first]) => (first === row ? [name] : []));
    for (const [at, text] of read(names, row).entries()) {
      const marks = Object.fromEntries(marksIn([[text]], pairs));
      samples.set(names[at] ?? '', { text, marks });
    }
  }
  const columns = table.columns.map((column): ColumnInfo => {
    const sample = samples.get(column.name);
    return sample === undefined ? column : { ...column, sample };
  });
  const currency = currencies.found();
  if (currency === undefined) return { ...table, columns };
  const { column, rows } = currency;
  const values = rows
    .flatMap((row) => read([column], row))
    .map((text) => text.replace(EVERY_MARK, '[masked]'));
  return { ...table, columns, currency: { column, values: [...new Set(values)].sort() } };
}

/** The beginnings of cells as a query shows them. */
function createReader(database: Database, table: TableInfo, source: ValueSource, pairs: RecentPairs) {
  const masked = maskedTable(table, source);
  const columns = table.columns.map(({ name }) => name);
  const prefix = `s${randomBytes(12).toString('hex')}`;
  const shown =
    masked === undefined
      ? columns.map(quoteIdentifier)
      : maskColumns(masked, columns, { database, masker: createValueMasker(pairs), prefix });
  return (names: readonly string[], row: number): string[] => {
    const selected = names.map((name, at) => `${shown[columns.indexOf(name)]} AS c${at}`).join(', ');
    const from = `FROM ${quoteIdentifier(table.name)} WHERE _rowid_ = ${row}`;
    const found = database.get(`SELECT ${selected} ${from}`) ?? {};
    return names.map((_, at) =>
      cutBetweenMarks(String(showable(Reflect.get(found, `c${at}`))), LONGEST_EXAMPLE),
    );
  };
}
