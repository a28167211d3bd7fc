/** Writes the rows of one flat table while others are still being read; a table without rows has its columns all the same. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Loader } from '../tables/types.ts';

/** Rows that are handed over at once: of a few hundred, most go while the limit of the service is waited for. */
const ROWS_AT_ONCE = 50;

export interface RowWriter<Row> {
  add(row: Row): void;
  /** When all were added. @throws what any of the writing threw */
  settle(): Promise<void>;
}

export interface RowWriterOptions {
  loader: Promise<Loader>;
  table: string;
  columns: readonly string[];
}

export function createRowWriter<Row extends object>({
  loader,
  table,
  columns,
}: RowWriterOptions): RowWriter<Row> {
  let written: Promise<unknown> = Promise.resolve();
  let waiting: Row[] = [];
  let isEmpty = true;
  const flush = () => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    isEmpty = false;
    written = written.then(async () => (await loader).addItems(table, rows));
    // It is thrown where the writing is settled.
    written.catch(() => {});
  };
  return {
    add(row) {
      waiting.push(row);
      if (waiting.length >= ROWS_AT_ONCE) flush();
    },
    async settle() {
      flush();
      await written;
      if (isEmpty) await writeHeader(await loader, table, columns);
    },
  };
}

/** A query that finds nothing is no error. */
async function writeHeader(loader: Loader, table: string, columns: readonly string[]): Promise<void> {
  const file = join(loader.folder, `${table}.txt`);
  await writeFile(file, `${columns.join('\t')}\n`, { mode: 0o600 });
  await loader.addDocument(table, file, { format: 'tab' });
}
