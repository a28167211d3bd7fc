/** What a document becomes: its format, its batches, and what there is to tell about it. */

import type { DocumentLimits } from './limits.ts';
import type { Quoting } from './quoting.ts';

/** `other` is text or bytes that hold no rows. */
export type DocumentFormat = 'tab' | 'csv' | 'json' | 'jsonl' | 'xml' | 'other';

export interface ReadOptions {
  /** What it should be. What the content shows to be otherwise is read as what it is, and told. */
  format: DocumentFormat | 'auto';
  /** The charset that the service named (`Cp1252`), if it named one; untrusted text. */
  charset?: string | undefined;
  /** How columns are quoted, by file, from an earlier pass over the same documents; filled in by each pass. */
  quoting?: Map<string, Quoting> | undefined;
  /** Stricter limits than `DOCUMENT_LIMITS`, for tests. */
  limits?: Partial<DocumentLimits> | undefined;
}

export interface DocumentHead {
  /** What it is. */
  format: DocumentFormat;
  /** Of `tab` and `csv`: the header row as sent, so names can be empty or occur twice. */
  columns: readonly string[];
}

/** Fields of one row beyond the header's. */
export interface ExtraFields {
  /** Index into `rows` of the same batch. */
  row: number;
  fields: string[];
}

export type DocumentBatch =
  /** Of `tab` and `csv`. Each row has as many fields as the header: missing ones are empty, extra ones apart. */
  | { kind: 'rows'; rows: string[][]; extra: ExtraFields[] }
  /**
   * Of `json` and `jsonl`. `list` is the dotted path of the list that holds the items, empty for a list at the top, for
   * JSON lines and for the object at the top: that comes last, without the lists that came before. Numbers that a
   * JavaScript number would change are texts.
   */
  | { kind: 'items'; list: string; items: unknown[] }
  /** Of `xml`, and of `other` where it is text: the next piece. */
  | { kind: 'text'; text: string }
  /** Of `other` where it is not: the next bytes. */
  | { kind: 'bytes'; bytes: Uint8Array };

export interface DocumentProgress {
  /** Rows or items given so far. */
  rows: number;
  /** Bytes of the file read so far, packed as it is. */
  bytes: number;
  /** Bytes of the file. */
  ofBytes: number;
}

export interface DocumentSummary {
  /** Bytes after unpacking. */
  unpackedBytes: number;
  /** What was unusual, a sentence each, in our own words: nothing in them comes from the document. */
  notes: string[];
  /** The columns are quoted otherwise than they were read: `ReadOptions.quoting` says how, for another pass. */
  isMisread?: boolean;
}

/** One pass over a document. */
export interface DocumentReader {
  /** Reads as far as it takes to know what it is. @throws DocumentError */
  head(): Promise<DocumentHead>;
  /** To be iterated once; leaving early closes the file. @throws DocumentError: nothing of what came before is whole */
  batches(): AsyncGenerator<DocumentBatch, void, undefined>;
  progress(): DocumentProgress;
  /** Complete after the last batch. */
  summary(): DocumentSummary;
  /** For a document whose batches are not wanted. */
  close(): Promise<void>;
}
