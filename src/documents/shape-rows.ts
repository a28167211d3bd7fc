/** Rows as wide as their header: what is missing is filled up, what is too much is kept apart, and both are counted. */

import { DocumentError } from './document-error.ts';
import type { DocumentBatch, ExtraFields } from './types.ts';

/** Takes the rows of one document, the header first. */
export class RowShaper {
  readonly #mostColumns: number;
  #columns: readonly string[] | undefined;
  #rows = 0;
  #short = 0;
  #long = 0;

  constructor(mostColumns: number) {
    this.#mostColumns = mostColumns;
  }

  /** Undefined until a row came that is not empty. */
  get columns(): readonly string[] | undefined {
    return this.#columns;
  }

  get rows(): number {
    return this.#rows;
  }

  get shortRows(): number {
    return this.#short;
  }

  get longRows(): number {
    return this.#long;
  }

  /** @param rows changed in place. @throws DocumentError for a header of too many columns */
  push(rows: string[][]): Extract<DocumentBatch, { kind: 'rows' }> {
    const filled = rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '');
    this.#columns ??= this.#header(filled);
    const width = this.#columns?.length ?? 0;
    const extra: ExtraFields[] = [];
    filled.forEach((row, at) => {
      if (row.length === width) return;
      const more = this.#fit(row, width);
      if (more.length > 0) extra.push({ row: at, fields: more });
    });
    this.#rows += filled.length;
    this.#long += extra.length;
    return { kind: 'rows', rows: filled, extra };
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

export function tooManyColumns(count: string, most: number): DocumentError {
  return new DocumentError(
    'too-large',
    `The document has ${count} columns; at most ${most} fit into a table.`,
    'Nothing was loaded. Ask for a report type or options with fewer columns.',
  );
}
