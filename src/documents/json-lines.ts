/** The items of a JSON lines document: each line that is not empty is one. */

import type { DocumentLimits } from './limits.ts';
import { parseItem } from './parse-item.ts';
import { LineSplitter } from './split-lines.ts';
import type { DocumentBatch } from './types.ts';

export class JsonLines {
  readonly #limits: DocumentLimits;
  readonly #lines: LineSplitter;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
    this.#lines = new LineSplitter(limits.itemCharacters, 'Line');
  }

  /** @throws DocumentError */
  push(text: string): DocumentBatch[] {
    const before = this.#lines.given;
    return this.#parse(this.#lines.push(text), before);
  }

  /** @throws DocumentError */
  end(): DocumentBatch[] {
    const before = this.#lines.given;
    return this.#parse(this.#lines.end(), before);
  }

  #parse(lines: readonly string[], before: number): DocumentBatch[] {
    const items: unknown[] = [];
    lines.forEach((line, at) => {
      if (line.trim() !== '') items.push(parseItem(line, this.#limits, () => `line ${before + at + 1}`));
    });
    return items.length === 0 ? [] : [{ kind: 'items', list: '', items }];
  }
}
