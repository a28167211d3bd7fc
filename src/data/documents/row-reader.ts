/** Reads a table from pieces of text: its header, rows of its width and notes about unusual content. */

import type { DocumentBatch, ExtraFields } from './document.ts';
import type { DocumentLimits } from './limits.ts';
import { isRowWrapped, isWrapped, type Quoting, QuotingEvidence, unwrap } from './quoting.ts';
import { type DocumentRecord, RecordReader, tooManyColumns } from './record-reader.ts';

/**
 * Yields rows as wide as their header: missing fields are filled up, extra ones are separated, and both are
 * counted. Values lose the quotes around them if their column is written in quotes.
 */
export class RowReader {
  readonly #source: RecordReader;
  readonly #mostColumns: number;
  /** The quoting known from an earlier pass over the document. */
  readonly #known: Quoting | undefined;
  /** The quoting that was assumed from the first row on. */
  #quoting: Quoting | undefined;
  #evidence: QuotingEvidence | undefined;
  /** Columns in which a value was quoted. */
  readonly #wrapped = new Set<number>();
  #rawWidth = 0;
  /** The number of rows so far, without the header. */
  rows = 0;
  #short = 0;
  #long = 0;
  #columns: readonly string[] | undefined;
  #zeros = 0;

  /** @param known the quoting of its columns, from an earlier pass over the same document */
  constructor(format: 'tab' | 'csv', delimiter: string, limits: DocumentLimits, known?: Quoting) {
    this.#source = new RecordReader(format, delimiter, limits);
    this.#mostColumns = limits.columns;
    this.#known = known;
  }

  /** Returns, after the last row, the real quoting of the columns if they were read differently. */
  get otherQuoting(): Quoting | undefined {
    const verdict = this.#evidence?.verdict() ?? [];
    const differs = [...this.#wrapped].some((at) => verdict[at] !== this.#quoting?.[at]);
    return differs ? verdict : undefined;
  }

  /** The columns; empty until a row came that is not empty. */
  get columns(): readonly string[] {
    return this.#columns ?? [];
  }

  /** @throws DocumentError */
  push(text: string): DocumentBatch[] {
    return this.#shape(this.#source.push(this.#withoutZeros(text)));
  }

  end(): DocumentBatch[] {
    return this.#shape(this.#source.end());
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.#long > 0) notes.push(`${counted(this.#long)} more fields than the header; none was dropped.`);
    if (this.#short > 0) notes.push(`${counted(this.#short)} fewer fields than the header.`);
    if (this.#source.unclosed > 0) notes.push(formatUnclosed(this.#source.unclosed));
    if (this.#zeros > 0) notes.push(formatZeros(this.#zeros));
    return notes;
  }

  /** Replaces zero characters, because SQLite ends the value at one. */
  #withoutZeros(text: string): string {
    if (!text.includes('\0')) return text;
    const parts = text.split('\0');
    this.#zeros += parts.length - 1;
    return parts.join('\uFFFD');
  }

  #shape(records: DocumentRecord[]): DocumentBatch[] {
    const filled = records.filter(({ fields }) => fields.length > 1 || (fields[0] ?? '') !== '');
    this.#columns ??= this.#header(filled);
    const width = this.columns.length;
    const extra: ExtraFields[] = [];
    const rows = filled.map((record, at) => {
      const row = record.fields;
      this.#unquote(record);
      if (row.length === width) return row;
      const more = this.#fit(row, width);
      if (more.length > 0) extra.push({ row: at, fields: more });
      return row;
    });
    this.rows += filled.length;
    this.#long += extra.length;
    return rows.length === 0 ? [] : [{ kind: 'rows', rows, extra }];
  }

  /** Removes quotes in place. Only a row as wide as the header is evidence about its columns. */
  #unquote({ fields, quoted, joined }: DocumentRecord): void {
    // A record in which one field needed its quotes was written by a program that knows of quoting.
    if (this.#source.isQuoted || joined.size > 0) {
      unwrapAll(fields, quoted, joined);
      return;
    }
    const isWhole = fields.length === this.#rawWidth;
    if (isWhole && this.#known === undefined) {
      this.#evidence ??= new QuotingEvidence(this.columns.length);
      this.#evidence.see(fields, quoted);
      this.#quoting ??= isRowWrapped(fields) ? this.columns.map(() => 'all' as const) : [];
    }
    const quoting = this.#known ?? this.#quoting ?? [];
    for (const at of quoted) {
      const field = fields[at] ?? '';
      if (!isWrapped(field)) continue;
      this.#wrapped.add(at);
      const how = quoting[at];
      if (how === 'all' || (how === 'special' && field.slice(1, -1).includes('"')))
        fields[at] = unwrap(field);
    }
  }

  /**
   * Removes the first row. Empty names at its end have no column, because many reports end each line with a
   * tab.
   */
  #header(records: DocumentRecord[]): string[] | undefined {
    const header = records.shift();
    if (header === undefined) return undefined;
    if (this.#source.isQuoted) unwrapAll(header.fields, header.quoted, header.joined);
    this.#rawWidth = header.fields.length;
    const names = header.fields.map((name) => name.trim());
    const last = names.findLastIndex((name) => name !== '');
    if (last + 1 > this.#mostColumns) throw tooManyColumns(`${last + 1}`, this.#mostColumns);
    return names.slice(0, last + 1);
  }

  /** Returns the fields beyond the header's, unless all are empty. */
  #fit(row: string[], width: number): string[] {
    if (row.length < width) {
      this.#short++;
      while (row.length < width) row.push('');
      return [];
    }
    const more = row.splice(width);
    return more.some((field) => field !== '') ? more : [];
  }
}

function counted(rows: number): string {
  return rows === 1 ? '1 row has' : `${rows} rows have`;
}

function formatZeros(zeros: number): string {
  const were = zeros === 1 ? '1 zero character was' : `${zeros} zero characters were`;
  return `${were} in the document and read as "\uFFFD".`;
}

function unwrapAll(fields: string[], quoted: readonly number[], joined: ReadonlySet<number>): void {
  for (const at of quoted) {
    const field = fields[at] ?? '';
    if (isWrapped(field) && !joined.has(at)) fields[at] = unwrap(field);
  }
}

function formatUnclosed(records: number): string {
  const open = records === 1 ? '1 row opens' : `${records} rows open`;
  return `${open} a quote that is never closed; each was read as the line that it is.`;
}
