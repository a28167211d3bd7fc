/** Reads and changes the lists of a state folder past the program, as they lie in its store. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/** Runs one statement. @returns its rows; none where there is no store yet */
export function onStore(folder: string, statement: string): unknown[] {
  const file = join(folder, 'store.db');
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return database.prepare(statement).all();
  } catch (error) {
    // The store is being made.
    if (String(error).includes('no such table')) return [];
    throw error;
  } finally {
    database.close();
  }
}

const rowSchema = z.object({ text: z.string() });
const textsOf = (folder: string, statement: string) =>
  onStore(folder, statement).map((row) => rowSchema.parse(row).text);

/** Returns the ids of the lists. */
export const batchesIn = (folder: string) => textsOf(folder, 'SELECT id AS text FROM batches ORDER BY id');

/** Returns where the items of all lists stand, as JSON. */
export const batchItemsIn = (folder: string) =>
  textsOf(folder, 'SELECT state AS text FROM batch_items ORDER BY batch, item');
