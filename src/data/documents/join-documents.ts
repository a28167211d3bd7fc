/** Reads several documents of one kind as one; an extra column names the document of each row or item. */

import { isJsonObject } from '../../base/json.ts';
import type {
  DocumentBatch,
  DocumentHead,
  DocumentReader,
  DocumentReadOptions,
  DocumentSummary,
} from './document.ts';
import { DocumentError } from './document-error.ts';
import { readDocument } from './read-document.ts';

export interface LabeledDocument {
  file: string;
  /** The charset that the service named, if any; untrusted text. */
  charset?: string | undefined;
  /** The value of the extra column in each of its rows. */
  label: string;
}

export interface JoinedDocuments {
  /** The name of the extra column, which comes first. */
  column: string;
  documents: readonly LabeledDocument[];
}

/**
 * Joins columns by their names; a document without rows becomes items with its text as `content`. The
 * documents are opened one after the other. The batches throw a DocumentError if some documents have rows and
 * others none.
 */
export function joinDocuments(
  joined: JoinedDocuments,
  options: Pick<DocumentReadOptions, 'format' | 'quoting'>,
): DocumentReader {
  return new JoinedDocumentReader(joined, options);
}

interface JoinedPart extends LabeledDocument {
  head: DocumentHead;
}

class JoinedDocumentReader implements DocumentReader {
  readonly #joined: JoinedDocuments;
  readonly #options: Pick<DocumentReadOptions, 'format' | 'quoting'>;
  readonly #notes = new Set<string>();
  #parts: Promise<JoinedPart[]> | undefined;
  #current: DocumentReader | undefined;
  readonly #done = { rows: 0, bytes: 0, unpackedBytes: 0 };
  #isMisread = false;

  constructor(joined: JoinedDocuments, options: Pick<DocumentReadOptions, 'format' | 'quoting'>) {
    this.#joined = joined;
    this.#options = options;
  }

  async head(): Promise<DocumentHead> {
    const parts = await this.#heads();
    const [table] = parts.filter(isTable);
    if (table === undefined) return { format: 'jsonl', columns: [] };
    return { format: table.head.format, columns: this.#columns(parts).map(plainName) };
  }

  async *batches(): AsyncGenerator<DocumentBatch, void, undefined> {
    const parts = await this.#heads();
    const columns = this.#columns(parts);
    for (const part of parts) {
      const reader = this.#open(part);
      this.#current = reader;
      const labeled = isTable(part) ? rowLabeler(part, columns) : itemLabeler(part, this.#joined.column);
      for await (const batch of reader.batches()) {
        if (batch.kind === 'bytes') this.#notes.add('What is no text in them is not kept.');
        else yield labeled(batch);
      }
      this.#end(reader);
    }
  }

  progress() {
    const { rows = 0, bytes = 0, ofBytes = 0 } = this.#current?.progress() ?? {};
    return {
      rows: this.#done.rows + rows,
      bytes: this.#done.bytes + bytes,
      ofBytes: this.#done.bytes + ofBytes,
    };
  }

  summary(): DocumentSummary {
    const misread = this.#isMisread ? { isMisread: true } : {};
    return { unpackedBytes: this.#done.unpackedBytes, notes: [...this.#notes], ...misread };
  }

  async close(): Promise<void> {
    await this.#current?.close();
  }

  #open({ file, charset }: LabeledDocument): DocumentReader {
    return readDocument(file, { ...this.#options, charset });
  }

  #heads(): Promise<JoinedPart[]> {
    this.#parts ??= this.#readHeads();
    return this.#parts;
  }

  async #readHeads(): Promise<JoinedPart[]> {
    const parts: JoinedPart[] = [];
    for (const document of this.#joined.documents) {
      const reader = this.#open(document);
      try {
        parts.push({ ...document, head: await reader.head() });
      } finally {
        await reader.close();
      }
    }
    if (new Set(parts.map(isTable)).size > 1) throw mixed();
    return parts;
  }

  #columns(parts: readonly JoinedPart[]): string[] {
    return [this.#joined.column, ...new Set(parts.flatMap(({ head }) => namesOf(head)))];
  }

  #end(reader: DocumentReader): void {
    const { notes, unpackedBytes, isMisread = false } = reader.summary();
    this.#isMisread ||= isMisread;
    const { rows, ofBytes } = reader.progress();
    this.#done.rows += rows;
    this.#done.bytes += ofBytes;
    this.#done.unpackedBytes += unpackedBytes;
    this.#current = undefined;
    for (const note of notes) this.#notes.add(note);
  }
}

const isTable = ({ head }: JoinedPart) => head.format === 'tab' || head.format === 'csv';

/** Separates a repeated column name from the number of its occurrence in one header. */
const AGAIN = '\0';

const plainName = (name: string) => name.split(AGAIN)[0] ?? '';

function namesOf({ columns }: DocumentHead): string[] {
  const seen = new Map<string, number>();
  return columns.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}${AGAIN}${times}`;
  });
}

type Labeler = (batch: DocumentBatch) => DocumentBatch;

function rowLabeler({ head, label }: JoinedPart, columns: readonly string[]): Labeler {
  const own = namesOf(head);
  const indexes = columns.slice(1).map((name) => own.indexOf(name));
  return (batch) => {
    if (batch.kind !== 'rows') return batch;
    const rows = batch.rows.map((row) => [label, ...indexes.map((at) => row[at] ?? '')]);
    return { ...batch, rows };
  };
}

function itemLabeler({ label }: JoinedPart, column: string): Labeler {
  const mark = { [column]: label };
  return (batch) => {
    if (batch.kind === 'text') return { kind: 'items', list: '', items: [{ ...mark, content: batch.text }] };
    if (batch.kind !== 'items') return batch;
    const items = batch.items.map((item) =>
      isJsonObject(item) ? { ...mark, ...item } : { ...mark, value: item },
    );
    return { ...batch, items };
  };
}

function mixed(): DocumentError {
  return new DocumentError(
    'damaged',
    'Some of the documents hold rows and others do not: they make no table together.',
    'Nothing was loaded. Collect them one by one, with document: {"id": ...}.',
  );
}
