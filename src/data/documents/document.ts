/** The result of reading a document: its format, its batches and notes about unusual content. */

import type { DocumentLimits } from './limits.ts';
import type { Quoting } from './quoting.ts';

/** `other` is text or bytes without rows. */
export type DocumentFormat = 'tab' | 'csv' | 'json' | 'jsonl' | 'xml' | 'other';

export interface DocumentReadOptions {
  /** The expected format. Content in another format is read in its real one, with a note. */
  format: DocumentFormat | 'auto';
  /** The charset that the service named, if any (`Cp1252`); untrusted text. */
  charset?: string | undefined;
  /**
   * The quoting of the columns by file, known from an earlier pass over the same documents; each pass adds to
   * it.
   */
  quoting?: Map<string, Quoting> | undefined;
  /** Limits for tests that are stricter than `DOCUMENT_LIMITS`. */
  limits?: Partial<DocumentLimits> | undefined;
}

export interface DocumentHead {
  /** The detected format. */
  format: DocumentFormat;
  /** The header row of `tab` and `csv` as sent, so names can be empty or repeated. */
  columns: readonly string[];
}

/** The fields of one row that exceed the header. */
export interface ExtraFields {
  /** The index into `rows` of the same batch. */
  row: number;
  fields: string[];
}

export type DocumentBatch =
  /**
   * Rows of `tab` and `csv`. Each has as many fields as the header: missing fields are empty, extra ones go
   * into `extra`.
   */
  | { kind: 'rows'; rows: string[][]; extra: ExtraFields[] }
  /**
   * Items of `json` and `jsonl`. `list` is the dotted path of the list that contains them. It is empty for a
   * list at the top, for JSON lines and for the object at the top, which comes last and without the lists
   * that came before. Numbers that a JavaScript number would change are texts.
   */
  | { kind: 'items'; list: string; items: unknown[] }
  /** The next piece of `xml`, or of `other` if that is text. */
  | { kind: 'text'; text: string }
  /** The next bytes of `other` if that is no text. */
  | { kind: 'bytes'; bytes: Uint8Array };

export interface DocumentProgress {
  /** The rows or items returned so far. */
  rows: number;
  /** The bytes of the (possibly packed) file that were read so far. */
  bytes: number;
  /** The size of the file in bytes. */
  ofBytes: number;
}

export interface DocumentSummary {
  /** The number of bytes after unpacking. */
  unpackedBytes: number;
  /** Unusual findings, a sentence each, in our own words: they contain nothing from the document. */
  notes: string[];
  /**
   * Whether the columns are quoted differently than they were read: `ReadOptions.quoting` has the right
   * way for another pass.
   */
  isMisread?: boolean;
}

/** Makes one pass over a document. */
export interface DocumentReader {
  /** Reads as far as necessary to detect the format. @throws DocumentError */
  head(): Promise<DocumentHead>;
  /**
   * Iterates once; leaving early closes the file.
   * @throws DocumentError, after which all earlier batches are incomplete
   */
  batches(): AsyncGenerator<DocumentBatch, void, undefined>;
  progress(): DocumentProgress;
  /** Returns the summary, which is complete after the last batch. */
  summary(): DocumentSummary;
  /** Closes a document whose batches are not read. */
  close(): Promise<void>;
}
