/** The messages between the main thread and the workers of the tables. */

import type { ValueSource } from '../../../privacy/personal/kinds.ts';
import type { JoinedDocuments } from '../../documents/join-documents.ts';
import type {
  CellCounts,
  ColumnInfo,
  ExportForm,
  LoadOptions,
  MoneySum,
  QueryResult,
  SqlValue,
} from '../table-types.ts';

/** The indexes in `counts`, which the main thread reads at any time. */
export const COUNTS = { rows: 0, bytes: 1, ofBytes: 2, length: 3 } as const;

/** The requests for one collection: begun first, closed last. */
export type LoadRequest =
  /**
   * @param counts shared memory that the main thread reads.
   * @param source decides which of the values are personal
   */
  | { do: 'begin'; folder: string; counts: SharedArrayBuffer; source: ValueSource }
  | {
      do: 'items';
      table: string;
      items: readonly unknown[];
      key: string | undefined;
      at: readonly string[];
      /** Members of these items that come from the caller. */
      given?: readonly string[];
    }
  /** Items whose shape is recorded, but which are not stored. */
  | { do: 'expect'; table: string; items: readonly unknown[] }
  | { do: 'document'; table: string; document: string | JoinedDocuments; options: LoadOptions }
  /** All items are added, so they become tables. */
  | { do: 'build' }
  /** New names by old ones; the database is closed. */
  | { do: 'close'; names: Readonly<Record<string, string>> };

/** The requests for a collection that was begun. */
export type BuildRequest = Exclude<LoadRequest, { do: 'begin' }>;

export interface BuiltInTable {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly SqlValue[])[];
}

/** A column that SQL must not see unmasked; `ColumnInfo` documents the fields. */
export type MaskedColumn = Pick<ColumnInfo, 'name' | 'personal' | 'members' | 'given'>;

export interface MaskedTable {
  /** The index in `files`. */
  file: number;
  name: string;
  source: ValueSource;
  columns: readonly MaskedColumn[];
  /** The column with the fields beyond the header, if there is one. */
  extra?: string;
}

export interface QueryMasking {
  key: Uint8Array;
  account: string;
  tables: readonly MaskedTable[];
}

/** A table under its requested name. */
export interface CalledTable {
  name: string;
  table: string;
  /** The index in `files`. */
  file: number;
}

export interface QueryRequest {
  do: 'query';
  sql: string;
  /** The same statement without the parts that only order the rows. */
  countSql: string;
  maxRows: number;
  maxBytes: number;
  files: readonly string[];
  /** The statement's names for tables of these files, which take precedence over other tables. */
  names?: readonly CalledTable[];
  builtIn: readonly BuiltInTable[];
  /** The masking; absent if everything is shown. */
  masking?: QueryMasking;
  /** The IANA zone of the account's marketplace, if it has one. */
  home?: string | undefined;
}

/** The requests for all rows as a file: begun, and then fetched piece by piece. */
export type ExportRequest =
  /** @param mostRows max rows that a program opens in such a file; undefined if there is no limit */
  | (Omit<QueryRequest, 'do'> & ExportForm & { do: 'export'; mostRows: number | undefined })
  | { do: 'more' }
  | { do: 'stop' };

export interface ExportPiece {
  bytes: Uint8Array;
  /** The end, in the last piece only. */
  end?: ExportEnd;
}

export interface ExportEnd extends CellCounts {
  /** The first rows, masked for the assistant. */
  answer: QueryAnswer;
  /** The number of cells with unmasked personal data. */
  personal: number;
  sums: MoneySum[];
}

export interface QueryAnswer extends Omit<QueryResult, 'tables' | 'notes'> {
  /** The real values of the placeholders in the rows. */
  marks: ReadonlyMap<string, string>;
}
