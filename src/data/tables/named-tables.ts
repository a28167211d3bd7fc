/** Which collections and tables a statement names. */

import { InputError } from '../../base/errors.ts';
import type { Statement } from './statement.ts';
import type { CollectionInfo, TableInfo } from './types.ts';

/** Collections that one statement can name: SQLite attaches no more. */
const MAX_COLLECTIONS = 10;

/** All names and words in it, whatever they are the names of. */
export function mentions({ tokens }: Statement): Set<string> {
  return new Set(tokens.filter(({ kind }) => kind === 'word' || kind === 'name').map(({ text }) => text));
}

/** @throws InputError for more than SQLite attaches */
export function namedCollections(statement: Statement, all: readonly CollectionInfo[]): CollectionInfo[] {
  const names = mentions(statement);
  const named = all.filter(({ tables }) => tables.some(({ name }) => names.has(name)));
  if (named.length <= MAX_COLLECTIONS) return named;
  throw new InputError(
    `The statement names tables of ${named.length} collections; at most ${MAX_COLLECTIONS} can be read at once.`,
    'Ask in two steps, or collect what belongs together at once.',
  );
}

export function namedTables(statement: Statement, collections: readonly CollectionInfo[]): TableInfo[] {
  const names = mentions(statement);
  return collections.flatMap(({ tables }) => tables.filter(({ name }) => names.has(name)));
}
