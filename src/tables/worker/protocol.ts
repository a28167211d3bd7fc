/** What the main thread and the workers of the tables say to each other. */

import type { DocumentFault } from '../../documents/document-error.ts';
import type { JoinedDocuments } from '../../documents/join-documents.ts';
import type { DocumentOutcome, LoadOptions, SqlValue, TableInfo } from '../types.ts';

/** Given to a worker when it starts. */
export type WorkerStart = { work: 'load'; folder: string; counts: SharedArrayBuffer } | { work: 'query' };

/** Places in `counts`, which the main thread reads whenever it likes. */
export const COUNTS = { rows: 0, bytes: 1, ofBytes: 2, length: 3 } as const;

export type LoadRequest =
  | { do: 'items'; table: string; items: readonly unknown[]; key: string | undefined }
  | { do: 'document'; table: string; document: string | JoinedDocuments; options: LoadOptions }
  /** Everything is in: items become tables. */
  | { do: 'seal' }
  /** New names by old ones; the database is closed. */
  | { do: 'close'; names: Readonly<Record<string, string>> };

export interface LoadAnswers {
  items: { rows: number; repeated: number };
  document: DocumentOutcome;
  seal: TableInfo[];
  close: undefined;
}

export interface BuiltInTable {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly SqlValue[])[];
}

export interface QueryRequest {
  sql: string;
  /** The same without what only orders the rows. */
  countSql: string;
  maxRows: number;
  maxBytes: number;
  files: readonly string[];
  builtIn: readonly BuiltInTable[];
}

export interface QueryAnswer {
  columns: string[];
  rows: SqlValue[][];
  total: number;
}

/** `sql`: the database said no; `disk`: it could not write. */
export interface WorkerFailure {
  kind: 'document' | 'sql' | 'disk' | 'other';
  message: string;
  hint: string;
  fault?: DocumentFault;
}

export type WorkerAnswer = { id: number; value: unknown } | { id: number; failure: WorkerFailure };
