/** The items of a JSON document into tables: one pass to see what they are made of, one to write them. */

import type { Database } from 'node-sqlite3-wasm';
import type { DocumentReader } from '../../documents/types.ts';
import type { ValueSource } from '../../personal/kinds.ts';
import type { DateReader } from '../dates.ts';
import { toName, uniqueName } from '../names.ts';
import type { DocumentOutcome } from '../types.ts';
import { layOut } from './item-layout.ts';
import { createShapeReader, type ShapeReader } from './item-shape.ts';
import { writeItems } from './load-items.ts';

export interface DocumentParts {
  database: Database;
  open(): DocumentReader;
  readDate: DateReader;
  onPass(reader: DocumentReader): void;
  /** Names of tables that are taken. */
  used: Set<string>;
  source: ValueSource;
  /** What is no table of it is personal as a whole. */
  isRestricted: boolean;
}

/**
 * A list at the top, or the only list, becomes the table; several lists one table each, with the list's name; what
 * stands beside them becomes one row of `<table>_about`.
 * @throws DocumentError
 */
export async function loadDocumentItems(
  table: string,
  { database, open, readDate, onPass, used, source }: DocumentParts,
): Promise<DocumentOutcome> {
  const shapes = new Map<string, ShapeReader>();
  const first = open();
  onPass(first);
  for await (const batch of first.batches()) {
    if (batch.kind !== 'items') continue;
    const shape = shapes.get(batch.list) ?? createShapeReader(readDate);
    shapes.set(batch.list, shape);
    for (const item of batch.items) shape.see(item);
  }
  const lists = [...shapes.keys()].filter((list) => list !== '');
  const nameOf = (list: string) => {
    return list === '' || lists.length === 1 ? table : `${table}_${toName(list.replaceAll('.', ' '))}`;
  };
  const about = lists.length === 0 ? undefined : uniqueName(`${table}_about`, used);
  const named = [...shapes].map(([list, { root }]) => ({
    list,
    root,
    name: list === '' && about !== undefined ? about : uniqueName(nameOf(list), used),
  }));
  const writers = new Map(
    named.map(({ list, root, name }) => {
      const at = list === '' ? [] : list.split('.');
      const layout = layOut(name, root, { key: undefined, tables: used, source, at });
      return [list, writeItems(database, layout, { key: undefined, readDate, source })];
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
  const [main] = tables.filter(({ name }) => name !== about);
  return { rows: main?.rows ?? 0, tables, notes };
}

/** An empty list: a table without rows says so better than none. */
function loadNothing(table: string, database: Database, notes: string[]): DocumentOutcome {
  database.exec(`CREATE TABLE "${table}" (item INTEGER PRIMARY KEY)`);
  return { rows: 0, tables: [{ name: table, rows: 0, columns: [], notes: [] }], notes };
}
