/** A table out of pieces of text: header, rows of its width, what was unusual. */

import { CsvRows } from './csv-rows.ts';
import type { DocumentLimits } from './limits.ts';
import { RowShaper } from './shape-rows.ts';
import { TabRows } from './tab-rows.ts';
import type { DocumentBatch } from './types.ts';

export class RowReader {
  readonly #rows: TabRows | CsvRows;
  readonly #shaper: RowShaper;
  #zeros = 0;

  constructor(format: 'tab' | 'csv', delimiter: string, limits: DocumentLimits) {
    this.#rows = format === 'tab' ? new TabRows(limits) : new CsvRows(delimiter, limits);
    this.#shaper = new RowShaper(limits.columns);
  }

  get columns(): readonly string[] {
    return this.#shaper.columns ?? [];
  }

  get rows(): number {
    return this.#shaper.rows;
  }

  get shortRows(): number {
    return this.#shaper.shortRows;
  }

  get longRows(): number {
    return this.#shaper.longRows;
  }

  push(text: string): DocumentBatch[] {
    return this.#shaped(this.#rows.push(this.#withoutZeros(text)));
  }

  end(): DocumentBatch[] {
    return this.#shaped(this.#rows.end());
  }

  notes(): string[] {
    const notes = this.#rows instanceof CsvRows ? this.#rows.notes() : [];
    if (this.longRows > 0)
      notes.push(`${counted(this.longRows)} more fields than the header; none was dropped.`);
    if (this.shortRows > 0) notes.push(`${counted(this.shortRows)} fewer fields than the header.`);
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

  #shaped(rows: string[][]): DocumentBatch[] {
    const batch = this.#shaper.push(rows);
    return batch.rows.length === 0 ? [] : [batch];
  }
}

function counted(rows: number): string {
  return rows === 1 ? '1 row has' : `${rows} rows have`;
}

function zeroWords(zeros: number): string {
  const were = zeros === 1 ? '1 zero character was' : `${zeros} zero characters were`;
  return `${were} in the document and read as "\uFFFD".`;
}
