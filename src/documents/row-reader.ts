/** A table out of pieces of text: header, rows of its width, what was unusual. */

import { CsvRows } from './csv-rows.ts';
import type { DocumentLimits } from './limits.ts';
import { RowShaper } from './shape-rows.ts';
import { TabRows } from './tab-rows.ts';
import type { DocumentBatch } from './types.ts';

export class RowReader {
  readonly #rows: TabRows | CsvRows;
  readonly #shaper: RowShaper;

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
    return this.#shaped(this.#rows.push(text));
  }

  end(): DocumentBatch[] {
    return this.#shaped(this.#rows.end());
  }

  notes(): string[] {
    const notes = this.#rows instanceof CsvRows ? this.#rows.notes() : [];
    if (this.longRows > 0)
      notes.push(`${counted(this.longRows)} more fields than the header; none was dropped.`);
    if (this.shortRows > 0) notes.push(`${counted(this.shortRows)} fewer fields than the header.`);
    return notes;
  }

  #shaped(rows: string[][]): DocumentBatch[] {
    const batch = this.#shaper.push(rows);
    return batch.rows.length === 0 ? [] : [batch];
  }
}

function counted(rows: number): string {
  return rows === 1 ? '1 row has' : `${rows} rows have`;
}
