/** What makers and readers of the local tables agree on: collections, their tables, loading and querying. */

import * as z from 'zod';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { CsvSigns } from '../../base/settings.ts';
import type { Leases } from '../../disk/leases.ts';
import { PERSONAL_KINDS } from '../../privacy/personal/kinds.ts';
import { accountWideRegions } from '../../service/facts/report-traits.ts';
import type { DocumentProgress, ReadOptions } from '../documents/document.ts';
import type { JoinedDocuments } from '../documents/join-documents.ts';
import type { KeptSnapshots } from '../review/snapshots.ts';

/** What a value of a table can be. Amounts are numbers, identifiers text, dates ISO 8601 text. */
export type SqlValue = string | number | null;

const columnSchema = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'date', 'json']),
  /** Where it is kept: the beginning of a value with marks for what is personal in it, and what these stand for. */
  sample: z.object({ text: z.string(), marks: z.record(z.string(), z.string()) }).optional(),
  /** Of a column of dates: the earliest and the latest, as the table has them. */
  first: z.string().optional(),
  last: z.string().optional(),
  /** Why it is what it is where a reader would expect otherwise: mixed values, dates left as sent. */
  note: z.string().optional(),
  /** Of a text that looks like numbers or dates: as sent, because it cannot be told what they are. */
  doubt: z.object({ kind: z.enum(['number', 'date']), reason: z.string() }).optional(),
  /** Rows without this key (SKU, ASIN, order id), and in how many of them another key column has a value. */
  lacks: z
    .object({ rows: z.number(), of: z.number(), elsewhere: z.record(z.string(), z.number()) })
    .optional(),
  /** Rows in which this figure is not yet available: a sum leaves them out. */
  unavailable: z.number().optional(),
  /** Personal data of buyers; for JSON, what the first of its personal members holds. */
  personal: z.enum([...PERSONAL_KINDS, 'free text']).optional(),
  /** For JSON and markup in which members may be personal: the path of the value within the answer or document. */
  members: z.array(z.string()).optional(),
  /** True for a column that the caller's own SELECT gave: a query shows it as it was given. */
  given: z.boolean().optional(),
});
export interface ColumnInfo extends z.output<typeof columnSchema> {
  /** Where it is told: the beginning of its first filled value, as a query shows it; text of the service. */
  example?: string;
}
export type Sample = NonNullable<ColumnInfo['sample']>;

const tableSchema = z.object({
  name: z.string(),
  rows: z.number(),
  columns: z.array(columnSchema),
  /** For a nested list: the table whose items hold it, joined by `item`. */
  parent: z.string().optional(),
  /** Of a nested list: the members that lead to it from its item. */
  path: z.array(z.string()).optional(),
  /**
   * Of a report whose rows say which marketplace they are from: the column that says it, its values with the English name
   * of the country that each means (null: of no marketplace), and the column that was added for that name.
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
   * The column that says which currency the amounts are in, and the values seen (at most 20). `isOnly`: every amount of
   * the table has this one currency beside it.
   */
  currency: z
    .object({ column: z.string(), values: z.array(z.string()), isOnly: z.boolean().optional() })
    .optional(),
  notes: z.array(z.string()),
});
export interface TableInfo extends z.output<typeof tableSchema> {
  columns: ColumnInfo[];
  /** From the worker that built it; it is kept for a comparison, and not with the table. */
  profile?: TableProfile;
}

/** What a later collection of the same kind is compared by. */
export const tableProfileSchema = z.object({
  rows: z.number(),
  /** Columns of numbers: how many values are not zero, and what these add up to without their signs. */
  measures: z.array(z.object({ column: z.string(), nonzero: z.number(), size: z.number() })),
  /** Rows by day of the first column that dates them. */
  day: z.object({ column: z.string(), rows: z.record(z.string(), z.number()) }).optional(),
});
export type TableProfile = z.output<typeof tableProfileSchema>;

/** The last collection of a kind, as it is told where there are no rows now. */
export interface LastOfKind {
  /** ISO 8601, UTC. */
  at: string;
  rows: number;
}

/** Where the data come from; arguments as they were sent. */
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
    /** When it was made: it tells the state of then. */
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
 * The same for sources that ask for the same; which report served it is no difference, and of an account-wide report
 * neither is the marketplace.
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
  /** Is true where the session ended in the middle: whoever asks for it again gets a new one. */
  cutOff: z.literal(true).optional(),
  /** The name that its tables were to begin with, which others may have had already. */
  named: z.string().optional(),
  tables: z.array(tableSchema),
  notes: z.array(z.string()),
  /** One line: how it differs from the last one of its kind in a way that cannot be true. */
  comparison: z.string().optional(),
  /** Size of its file. */
  bytes: z.number(),
  /** Who collected it, where several people use the account. */
  by: z.string().optional(),
  /** The names that were asked for and were taken, each with the name that its table has instead. */
  renamed: z.record(z.string(), z.string()).optional(),
  /**
   * Of one with personal data. `process`: it is removed when that process ends; `hours`: the person said for how long
   * such data are kept.
   */
  ends: z.union([z.object({ process: z.string() }), z.object({ hours: z.number() })]).optional(),
});
export interface CollectionInfo extends z.output<typeof infoSchema> {
  tables: TableInfo[];
  /** Where it is given out: ISO 8601, or `process` where it ends with the one that collected it, a day later at most. */
  until?: string;
}

/** The charset is that of one document; each of several has its own. */
export interface LoadOptions extends Omit<ReadOptions, 'limits'> {
  /**
   * An item with a value for each member that the items may have: its members are columns even where every value is null,
   * and null means that a figure is not yet available.
   */
  template?: unknown;
  /** A report that is given against a token for personal data only: what is no table of it is personal as a whole. */
  isRestricted?: boolean | undefined;
}

export interface DocumentOutcome {
  /** Rows of the main table; 0 for a document that is kept as it is. */
  rows: number;
  tables: TableInfo[];
  /** What was unusual: a wrong charset label, rows with too many fields, columns left as text. */
  notes: string[];
}

/** Items that came again are kept once. */
export interface Added {
  rows: number;
  repeated: number;
}

interface FinishedCollection extends Pick<CollectionInfo, 'source' | 'complete' | 'cutOff' | 'notes'> {
  /** The text of the query that a document of Data Kiosk answers, for a comparison. */
  query?: string | undefined;
}

/** One collection while it is built. Failing calls leave it usable for `abandon` only. */
export interface Loader {
  /** Of this collection alone, for files that it is built from; gone with `finish` and `abandon`. */
  folder: string;
  /**
   * Items of one page; equal items (same `key` member, dotted) are kept once. Resolves when they are in.
   * @param at path of their list within the answer, which tells what their members are
   * @param given members that the caller brought: nothing of them is the service's
   */
  addItems(
    table: string,
    items: readonly unknown[],
    key?: string,
    at?: readonly string[],
    given?: readonly string[],
  ): Promise<Added>;
  /** A document on disk, or several as one, into one table (or several for nested JSON). */
  addDocument(
    table: string,
    document: string | JoinedDocuments,
    options: LoadOptions,
  ): Promise<DocumentOutcome>;
  /**
   * What items of a table would be: where none come, or a list is empty wherever it comes, tables without rows are made
   * as of these.
   */
  expectItems(table: string, items: readonly unknown[]): Promise<void>;
  /** Rows in so far, of this document: for progress. */
  progress(): DocumentProgress;
  /** Whole: written, closed, renamed into place; older collections of the same source are replaced. */
  finish(about: FinishedCollection): Promise<CollectionInfo>;
  /** Nothing is left of it, unless it is finished. */
  abandon(): Promise<void>;
}

/** Longest statement, in characters. */
export const MAX_SQL_CHARACTERS = 20_000;

export interface QueryOptions {
  /** Rows given; all are counted. */
  maxRows: number;
  /** Bytes of the values given, about. */
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The collection that the statement is about: its tables have the names that were asked for, whatever they are called. */
  of?: CollectionInfo | undefined;
}

export interface QueryResult {
  columns: string[];
  rows: SqlValue[][];
  /** All rows, also those not given. */
  total: number;
  tables: { name: string; collectedAt: string; complete: boolean }[];
  notes: string[];
  /** Columns of the result that are made of a column in doubt, and why. */
  doubtful?: { column: string; reason: string }[];
  /** Columns that a star brought and that say little: where rows are shown they are named instead. */
  aside?: string[];
}

/** Rows that come at once. */
export type RowBatches =
  | Iterable<readonly (readonly SqlValue[])[]>
  | AsyncIterable<readonly (readonly SqlValue[])[]>;

/** `json` is one list, `tsv` tab-separated. */
export type ExportFormat = 'csv' | 'tsv' | 'jsonl' | 'json' | 'xlsx';

/** How the file is written. */
export interface ExportForm {
  format: ExportFormat;
  /** Of a CSV; `comma` where left out. */
  csv?: CsvSigns | undefined;
  /** Of the file, which the sheet of a workbook is called by. */
  name?: string | undefined;
}

export interface ExportOptions extends QueryOptions, ExportForm {}

/** What is told of the cells of a file. */
export interface CellCounts {
  /** With a mark whose value is not known any more, or with a part of one. */
  unresolved: number;
  /** That got a ' before what could be a formula; of this and the next two, none with what was resolved. */
  guarded: number;
  /** With more characters than a cell of Excel has: cut in a workbook, whole in any other file. */
  long: number;
  /** Of digits that Excel would change. */
  digits: number;
}

/** Of one column, in one currency where a column tells it. */
export interface MoneySum {
  column: string;
  sum: number;
  currency?: string;
}

export interface Exported<Saved> extends CellCounts {
  saved: Saved;
  /** Of all rows. */
  sums: MoneySum[];
  /** The first rows, as the assistant may see them; the number of all. */
  result: QueryResult;
  /** True where the file holds something personal as it is. */
  isPersonal: boolean;
}

/** What `changes` shows of one write. */
export type ChangeRow = Record<string, SqlValue>;

/** An attribute that a write changed; `touched` of its rows is a JSON list of these, and no column of the table. */
export interface TouchedAttribute {
  attribute: string;
  /** IDs of the marketplaces where the write changed it. */
  marketplaces: string[];
}

/** The writes of an account. */
export interface Changes {
  /** Oldest first. */
  rows: readonly ChangeRow[];
  /** Of the same name, but not known to be of the same owner. */
  leftOut: number;
}

/** The collections of one account. Throws the errors of `src/base/errors.ts`. */
export interface Tables {
  /** Of this account and its owner: what other processes collect for it is told there too. */
  folder: string;
  /** One process at a time collects, and chooses names. */
  leases: Leases;
  /** A name for the tables is chosen with `name` (snake_case); taken ones get `_2`. */
  openLoader(source: CollectionSource): Promise<Loader>;
  /** Newest first; unknown or damaged files are left out. */
  list(): Promise<CollectionInfo[]>;
  find(source: CollectionSource): Promise<CollectionInfo | undefined>;
  /** The last complete collection of the same kind that had rows, for a comparison. */
  lastOfKind(source: CollectionSource): Promise<LastOfKind | undefined>;
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /** What reviews of the account have left to compare with. */
  snapshots: KeptSnapshots;
  changes(): Promise<Changes>;
  /** A folder for what is on its way, for this process alone: remove it; what a killed process leaves goes later. */
  makeScratch(): Promise<string>;
  /**
   * All rows, with personal values as they are.
   * @param save takes the content of the file; what it throws is thrown
   */
  export<Saved>(
    sql: string,
    options: ExportOptions,
    save: (content: AsyncIterable<Uint8Array>, about: { personal: boolean }) => Promise<Saved>,
  ): Promise<Exported<Saved>>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}
