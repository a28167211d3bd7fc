/**
 * Loads the rows of a tab-separated or CSV document into one table in one pass, with a second one if columns
 * are mixed.
 */

import type { Database, Statement } from 'node-sqlite3-wasm';
import type { ValueSource } from '../../../privacy/personal/kinds.ts';
import { isSellersMember, treatmentOfColumn } from '../../../privacy/personal/members.ts';
import type { DocumentBatch, DocumentReader } from '../../documents/document.ts';
import { type DateReader, dateReader } from '../dates.ts';
import { EXTRA_FIELDS, isPersonal } from '../personal-tables.ts';
import { quoteIdentifier, toNames, uniqueName, withoutEmails } from '../sql-names.ts';
import type { ColumnInfo, SqlValue, TableInfo } from '../table-types.ts';
import {
  type ColumnValues,
  declaredType,
  describeColumn,
  guessKind,
  joinDecimals,
  newColumn,
  readText,
  settleColumn,
} from './column-values.ts';
import { addDerivedColumns, channelHeadings } from './derived-columns.ts';
import { type SeenRows, watchRows, withSamples } from './samples.ts';

export interface RowsParts {
  database: Database;
  /** Opens a new pass over the same document. */
  open(): DocumentReader;
  source: ValueSource;
  /** Receives the reader of the current pass. */
  onPass(reader: DocumentReader): void;
}

export interface LoadedRows {
  table: TableInfo;
  reader: DocumentReader;
}

/** @throws DocumentError; the database's error for a full disk */
export async function loadRows(name: string, parts: RowsParts): Promise<LoadedRows> {
  const head = await parts.open().head();
  const isData = looksLikeData(head.columns);
  const headings = isData ? head.columns.map(() => '') : head.columns;
  const isOwn = isSellersMember(parts.source, ['']);
  const makeColumns = () =>
    toNames(headings, ['item']).map((column, at) => ({
      ...newColumn(column),
      personal:
        isData && !isOwn ? ('buyer text' as const) : treatmentOfColumn(parts.source, headings[at] ?? ''),
      isOwn: isSellersMember(parts.source, [headings[at] ?? '']),
    }));
  const before = isData ? [[...head.columns]] : [];
  const first = await loadWithQuoting(name, makeColumns, before, parts);
  const all = joinDecimals(first.columns);
  const settled = first.columns.map((column) => settleColumn(column, all));
  const columns = settled.map(({ column }) => column);
  if (!settled.some(({ again }) => again)) return finish(name, first, columns, parts);
  parts.database.exec(`DROP TABLE ${quoteIdentifier(name)}`);
  return finish(name, await loadPass(name, columns, before, parts), columns, parts);
}

interface RowsPass {
  columns: ColumnValues[];
  rows: number;
  reader: DocumentReader;
  seen: SeenRows;
  /** The name of the column with fields beyond the header's. */
  extra: string | undefined;
}

function finish(
  name: string,
  { rows, reader, seen, extra }: RowsPass,
  columns: ColumnValues[],
  { database, source }: RowsParts,
): LoadedRows {
  const infos = columns.map((column) => {
    const personal = column.personal ?? (column.hasContact && !column.isOwn ? 'free text' : undefined);
    const described = describeColumn(column);
    return personal === undefined ? described : { ...described, personal };
  });
  const more: ColumnInfo = {
    name: extra ?? '',
    type: 'json',
    note: EXTRA_FIELDS,
    // It is unclear which field of a row with extra fields belongs to which column.
    personal: infos.some(isPersonal) ? 'buyer text' : 'free text',
  };
  const table: TableInfo = {
    name,
    rows,
    columns: extra === undefined ? infos : [...infos, more],
    notes: [],
  };
  const loaded = withSamples(database, table, seen, source);
  return { table: addDerivedColumns(database, loaded, seen.profile.result(loaded).channels), reader };
}

/** Matches a number, an order number, or text that begins with a day, within blanks and quotes. */
const DATA_VALUE =
  /^[\s"]*(?:(?:[-+]?[\d.,]+|\d{3}-\d{7}-\d{7})[\s"]*$|\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})/;

/** Returns true for the first line of a document without headings, whose values would name the columns. */
function looksLikeData(headings: readonly string[]): boolean {
  const filled = headings.filter((heading) => heading.trim() !== '');
  const isEmail = (text: string) => withoutEmails(text) !== text;
  return filled.some(isEmail) || filled.filter((text) => DATA_VALUE.test(text)).length * 3 > filled.length;
}

/**
 * Loads the document again if the first pass shows that its columns are quoted differently, which only all
 * rows show.
 */
async function loadWithQuoting(
  name: string,
  makeColumns: () => ColumnValues[],
  before: string[][],
  parts: RowsParts,
): Promise<RowsPass> {
  const first = await loadPass(name, makeColumns(), before, parts);
  if (first.reader.summary().isMisread !== true) return first;
  parts.database.exec(`DROP TABLE ${quoteIdentifier(name)}`);
  return loadPass(name, makeColumns(), before, parts);
}

/** @param before rows that the reader took for headings */
async function loadPass(
  name: string,
  columns: ColumnValues[],
  before: string[][],
  parts: RowsParts,
): Promise<RowsPass> {
  const { database, source } = parts;
  const readDate = dateReader(source.reportType, source.marketplaceIds);
  const reader = parts.open();
  parts.onPass(reader);
  const batches = reader.batches();
  const begun = await firstRows(batches);
  const beginning = [...before, ...begun.flatMap((batch) => (batch.kind === 'rows' ? batch.rows : []))];
  for (const [at, column] of columns.entries()) {
    const first = beginning.find((row) => (row[at] ?? '') !== '')?.[at];
    if (column.kind === 'open' && first !== undefined) column.kind = guessKind(column, first);
  }
  const defined = columns.map((column) => `${quoteIdentifier(column.name)} ${declaredType(column.kind)}`);
  database.exec(
    `CREATE TABLE ${quoteIdentifier(name)} (${['item INTEGER PRIMARY KEY', ...defined].join(', ')})`,
  );
  const pass: RowsPass = {
    columns,
    rows: 0,
    reader,
    seen: watchRows(columns, channelHeadings(source.reportType)),
    extra: undefined,
  };
  const insert = database.prepare(insertInto(name, columns));
  try {
    insertRows(before, pass, insert, readDate);
    const add = (batch: DocumentBatch) => {
      if (batch.kind !== 'rows') return;
      insertRows(batch.rows, pass, insert, readDate);
      if (batch.extra.length > 0) storeExtraFields(name, batch, pass, database);
    };
    for (const batch of begun) add(batch);
    for await (const batch of batches) add(batch);
  } finally {
    insert.finalize();
  }
  return pass;
}

/** Returns the batches up to the first with rows. */
async function firstRows(batches: AsyncGenerator<DocumentBatch, void, undefined>): Promise<DocumentBatch[]> {
  const begun: DocumentBatch[] = [];
  for (;;) {
    const next = await batches.next();
    if (next.done === true) return begun;
    begun.push(next.value);
    if (next.value.kind === 'rows') return begun;
  }
}

/**
 * Builds the insert; `item` numbers the rows by itself, and columns are named, since one may be added
 * meanwhile.
 */
function insertInto(name: string, columns: readonly ColumnValues[]): string {
  const names = ['item', ...columns.map((column) => quoteIdentifier(column.name))];
  return `INSERT INTO ${quoteIdentifier(name)} (${names.join(', ')}) VALUES (NULL${', ?'.repeat(columns.length)})`;
}

function insertRows(rows: string[][], pass: RowsPass, insert: Statement, readDate: DateReader): void {
  const { columns, seen } = pass;
  const values: SqlValue[] = new Array(columns.length).fill(null);
  let above: string[] | undefined;
  for (const [number, row] of rows.entries()) {
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      const text = row[at];
      // Reports repeat values, and the same text has the same value.
      if (above !== undefined && text === above[at]) continue;
      values[at] = column === undefined || text === undefined ? null : readText(column, text, readDate);
    }
    insert.run(values);
    seen.see(values, pass.rows + number + 1);
    above = row;
  }
  pass.rows += rows.length;
}

/** Stores extra fields in a column that is added for the first such row. */
function storeExtraFields(
  name: string,
  { rows, extra }: Extract<DocumentBatch, { kind: 'rows' }>,
  pass: RowsPass,
  database: Database,
): void {
  if (pass.extra === undefined) {
    pass.extra = uniqueName('extra_fields', new Set(pass.columns.map((column) => column.name)));
    database.exec(`ALTER TABLE ${quoteIdentifier(name)} ADD COLUMN ${quoteIdentifier(pass.extra)} TEXT`);
  }
  const update = database.prepare(
    `UPDATE ${quoteIdentifier(name)} SET ${quoteIdentifier(pass.extra)} = ? WHERE item = ?`,
  );
  const before = pass.rows - rows.length;
  for (const { row, fields } of extra) update.run([JSON.stringify(fields), before + row + 1]);
  update.finalize();
}
