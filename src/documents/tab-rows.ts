/** Rows of a tab-separated document, which has no quoting: a quote is a sign like any other. */

import { DocumentError } from './document-error.ts';
import type { DocumentLimits } from './limits.ts';
import { tooManyColumns } from './shape-rows.ts';
import { LineSplitter } from './split-lines.ts';

export class TabRows {
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
