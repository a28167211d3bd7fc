/** Builds the database of one collection: documents at once, items when all of them are there. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { type JoinedDocuments, joinDocuments } from '../../documents/join-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { DocumentReader } from '../../documents/types.ts';
import { parseItems } from '../../json.ts';
import type { ValueSource } from '../../personal/kinds.ts';
import { dateReader } from '../dates.ts';
import { quoteIdentifier, uniqueName } from '../names.ts';
import type { DocumentOutcome, LoadOptions, TableInfo } from '../types.ts';
import { createStaging, type Staging } from './item-staging.ts';
import { loadDocumentItems } from './load-document-items.ts';
import { loadRows } from './load-rows.ts';
import { loadText } from './load-text.ts';
import { type BuildRequest, COUNTS } from './protocol.ts';

/** A file, or several as one. */
type Documents = string | JoinedDocuments;

/** Name of the database within the folder of a load. */
export const DATABASE_FILE = 'data.db';

/** How often the counts are brought up to date while a document is read. */
const COUNT_MS = 100;

const PAGE_BYTES = 16_384;

/** Owner only: a seller's data. */
const MODE = 0o600;

export interface BuilderParts {
  folder: string;
  /** Written for the main thread to read. */
  counts: Float64Array;
  /** Of the values: decides which are personal. */
  source: ValueSource;
}

export function createBuilder({ folder, counts, source }: BuilderParts): (request: BuildRequest) => unknown {
  const file = join(folder, DATABASE_FILE);
  const database = new sqlite.Database(file);
  chmodSync(file, MODE);
  // Larger than usual: rows are written and read in their order, and a page costs a call of the system.
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  // Nothing reads it before it is whole, and a torn one is thrown away.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; BEGIN');
  const staged = new Map<string, Staging>();
  const tables: TableInfo[] = [];
  const used = new Set<string>();
  let rowsBefore = 0;

  const addDocument = async (
    table: string,
    path: Documents,
    options: LoadOptions,
  ): Promise<DocumentOutcome> => {
    const pass = watchPass(counts, () => rowsBefore);
    try {
      const added = await load(table, path, options, pass.watch);
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
    path: Documents,
    { format, charset, reportType, isRestricted = false }: LoadOptions,
    onPass: (reader: DocumentReader) => void,
  ): Promise<DocumentOutcome> => {
    const open = () =>
      typeof path === 'string' ? readDocument(path, { format, charset }) : joinDocuments(path, format);
    const head = await open().head();
    const parts = { database, open, readDate: dateReader(reportType), onPass, used, source, isRestricted };
    if (head.format === 'tab' || head.format === 'csv') {
      return describeRows(await loadRows(uniqueName(table, used), parts));
    }
    if (head.format === 'json' || head.format === 'jsonl') return loadDocumentItems(table, parts);
    return loadText(uniqueName(table, used), parts);
  };

  return (request) => {
    if (request.do === 'items') {
      const { table, items, key, at } = request;
      const staging = staged.get(table) ?? createStaging(table, folder, { key, source, at });
      staged.set(table, staging);
      const added = staging.add(parseItems(items));
      rowsBefore += added.rows;
      counts[COUNTS.rows] = rowsBefore;
      return added;
    }
    if (request.do === 'document') return addDocument(request.table, request.document, request.options);
    if (request.do === 'seal') {
      const named = [...staged].map(([name, staging]) => ({ name: uniqueName(name, used), staging }));
      for (const { name, staging } of named) tables.push(...staging.load(database, name, used));
      return tables;
    }
    // The longest first: a new name is longer than the old one, and may be that of another table until it has its own.
    const renamed = Object.entries(request.names).sort(([one], [other]) => other.length - one.length);
    for (const [from, to] of renamed) {
      database.exec(`ALTER TABLE ${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`);
    }
    database.exec('COMMIT');
    database.close();
    return undefined;
  };
}

/** Fields that are too many are told by the reader, too few as well; here, which columns stay as sent, and why. */
function describeRows({ table, reader }: Awaited<ReturnType<typeof loadRows>>): DocumentOutcome {
  const names = new Map<string, string[]>();
  for (const { name, note = '' } of table.columns) {
    const reason = /^(?:text|dates) as sent: (.*)$/.exec(note)?.[1];
    if (reason !== undefined) names.set(reason, [...(names.get(reason) ?? []), name]);
  }
  const notes = [
    ...reader.summary().notes,
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
