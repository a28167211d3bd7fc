/** The shared types of the local tables: collections, their tables, loading and querying. */

import * as z from 'zod';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { CsvSigns } from '../../base/settings.ts';
import { PERSONAL_KINDS } from '../../privacy/personal/kinds.ts';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import type { Leases } from '../../store/leases.ts';
import type { DocumentProgress, DocumentReadOptions } from '../documents/document.ts';
import type { JoinedDocuments } from '../documents/join-documents.ts';
import type { AccountSnapshots } from '../review/snapshots.ts';

/** A value of a table. Amounts are numbers, identifiers text, dates ISO 8601 text. */
export type SqlValue = string | number | null;

const columnSchema = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'date', 'json']),
  /**
   * The stored example: the beginning of a value with placeholders for personal parts, and the real values of
   * these.
   */
  sample: z.object({ text: z.string(), marks: z.record(z.string(), z.string()) }).optional(),
  /** The earliest and the latest date of a column, as the table has them. */
  first: z.string().optional(),
  last: z.string().optional(),
  /** Explains an unexpected type: mixed values, dates left as sent. */
  note: z.string().optional(),
  /**
   * The doubt about a text that looks like numbers or dates, which stays as sent because its format is
   * unclear.
   */
  doubt: z.object({ kind: z.enum(['number', 'date']), reason: z.string() }).optional(),
  /**
   * The number of rows without this key (SKU, ASIN, order id), and in how many of them another key column has
   * a value.
   */
  lacks: z
    .object({ rows: z.number(), of: z.number(), elsewhere: z.record(z.string(), z.number()) })
    .optional(),
  /** The number of rows in which this figure is not yet available: a sum leaves them out. */
  unavailable: z.number().optional(),
  /** The kind of buyers' personal data; for JSON, that of its first personal member. */
  personal: z.enum([...PERSONAL_KINDS, 'free text']).optional(),
  /**
   * The path of the value within the answer or document, for JSON and markup with possibly personal members.
   */
  members: z.array(z.string()).optional(),
  /** True for a column from the caller's own SELECT: a query shows it unmasked. */
  given: z.boolean().optional(),
});
export interface ColumnInfo extends z.output<typeof columnSchema> {
  /**
   * The beginning of its first filled value, as a query shows it; untrusted text. It is set for display only.
   */
  example?: string;
}
export type Sample = NonNullable<ColumnInfo['sample']>;

const tableSchema = z.object({
  name: z.string(),
  rows: z.number(),
  columns: z.array(columnSchema),
  /** The table whose items contain this nested list, joined by `item`. */
  parent: z.string().optional(),
  /** The members that lead from the item to this nested list. */
  path: z.array(z.string()).optional(),
  /**
   * The marketplace of a report's rows: the column that names it, its values with the English name of the
   * country of each (null: no marketplace), and the column that was added for that name.
   */
  channels: z
    .object({
      column: z.string(),
      added: z.string(),
      values: z.array(
        z.object({ value: z.string().nullable(), marketplace: z.string().nullable(), rows: z.number() }),
      ),
    })
    .optional(),
  /**
   * The column with the currency of the amounts, and the values seen (at most 20). `isOnly`: every amount of
   * the table has this one currency beside it.
   */
  currency: z
    .object({ column: z.string(), values: z.array(z.string()), isOnly: z.boolean().optional() })
    .optional(),
  notes: z.array(z.string()),
});
export interface TableInfo extends z.output<typeof tableSchema> {
  columns: ColumnInfo[];
  /** The profile from the worker that built it; it is stored for comparison, not with the table. */
  profile?: TableProfile;
}

/** The counts by which a later collection of the same kind is compared. */
export const tableProfileSchema = z.object({
  rows: z.number(),
  /** The number columns, with the count of nonzero values and the sum of their absolute values. */
  measures: z.array(z.object({ column: z.string(), nonzero: z.number(), size: z.number() })),
  /** The rows by day of the first column that dates them. */
  day: z.object({ column: z.string(), rows: z.record(z.string(), z.number()) }).optional(),
});
export type TableProfile = z.output<typeof tableProfileSchema>;

/** The last collection of a kind, for the note that there are no rows now. */
export interface LastOfKind {
  /** The moment in ISO 8601, UTC. */
  at: string;
  rows: number;
}

/** The source of the data, with arguments as they were sent. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('operation'),
    operation: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    body: z.unknown().optional(),
  }),
  z.object({
    kind: z.literal('report'),
    reportType: z.string(),
    reportId: z.string().optional(),
    /** The creation time of the report, whose state it shows. */
    madeAt: z.string().optional(),
    marketplaces: z.array(z.string()),
    start: z.string().optional(),
    end: z.string().optional(),
    options: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ kind: z.literal('document'), id: z.string(), of: z.enum(['report', 'feed', 'data-kiosk']) }),
]);
export type CollectionSource = z.output<typeof sourceSchema>;

/**
 * Returns the same key for sources with the same request, regardless of the report that served it and, for an
 * account-wide report, of the marketplace.
 */
export function sourceKey(source: CollectionSource): string {
  if (source.kind !== 'report') return canonicalJson(source);
  const { reportType, marketplaces } = source;
  return canonicalJson({
    ...source,
    marketplaces: accountWideRegions(reportType, marketplaces) ?? marketplaces,
    reportId: undefined,
    madeAt: undefined,
  });
}

export const infoSchema = z.object({
  id: z.string(),
  account: z.string(),
  source: sourceSchema,
  collectedAt: z.iso.datetime(),
  /** False when the service or a limit ended it early. */
  complete: z.boolean(),
  /** Whether the session ended in the middle: the next request for it collects again. */
  cutOff: z.literal(true).optional(),
  /** The requested beginning of its table names, which others may have had already. */
  named: z.string().optional(),
  tables: z.array(tableSchema),
  notes: z.array(z.string()),
  /** One line about impossible differences from the last one of its kind. */
  comparison: z.string().optional(),
  /** The size of its file. */
  bytes: z.number(),
  /** The user who collected it, if several share the account. */
  by: z.string().optional(),
  /** The requested names that were taken, each with its table's name instead. */
  renamed: z.record(z.string(), z.string()).optional(),
  /**
   * The end of a collection with personal data. `process`: it is removed when that process ends; `hours`: the
   * user set how long such data are stored.
   */
  ends: z.union([z.object({ process: z.string() }), z.object({ hours: z.number() })]).optional(),
});
export interface CollectionInfo extends z.output<typeof infoSchema> {
  tables: TableInfo[];
  /**
   * The end for display: ISO 8601, or `process` if it ends with the process that collected it, a day later at
   * most.
   */
  until?: string;
}

/** The charset is that of one document; each of several has its own. */
export interface LoadOptions extends Omit<DocumentReadOptions, 'limits'> {
  /**
   * An item with a value for each possible member: its members are columns even if every value is null, and
   * null means that a figure is not yet available.
   */
  template?: unknown;
  /**
   * True for a report that needs a restricted token for personal data: its content outside of tables is
   * personal as a whole.
   */
  isRestricted?: boolean | undefined;
}

export interface DocumentOutcome {
  /** The rows of the main table; 0 for a document that is stored unchanged. */
  rows: number;
  tables: TableInfo[];
  /** Unusual findings: a wrong charset label, rows with too many fields, columns left as text. */
  notes: string[];
}

/** The counts of added items; repeated ones are stored once. */
export interface AddedCounts {
  rows: number;
  repeated: number;
}

interface FinishedCollection extends Pick<CollectionInfo, 'source' | 'complete' | 'cutOff' | 'notes'> {
  /** The text of the query that a Data Kiosk document answers, for comparison. */
  query?: string | undefined;
}

/** Builds one collection. After a failed call only `abandon` is possible. */
export interface Loader {
  /** The folder of this collection for files from which it is built; `finish` and `abandon` remove it. */
  folder: string;
  /**
   * Adds items of one page; equal items (same `key` member, dotted) are stored once. Resolves when they are
   * stored.
   * @param at the path of their list within the answer, which identifies their members
   * @param given members from the caller, which contain nothing of the service
   */
  addItems(
    table: string,
    items: readonly unknown[],
    key?: string,
    at?: readonly string[],
    given?: readonly string[],
  ): Promise<AddedCounts>;
  /** Adds a document on disk, or several as one, as one table (or several for nested JSON). */
  addDocument(
    table: string,
    document: string | JoinedDocuments,
    options: LoadOptions,
  ): Promise<DocumentOutcome>;
  /**
   * Declares the form of a table's items: if none come, or a list is always empty, tables without rows are
   * made in this form.
   */
  expectItems(table: string, items: readonly unknown[]): Promise<void>;
  /** Returns the progress within the current document. */
  progress(): DocumentProgress;
  /**
   * Completes the collection: it writes, closes and renames the file, and replaces older collections of the
   * same source.
   */
  finish(about: FinishedCollection): Promise<CollectionInfo>;
  /** Removes the collection unless it is finished. */
  abandon(): Promise<void>;
}

/** Max length of a statement, in characters. */
export const MAX_SQL_CHARACTERS = 20_000;

export interface QueryOptions {
  /** Max rows returned; all are counted. */
  maxRows: number;
  /** The approximate max bytes of the returned values. */
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The collection that the statement is about: its tables are found by the requested names. */
  of?: CollectionInfo | undefined;
}

export interface QueryResult {
  columns: string[];
  rows: SqlValue[][];
  /** The number of all rows, including those not returned. */
  total: number;
  tables: { name: string; collectedAt: string; complete: boolean }[];
  notes: string[];
  /** The result columns derived from a doubtful column, with the reasons. */
  doubtful?: { column: string; reason: string }[];
  /** Minor columns from a star, which are named instead where rows are shown. */
  aside?: string[];
}

/** Rows that arrive in batches. */
export type RowBatches =
  | Iterable<readonly (readonly SqlValue[])[]>
  | AsyncIterable<readonly (readonly SqlValue[])[]>;

/** `json` is one list, `tsv` tab-separated. */
export type ExportFormat = 'csv' | 'tsv' | 'jsonl' | 'json' | 'xlsx';

/** The form of the file. */
export interface ExportForm {
  format: ExportFormat;
  /** The form of a CSV; `comma` if omitted. */
  csv?: CsvSigns | undefined;
  /** The name of the file, which names the sheet of a workbook. */
  name?: string | undefined;
}

export interface ExportOptions extends QueryOptions, ExportForm {}

/** The counts of special cells in a file. */
export interface CellCounts {
  /** Cells with a placeholder whose value is no longer known, or with a part of one. */
  unresolved: number;
  /** Cells that got a ' before a possible formula; this and the next two counts exclude unmasked cells. */
  guarded: number;
  /** Cells longer than an Excel cell: cut in a workbook, whole in any other file. */
  long: number;
  /** Cells of digits that Excel would change. */
  digits: number;
}

/** The sum of one column, in one currency if a column contains it. */
export interface MoneySum {
  column: string;
  sum: number;
  currency?: string;
}

export interface Exported<Saved> extends CellCounts {
  saved: Saved;
  /** The sums over all rows. */
  sums: MoneySum[];
  /** The first rows, masked for the assistant, and the number of all. */
  result: QueryResult;
  /** Whether the file contains unmasked personal data. */
  isPersonal: boolean;
}

/** A row of `changes` for one write. */
export type ChangeRow = Record<string, SqlValue>;

/**
 * An attribute that a write changed; `touched` of its rows is a JSON list of these, and no column of the
 * table.
 */
export interface TouchedAttribute {
  attribute: string;
  /** The ids of the marketplaces where the write changed it. */
  marketplaces: string[];
}

/** The writes of an account. */
export interface Changes {
  /** The rows, oldest first. */
  rows: readonly ChangeRow[];
  /** The number of writes of the same account name whose owner may differ. */
  leftOut: number;
}

/** The collections of one account. Throws the errors of `src/base/errors.ts`. */
export interface Tables {
  /** The folder of this account and its owner, which also lists collections of other processes. */
  folder: string;
  /** The leases by which one process at a time collects and chooses names. */
  leases: Leases;
  /** Opens a loader, whose table names become snake_case; taken names get `_2`. */
  openLoader(source: CollectionSource): Promise<Loader>;
  /** Lists collections, newest first, without unknown or damaged files. */
  list(): Promise<CollectionInfo[]>;
  find(source: CollectionSource): Promise<CollectionInfo | undefined>;
  /** Returns the last complete collection of the same kind that had rows, for comparison. */
  lastOfKind(source: CollectionSource): Promise<LastOfKind | undefined>;
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** The snapshots that reviews of the account have stored for comparison. */
  snapshots: AccountSnapshots;
  changes(): Promise<Changes>;
  /**
   * Creates a folder for temporary files of this process, which the caller removes; those of a killed process
   * are removed later.
   */
  makeScratch(): Promise<string>;
  /**
   * Exports all rows with real personal values.
   * @param save receives the content of the file; its errors are thrown
   */
  export<Saved>(
    sql: string,
    options: ExportOptions,
    save: (content: AsyncIterable<Uint8Array>, about: { personal: boolean }) => Promise<Saved>,
  ): Promise<Exported<Saved>>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
