/** Writes JSON items into the tables laid out for them. */

import type { Database, Statement } from 'node-sqlite3-wasm';
import { requoteForeignPlaceholders } from '../../../base/text/placeholder-shape.ts';
import { type DateReader, dateReader } from '../dates.ts';
import { quoteIdentifier } from '../sql-names.ts';
import type { SqlValue, TableInfo } from '../table-types.ts';
import { declaredType, readAmount } from './column-values.ts';
import { columnsOf, type ItemColumn, type ItemTable, type LayoutParts, layOut } from './item-layout.ts';
import { follow, type Shape } from './item-shape.ts';
import { type SeenRows, watchRows, withSamples } from './samples.ts';

interface OpenTable {
  table: ItemTable;
  insert: Statement;
  seen: SeenRows;
  rows: number;
  /** The number of rows of the current item. */
  inItem: number;
  lists: { path: string[]; open: OpenTable }[];
}

/** @param name the top table, whose name is reserved already. @param root the shape of the items */
export function writeItemTables(database: Database, name: string, root: Shape, parts: LayoutParts) {
  const { key, source } = parts;
  const readDate = dateReader(source.reportType);
  const top = openTable(database, layOut(name, root, parts));
  const every = listOpen(top);
  let item = 0;
  return {
    add(value: unknown): void {
      item += 1;
      for (const open of every) open.inItem = 0;
      const keyValue = key === undefined ? null : plainValue(follow(value, key.split('.')));
      addRow(top, value, { item, parent: undefined, keyValue, readDate });
    },
    /** Returns the tables, the top one first. */
    finish(): TableInfo[] {
      for (const { insert } of every) insert.finalize();
      return every.map((open) => {
        const table = withSamples(database, describe(open), open.seen, source);
        return parts.hasTemplate === true ? withUnavailable(table, open) : table;
      });
    },
  };
}

function openTable(database: Database, table: ItemTable): OpenTable {
  const { name, columns, parent, parentColumn, keyColumn } = table;
  const own =
    parent === undefined
      ? ['item INTEGER PRIMARY KEY']
      : [
          'item INTEGER',
          'n INTEGER',
          ...(parentColumn === undefined ? [] : [`${parentColumn} INTEGER`]),
          ...(keyColumn === undefined ? [] : [`${quoteIdentifier(keyColumn.name)} TEXT`]),
        ];
  const defined = columns.map(({ info, kind }) => `${quoteIdentifier(info.name)} ${declaredType(kind)}`);
  database.exec(`CREATE TABLE ${quoteIdentifier(name)} (${[...own, ...defined].join(', ')})`);
  if (parent !== undefined) {
    database.exec(`CREATE INDEX ${quoteIdentifier(`${name} by item`)} ON ${quoteIdentifier(name)} (item)`);
  }
  const count = own.length + columns.length;
  return {
    table,
    insert: database.prepare(`INSERT INTO ${quoteIdentifier(name)} VALUES (?${', ?'.repeat(count - 1)})`),
    seen: watchRows(columns.map(({ info }) => info)),
    rows: 0,
    inItem: 0,
    lists: table.lists.map((list) => ({ path: list.path, open: openTable(database, list.table) })),
  };
}

function listOpen(open: OpenTable): OpenTable[] {
  return [open, ...open.lists.flatMap((list) => listOpen(list.open))];
}

interface RowContext {
  item: number;
  /** The number of the parent row within its item. */
  parent: number | undefined;
  keyValue: SqlValue;
  readDate: DateReader;
}

function addRow(open: OpenTable, value: unknown, row: RowContext): void {
  const { table, insert, seen } = open;
  open.rows += 1;
  open.inItem += 1;
  const n = open.inItem;
  const own: SqlValue[] = table.parent === undefined ? [row.item] : [row.item, n];
  if (table.parentColumn !== undefined) own.push(row.parent ?? null);
  if (table.keyColumn !== undefined) own.push(row.keyValue);
  const values = table.columns.map((column) => readValue(column, follow(value, column.path), row.readDate));
  seen.see(values, open.rows);
  insert.run([...own, ...values]);
  for (const list of open.lists) {
    const elements = follow(value, list.path);
    if (!Array.isArray(elements)) continue;
    for (const element of elements) addRow(list.open, element, { ...row, parent: n });
  }
}

/**
 * Replaces characters that SQLite cannot store: zero characters, which end a text, and halves of surrogate
 * pairs.
 */
const storable = (text: string) =>
  requoteForeignPlaceholders(UNSTORABLE.test(text) ? text.replace(EVERY_UNSTORABLE, '\uFFFD') : text);
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const EVERY_UNSTORABLE = /[\0\p{Surrogate}]/gu;

function readValue({ kind, values }: ItemColumn, value: unknown, readDate: DateReader): SqlValue {
  if (value === null || value === undefined || value === '') return null;
  if (kind === 'json') return storable(JSON.stringify(value));
  if (typeof value !== 'string') return kind === 'text' ? plainText(value) : plainValue(value);
  if (kind === 'amount') return readAmount(values, value) ?? storable(value);
  if (kind === 'date') return readDate(value, values.order) ?? storable(value);
  return storable(value);
}

function plainValue(value: unknown): SqlValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return plainText(value);
}

function plainText(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  return storable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Counts, for each figure of the items, the rows in which it is null. */
function withUnavailable(
  table: TableInfo,
  { table: { columns: own }, seen: { profile } }: OpenTable,
): TableInfo {
  const filled = profile.filled();
  const figures = new Set(own.flatMap(({ info }) => (info.type === 'number' ? [info.name] : [])));
  const columns = table.columns.map((column) => {
    const unavailable = table.rows - (filled.get(column.name) ?? 0);
    return figures.has(column.name) && unavailable > 0 ? { ...column, unavailable } : column;
  });
  return { ...table, columns };
}

function describe({ table, rows }: OpenTable): TableInfo {
  const { name, parent, path } = table;
  const columns = columnsOf(table);
  // A table without rows contains no personal data.
  const shown = rows > 0 ? columns : columns.map(({ personal: _, members: __, ...column }) => column);
  return { name, rows, columns: shown, parent, path, notes: [] };
}
