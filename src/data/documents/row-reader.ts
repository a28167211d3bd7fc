/** A table out of pieces of text: header, rows of its width, what was unusual. */

import Papa from 'papaparse';
import type { DocumentBatch, ExtraFields } from './document.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { LineSplitter } from './split-lines.ts';

/** Rows as wide as their header: what is missing is filled up, what is too much is kept apart, and both are counted. */
export class RowReader {
  readonly #source: TabRows | CsvRows;
  readonly #mostColumns: number;
  /** So far, without the header. */
  rows = 0;
  #short = 0;
  #long = 0;
  #columns: readonly string[] | undefined;
  #zeros = 0;

  constructor(format: 'tab' | 'csv', delimiter: string, limits: DocumentLimits) {
    this.#source = format === 'tab' ? new TabRows(limits) : new CsvRows(delimiter, limits);
    this.#mostColumns = limits.columns;
  }

  /** None until a row came that is not empty. */
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
    const notes = this.#source instanceof CsvRows ? this.#source.notes() : [];
    if (this.#long > 0) notes.push(`${counted(this.#long)} more fields than the header; none was dropped.`);
    if (this.#short > 0) notes.push(`${counted(this.#short)} fewer fields than the header.`);
    if (this.#zeros > 0) notes.push(zeroWords(this.#zeros));
    return notes;
  }

  /** To SQLite a zero character ends the value. */
  #withoutZeros(text: string): string {
    if (!text.includes('\0')) return text;
    const parts = text.split('\0');
    this.#zeros += parts.length - 1;
    return parts.join('\uFFFD');
  }

  /** @param rows changed in place */
  #shape(rows: string[][]): DocumentBatch[] {
    const filled = rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '');
    this.#columns ??= this.#header(filled);
    const width = this.columns.length;
    const extra: ExtraFields[] = [];
    filled.forEach((row, at) => {
      if (row.length === width) return;
      const more = this.#fit(row, width);
      if (more.length > 0) extra.push({ row: at, fields: more });
    });
    this.rows += filled.length;
    this.#long += extra.length;
    return filled.length === 0 ? [] : [{ kind: 'rows', rows: filled, extra }];
  }

  /** Removes the first row. Empty names at its end have no column: many reports end each line with a tab. */
  #header(rows: string[][]): string[] | undefined {
    const header = rows.shift();
    if (header === undefined) return undefined;
    const names = header.map((name) => name.trim());
    const last = names.findLastIndex((name) => name !== '');
    if (last + 1 > this.#mostColumns) throw tooManyColumns(`${last + 1}`, this.#mostColumns);
    return names.slice(0, last + 1);
  }

  /** The fields beyond the header's, unless all are empty. */
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

function zeroWords(zeros: number): string {
  const were = zeros === 1 ? '1 zero character was' : `${zeros} zero characters were`;
  return `${were} in the document and read as "\uFFFD".`;
}

// Rows of a CSV document, by papaparse in pieces that end with a whole record, so that no open quote is read for ever.

class CsvRows {
  readonly #limits: DocumentLimits;
  readonly #parse: (text: string, last: boolean) => Papa.ParseResult<unknown>;
  readonly #delimiter: string;
  #carry = '';
  #given = 0;
  #malformed = 0;

  constructor(delimiter: string, limits: DocumentLimits) {
    this.#limits = limits;
    this.#delimiter = delimiter;
    const parser = new Papa.Parser({ delimiter, newline: '\n', quoteChar: '"' });
    this.#parse = (text, last) => parser.parse(text, 0, !last);
  }

  push(text: string): string[][] {
    const all = this.#carry + text;
    // Half of a line break may come with the next piece.
    const half = all.endsWith('\r') ? '\r' : '';
    const ready = withPlainBreaks(half === '' ? all : all.slice(0, -1));
    const { data, meta, errors } = this.#parse(ready, false);
    this.#carry = ready.slice(meta.cursor) + half;
    const rows = this.#take(data, errors);
    if (this.#carry.length > this.#limits.rowCharacters) throw this.#tooLong();
    return rows;
  }

  end(): string[][] {
    const { data, errors } = this.#parse(withPlainBreaks(this.#carry), true);
    this.#carry = '';
    if (errors.some((error) => error.code === 'MissingQuotes')) {
      throw new DocumentError(
        'damaged',
        `Row ${this.#given + data.length} of the document opens a quote that is never closed.`,
        `${LOST} ${AGAIN}`,
      );
    }
    return this.#take(data, errors);
  }

  notes(): string[] {
    return this.#malformed === 0
      ? []
      : [
          `In ${this.#malformed} places a quote stands where CSV allows none; fields around it may be joined.`,
        ];
  }

  #take(rows: unknown[], errors: readonly Papa.ParseError[]): string[][] {
    this.#malformed += errors.filter((error) => error.code === 'InvalidQuotes').length;
    const records = rows.filter(isRecord);
    const long = records.findIndex((record) => this.#isTooLong(record));
    if (long !== -1) {
      this.#given += long;
      throw this.#tooLong();
    }
    this.#given += records.length;
    return records;
  }

  /** No field can be longer than the row, and most rows are short. */
  #isTooLong(record: readonly string[]): boolean {
    let length = record.length;
    for (const field of record) length += field.length;
    return length > this.#limits.rowCharacters;
  }

  #tooLong(): DocumentError {
    const { columns, rowCharacters } = this.#limits;
    const fields = this.#given === 0 ? this.#carry.split(this.#delimiter).length : 0;
    if (fields > columns && !this.#carry.includes('"')) return tooManyColumns(`at least ${fields}`, columns);
    return new DocumentError(
      'too-large',
      `Row ${this.#given + 1} of the document has more than ${rowCharacters} characters, which is the limit. ` +
        'Probably it opens a quote that is never closed.',
      `${LOST} ${AGAIN}`,
    );
  }
}

const LOST = 'Nothing was loaded, since rows after it could not be told apart.';
const AGAIN = 'Ask for a new report.';

function isRecord(row: unknown): row is string[] {
  return Array.isArray(row);
}

/** papaparse knows one kind of line break at a time. */
function withPlainBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

// Rows of a tab-separated document, which has no quoting: a quote is a sign like any other.

class TabRows {
  readonly #lines: LineSplitter;
  readonly #limits: DocumentLimits;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
    this.#lines = new LineSplitter(limits.rowCharacters, 'Line');
  }

  push(text: string): string[][] {
    try {
      return this.#lines.push(text).map(fieldsOf);
    } catch (error) {
      throw this.#explain(error, this.#lines.unfinished);
    }
  }

  end(): string[][] {
    return this.#lines.end().map(fieldsOf);
  }

  /** A header over the limit of a line has above all too many columns. */
  #explain(error: unknown, line: string): unknown {
    const columns = line.split('\t').length;
    const isHeader = error instanceof DocumentError && this.#lines.given === 0;
    return isHeader && columns > this.#limits.columns
      ? tooManyColumns(`at least ${columns}`, this.#limits.columns)
      : error;
  }
}

const fieldsOf = (line: string) => line.split('\t');

function tooManyColumns(count: string, most: number): DocumentError {
  return new DocumentError(
    'too-large',
    `The document has ${count} columns; at most ${most} fit into a table.`,
    'Nothing was loaded. Ask for a report type or options with fewer columns.',
  );
}
