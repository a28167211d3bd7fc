/** Builds the database of one collection: documents at once, items when all of them are there. */

import { chmodSync, closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'node-sqlite3-wasm';
import sqlite from 'node-sqlite3-wasm';
import { toObject } from '../../../base/json.ts';
import type { DocumentReader } from '../../documents/document.ts';
import { type JoinedDocuments, joinDocuments } from '../../documents/join-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { dateReader } from '../dates.ts';
import { nameLists, quoteIdentifier, uniqueName } from '../sql-names.ts';
import type { AddedCounts, ColumnInfo, DocumentOutcome, LoadOptions, TableInfo } from '../table-types.ts';
import type { ItemParts } from './item-layout.ts';
import { createShapeReader, fillEmptyLists, follow, type Shape, type ShapeReader } from './item-shape.ts';
import { writeItemTables } from './load-items.ts';
import { loadRows, type RowsParts } from './load-rows.ts';
import { type BuildRequest, COUNTS, type LoadRequest } from './messages.ts';

/** The name of the database within the folder of a load. */
const DATABASE_FILE = 'data.db';

/** The interval at which the counts are updated while a document is read. */
const COUNT_MS = 100;

const PAGE_BYTES = 16_384;

/** The file mode gives access to the owner only, because a seller's data are private. */
const MODE = 0o600;

/** Begins a collection and returns the handler of its requests. */
export function createBuilder(
  begin: Extract<LoadRequest, { do: 'begin' }>,
): (request: BuildRequest) => unknown {
  const { folder, source } = begin;
  const counts = new Float64Array(begin.counts);
  const database = openDatabase(join(folder, DATABASE_FILE));
  const staged = new Map<string, ReturnType<typeof createStaging>>();
  const expected = new Map<string, Shape>();
  const tables: TableInfo[] = [];
  const used = new Set<string>();
  let rowsBefore = 0;

  const addDocument = async ({ table, document, options }: Extract<BuildRequest, { do: 'document' }>) => {
    const pass = watchPass(counts, () => rowsBefore);
    try {
      const added = await load(table, document, options, pass.watch);
      tables.push(...added.tables);
      rowsBefore += added.rows;
      return added;
    } finally {
      pass.end();
      counts[COUNTS.rows] = rowsBefore;
    }
  };

  const load = async (
    table: string,
    path: string | JoinedDocuments,
    { format, charset, isRestricted = false, template }: LoadOptions,
    onPass: (reader: DocumentReader) => void,
  ): Promise<DocumentOutcome> => {
    const quoting = new Map();
    const open = () =>
      typeof path === 'string'
        ? readDocument(path, { format, charset, quoting })
        : joinDocuments(path, { format, quoting });
    const head = await open().head();
    const parts = { database, open, onPass, used, source, isRestricted };
    if (head.format === 'tab' || head.format === 'csv') {
      return describeRows(await loadRows(uniqueName(table, used), parts));
    }
    if (head.format === 'json' || head.format === 'jsonl')
      return loadDocumentItems(table, { ...parts, template });
    return loadText(uniqueName(table, used), parts);
  };

  return (request) => {
    if (request.do === 'expect') {
      const { root, see } = createShapeReader(dateReader(source.reportType));
      request.items.forEach(see);
      expected.set(request.table, root);
      return undefined;
    }
    if (request.do === 'items') {
      const { table, items, key, at, given: brought = [] } = request;
      const staging = staged.get(table) ?? createStaging(table, folder, { key, source, at });
      staged.set(table, staging);
      const added = staging.add(items, brought);
      rowsBefore += added.rows;
      counts[COUNTS.rows] = rowsBefore;
      return added;
    }
    if (request.do === 'document') return addDocument(request);
    if (request.do === 'build') {
      const named = [...staged].map(([table, staging]) => ({
        name: uniqueName(table, used),
        staging,
        likely: expected.get(table),
      }));
      for (const { name, staging, likely } of named) {
        tables.push(...staging.load(database, { name, used, likely }));
      }
      return tables;
    }
    // The longest name is renamed first: new names are longer than old ones, and may equal that of a table
    // not yet renamed.
    const renamed = Object.entries(request.names).sort(([one], [other]) => other.length - one.length);
    for (const [from, to] of renamed) {
      database.exec(`ALTER TABLE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`);
    }
    database.exec('COMMIT');
    database.close();
    return undefined;
  };
}

function openDatabase(file: string): Database {
  const database = new sqlite.Database(file);
  chmodSync(file, MODE);
  // Larger pages than usual suit rows that are written and read in order, because each page costs a system
  // call.
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  // No reader sees the database before it is complete, and a torn one is discarded.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; BEGIN');
  return database;
}

/**
 * Notes which columns stay as sent, and why. The reader itself notes rows with too many or too few fields.
 */
function describeRows({ table, reader }: Awaited<ReturnType<typeof loadRows>>): DocumentOutcome {
  const names = new Map<string, string[]>();
  for (const { name, note = '' } of table.columns) {
    const reason = /^(?:text|dates) as sent: (.*)$/.exec(note)?.[1];
    if (reason !== undefined) names.set(reason, [...(names.get(reason) ?? []), name]);
  }
  const notes = [
    ...reader.summary().notes,
    ...table.notes,
    ...[...names].map(([reason, columns]) => `Left as text: ${columns.join(', ')} (${reason}).`),
  ];
  return { rows: table.rows, tables: [{ ...table, notes }], notes };
}

function watchPass(counts: Float64Array, rowsBefore: () => number) {
  let reader: DocumentReader | undefined;
  const update = () => {
    const progress = reader?.progress();
    if (progress === undefined) return;
    counts[COUNTS.rows] = rowsBefore() + progress.rows;
    counts[COUNTS.bytes] = progress.bytes;
    counts[COUNTS.ofBytes] = progress.ofBytes;
  };
  const timer = setInterval(update, COUNT_MS);
  return {
    watch: (next: DocumentReader) => {
      reader = next;
    },
    end: () => {
      clearInterval(timer);
      update();
    },
  };
}

// Items of pages go into a file until all are there, because only then their columns are known.

interface ItemsTarget {
  /** The name of the top table. */
  name: string;
  /** The table names in use; those of nested lists are added. */
  used: Set<string>;
  /** The expected shape of the items. */
  likely: Shape | undefined;
}

function createStaging(table: string, folder: string, parts: ItemParts) {
  const { key, source } = parts;
  const file = join(folder, `${table}.items`);
  const descriptor = openSync(file, 'w+', 0o600);
  const shape = createShapeReader(dateReader(source.reportType));
  const keys = new Set<string>();
  const given = new Set<string>();
  /**
   * Members that come from the service in some item, which take precedence over the caller's members of the
   * same name.
   */
  const answered = new Set<string>();
  return {
    add(items: readonly unknown[], brought: readonly string[]): AddedCounts {
      for (const name of brought) given.add(name);
      let repeated = 0;
      const lines: string[] = [];
      for (const item of items) {
        const id = key === undefined ? undefined : keyOf(item, key);
        if (id !== undefined && keys.has(id)) {
          repeated += 1;
          continue;
        }
        if (id !== undefined) keys.add(id);
        shape.see(item);
        for (const name of given.size === 0 ? [] : Object.keys(toObject(item)))
          if (!brought.includes(name)) answered.add(name);
        lines.push(`${JSON.stringify(item) ?? 'null'}\n`);
      }
      writeWhole(descriptor, lines.join(''));
      return { rows: lines.length, repeated };
    },
    /** Writes the tables and removes the file. */
    load(database: Database, { name, used, likely }: ItemsTarget): TableInfo[] {
      const isNone = shape.seen() === 0;
      const root = isNone && likely !== undefined ? likely : shape.root;
      if (!isNone && likely !== undefined) fillEmptyLists(root, likely);
      const writer = writeItemTables(database, name, root, {
        ...parts,
        tables: used,
        given: new Set([...given].filter((one) => !answered.has(one))),
      });
      for (const line of readLines(descriptor)) writer.add(JSON.parse(line));
      closeSync(descriptor);
      rmSync(file);
      return writer.finish();
    },
  };
}

function keyOf(item: unknown, key: string): string | undefined {
  const found = follow(item, key.split('.'));
  return found === undefined || found === null ? undefined : JSON.stringify(found);
}

/** Repeats the write, because a nearly full disk may accept only a part. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

const PIECE_BYTES = 1_000_000;

function* readLines(descriptor: number): Generator<string> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let rest: Buffer[] = [];
  for (let index = 0; ; ) {
    const read = readSync(descriptor, piece, 0, PIECE_BYTES, index);
    if (read === 0) return;
    index += read;
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0 && end < read; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...rest, piece.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < read) rest.push(Buffer.from(piece.subarray(start, read)));
  }
}

// A document without rows is stored unchanged: its text in pieces, in order.

/** The characters of one piece: few enough for SQLite's functions, enough that most documents have one. */
const PIECE = 1_000_000;

/** @throws DocumentError */
async function loadText(
  table: string,
  { database, open, onPass, isRestricted }: DocumentParts,
): Promise<DocumentOutcome> {
  database.exec(`CREATE TABLE "${table}" (item INTEGER PRIMARY KEY, content TEXT)`);
  const insert = database.prepare(`INSERT INTO "${table}" VALUES (NULL, ?)`);
  const reader = open();
  onPass(reader);
  let rows = 0;
  let text = '';
  let bytes = 0;
  const flush = (end: number) => {
    const piece = text.slice(0, end);
    text = text.slice(end);
    if (piece === '') return;
    insert.run([piece.replaceAll('\0', '\uFFFD')]);
    rows += 1;
  };
  try {
    for await (const batch of reader.batches()) {
      if (batch.kind === 'bytes') bytes += batch.bytes.length;
      if (batch.kind === 'text') text += batch.text;
      // The cut is after an element or a line, because half a value cannot be recognized as personal.
      if (text.length >= PIECE) flush(text.lastIndexOf('>') + 1 || text.lastIndexOf('\n') + 1 || text.length);
    }
    flush(text.length);
  } finally {
    insert.finalize();
  }
  const { notes } = reader.summary();
  const { format } = await reader.head();
  const kept =
    bytes > 0
      ? `It holds ${bytes} bytes that are no text, and no table holds them: save_as saves them.`
      : `It holds no rows (format: ${format}): its text is in the column content, in pieces of about ${PIECE} characters.`;
  const content: ColumnInfo = { name: 'content', type: 'text', ...personalOf(format, isRestricted) };
  return {
    rows: 0,
    tables: [{ name: table, rows, columns: [content], notes: [kept] }],
    notes: [...notes, kept],
  };
}

/**
 * Returns the personal kind of the content: elements identify their content; other text depends on whether
 * the report is about buyers.
 */
function personalOf(format: string, isRestricted: boolean): Pick<ColumnInfo, 'personal' | 'members'> {
  if (format === 'xml') return isRestricted ? { personal: 'buyer text', members: [] } : { members: [] };
  return { personal: isRestricted ? 'buyer text' : 'free text' };
}

// The items of a JSON document are read in two passes: one finds their shape, one writes the tables.

interface DocumentParts extends RowsParts {
  /** The table names in use. */
  used: Set<string>;
  /** Whether content outside of tables is personal as a whole. */
  isRestricted: boolean;
  template?: unknown;
}

/**
 * Loads a list at the top, or the only list, as the table, and several lists as one table each, with the
 * list's name. The members beside them become one row of `<table>_about`.
 * @throws DocumentError
 */
async function loadDocumentItems(
  table: string,
  { database, open, onPass, used, source, template }: DocumentParts,
): Promise<DocumentOutcome> {
  const shapes = new Map<string, ShapeReader>();
  const hasTemplate = template !== undefined;
  if (hasTemplate) {
    const shape = createShapeReader(dateReader(source.reportType));
    shape.see(template);
    shapes.set('', shape);
  }
  const first = open();
  onPass(first);
  for await (const batch of first.batches()) {
    if (batch.kind !== 'items') continue;
    const shape = shapes.get(batch.list) ?? createShapeReader(dateReader(source.reportType));
    shapes.set(batch.list, shape);
    for (const item of batch.items) shape.see(item);
  }
  const names = nameLists(table, [...shapes.keys()], used);
  const writers = new Map(
    [...shapes].map(([list, { root }]) => {
      const at = list === '' ? [] : list.split('.');
      const name = names.get(list) ?? table;
      return [
        list,
        writeItemTables(database, name, root, { key: undefined, tables: used, source, at, hasTemplate }),
      ];
    }),
  );
  const second = open();
  onPass(second);
  for await (const batch of second.batches()) {
    if (batch.kind !== 'items') continue;
    const writer = writers.get(batch.list);
    for (const item of batch.items) writer?.add(item);
  }
  const tables = [...writers.values()].flatMap((writer) => writer.finish());
  const { notes } = second.summary();
  if (tables.length === 0) return loadNothing(uniqueName(table, used), database, notes);
  const about = shapes.size > 1 ? names.get('') : undefined;
  const [main] = tables.filter(({ name }) => name !== about);
  return { rows: main?.rows ?? 0, tables, notes };
}

/** Creates a table without rows for an empty list, which is clearer than no table. */
function loadNothing(table: string, database: Database, notes: string[]): DocumentOutcome {
  database.exec(`CREATE TABLE "${table}" (item INTEGER PRIMARY KEY)`);
  return { rows: 0, tables: [{ name: table, rows: 0, columns: [], notes: [] }], notes };
}
