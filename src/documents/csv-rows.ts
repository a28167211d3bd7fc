/** Rows of a CSV document, by papaparse in pieces that end with a whole record, so that no open quote is read for ever. */

import Papa from 'papaparse';
import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { tooManyColumns } from './shape-rows.ts';

export class CsvRows {
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
