/** What the main thread and the workers of the tables say to each other. */

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

/** Places in `counts`, which the main thread reads whenever it likes. */
export const COUNTS = { rows: 0, bytes: 1, ofBytes: 2, length: 3 } as const;

/** One collection: begun first, closed last. */
export type LoadRequest =
  /** @param counts written for the main thread to read. @param source decides which of the values are personal */
  | { do: 'begin'; folder: string; counts: SharedArrayBuffer; source: ValueSource }
  | {
      do: 'items';
      table: string;
      items: readonly unknown[];
      key: string | undefined;
      at: readonly string[];
      /** Members of these items that the caller brought. */
      given?: readonly string[];
    }
  /** Looked at, and not kept. */
  | { do: 'expect'; table: string; items: readonly unknown[] }
  | { do: 'document'; table: string; document: string | JoinedDocuments; options: LoadOptions }
  /** Everything is in: items become tables. */
  | { do: 'build' }
  /** New names by old ones; the database is closed. */
  | { do: 'close'; names: Readonly<Record<string, string>> };

/** What is asked of a collection that was begun. */
export type BuildRequest = Exclude<LoadRequest, { do: 'begin' }>;

export interface BuiltInTable {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly SqlValue[])[];
}

/** A column that SQL must not see as it is; what the fields mean stands in `ColumnInfo`. */
export type MaskedColumn = Pick<ColumnInfo, 'name' | 'personal' | 'members' | 'given'>;

export interface MaskedTable {
  /** Place in `files`. */
  file: number;
  name: string;
  source: ValueSource;
  columns: readonly MaskedColumn[];
  /** The column with the fields beyond the header, where there is one. */
  extra?: string;
}

export interface Masking {
  key: Uint8Array;
  account: string;
  tables: readonly MaskedTable[];
}

/** A table by the name that was asked for. */
export interface CalledTable {
  name: string;
  table: string;
  /** Index in `files`. */
  file: number;
}

export interface QueryRequest {
  do: 'query';
  sql: string;
  /** The same without what only orders the rows. */
  countSql: string;
  maxRows: number;
  maxBytes: number;
  files: readonly string[];
  /** Names that the statement has for tables of these files, before all others of these names. */
  names?: readonly CalledTable[];
  builtIn: readonly BuiltInTable[];
  /** Absent where everything is shown. */
  masking?: Masking;
  /** IANA name of the zone of the account's marketplace, where it has one. */
  home?: string | undefined;
}

/** All rows as a file: begun, and then fetched piece by piece. */
export type ExportRequest =
  /** @param mostRows that a program opens of such a file; undefined where any number will do */
  | (Omit<QueryRequest, 'do'> & ExportForm & { do: 'export'; mostRows: number | undefined })
  | { do: 'more' }
  | { do: 'stop' };

export interface ExportPiece {
  bytes: Uint8Array;
  /** With the last one. */
  end?: ExportEnd;
}

export interface ExportEnd extends CellCounts {
  /** The first rows, as the assistant may see them. */
  answer: QueryAnswer;
  /** Cells with something personal in them, as it is. */
  personal: number;
  sums: MoneySum[];
}

export interface QueryAnswer extends Omit<QueryResult, 'tables' | 'notes'> {
  /** What the marks in the rows stand for. */
  marks: ReadonlyMap<string, string>;
}
