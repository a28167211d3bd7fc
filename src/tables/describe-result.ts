/** The rows of a statement with what has to be said about them: how old the data are, and what reads wrong. */

import { noteOnMarks } from './mark-note.ts';
import { noteOnMoments } from './moment-note.ts';
import { mentions, namedTables } from './named-tables.ts';
import type { Statement } from './statement.ts';
import type { CollectionInfo, QueryResult } from './types.ts';
import type { QueryAnswer } from './worker/protocol.ts';

interface Told {
  /** Writes that `changes` does not show. */
  leftOut: number;
  isMasking: boolean;
}

export function describeResult(
  { columns, rows, total }: QueryAnswer,
  statement: Statement,
  collections: readonly CollectionInfo[],
  { leftOut, isMasking }: Told,
): QueryResult {
  const names = mentions(statement);
  const tables = collections.flatMap(({ tables: all, collectedAt, complete }) =>
    all.filter(({ name }) => names.has(name)).map(({ name }) => ({ name, collectedAt, complete })),
  );
  const named = namedTables(statement, collections);
  const notes = [
    noteOnMoments(statement.tokens, named),
    isMasking ? noteOnMarks(statement.tokens, named) : undefined,
    leftOut === 0 ? undefined : noteOnChanges(leftOut),
  ].filter((note) => note !== undefined);
  return { columns, rows, total, tables, notes };
}

const noteOnChanges = (leftOut: number) =>
  `${leftOut} ${leftOut === 1 ? 'write of this account name is' : 'writes of this account name are'} left out of changes: not known to be of the seller, credentials and address that it has now.`;
