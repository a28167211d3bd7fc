/**
 * The tables that every query finds: our writes, changes between reviews, and the list of tables and columns.
 */

import {
  LISTING_CHANGE_COLUMNS,
  type NewsParts,
  REVIEW_COLUMNS,
  readListingChanges,
  readReviews,
} from '../review/review-changes.ts';
import { PERSONAL_END } from './personal-tables.ts';
import type { SqlToken } from './statement.ts';
import type { CollectionInfo, CollectionSource, SqlValue } from './table-types.ts';
import type { BuiltInTable } from './worker/messages.ts';

export const BUILT_IN = ['changes', 'columns', 'listing_changes', 'reviews', 'tables'] as const;

/**
 * The columns of `changes`. It has one row for each changed member of a write, or one if they are unknown;
 * the newest is last.
 */
export const CHANGE_COLUMNS = [
  ...(['at', 'local_time', 'list', 'sku', 'store', 'member', 'old', 'new', 'currency', 'outcome'] as const),
  ...(['what', 'error', 'id', 'undoes', 'account', 'operation', 'ended_at', 'status', 'parameters'] as const),
  ...(['body', 'differences', 'request_id', 'idempotency_key'] as const),
] as const;

/** The extra column if several users share the account. */
const PERSON = 'person';

const COLUMNS_COLUMNS = ['table_name', 'position', 'name', 'type', 'example', 'note'] as const;
const TABLES_COLUMNS = [
  'name',
  'rows',
  'columns',
  'parent',
  'currency_column',
  'currencies',
  'collected_at',
  'complete',
  'source',
  'kept_until',
] as const;

/**
 * Builds the tables that the statement names.
 * @param collections masked for display.
 * @param tellSource formats a source as JSON
 */
export async function buildBuiltIn(
  tokens: readonly SqlToken[],
  collections: readonly CollectionInfo[],
  tellSource: (source: CollectionSource) => string,
  kept: NewsParts,
): Promise<BuiltInTable[]> {
  const named = new Set(tokens.map(({ text }) => text));
  const build = {
    changes: async () => {
      const { rows: changes } = await kept.changes();
      const hasPeople = changes.some(({ person }) => person !== undefined);
      const columns = hasPeople ? [...CHANGE_COLUMNS, PERSON] : CHANGE_COLUMNS;
      return { columns, rows: changes.map((change) => columns.map((column) => change[column] ?? null)) };
    },
    listing_changes: async () => ({
      columns: LISTING_CHANGE_COLUMNS,
      rows: await readListingChanges(kept),
    }),
    reviews: async () => ({ columns: REVIEW_COLUMNS, rows: await readReviews(kept) }),
    columns: async () => ({ columns: COLUMNS_COLUMNS, rows: collections.flatMap(columnRows) }),
    tables: async () => ({
      columns: TABLES_COLUMNS,
      rows: collections.flatMap((info) => tableRows(info, tellSource)),
    }),
  };
  const wanted = BUILT_IN.filter((name) => named.has(name));
  return Promise.all(wanted.map(async (name) => ({ name, ...(await build[name]()) })));
}

function tableRows(
  { tables, collectedAt, complete, source, until }: CollectionInfo,
  tellSource: (source: CollectionSource) => string,
): SqlValue[][] {
  return tables.map(({ name, rows, columns, parent, currency }) => [
    name,
    rows,
    columns.length,
    parent ?? null,
    currency?.column ?? null,
    currency?.values.join(', ') ?? null,
    collectedAt,
    complete ? 1 : 0,
    tellSource(source),
    until === 'process' ? PERSONAL_END : (until ?? null),
  ]);
}

function columnRows({ tables }: CollectionInfo): SqlValue[][] {
  return tables.flatMap(({ name, columns }) =>
    columns.map((column, at) => [
      name,
      at + 1,
      column.name,
      column.type,
      column.example ?? null,
      column.note ?? null,
    ]),
  );
}
