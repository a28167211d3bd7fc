/** The items of one JSON list, cut out while it is read and parsed one by one. */

import { DocumentError } from './document-error.ts';
import { JsonString, SIGN } from './json-signs.ts';
import type { DocumentLimits } from './limits.ts';
import { parseItem, tooDeep } from './parse-item.ts';

/** Begins behind the opening bracket. */
export class ListItems {
  readonly #limits: DocumentLimits;
  /** Levels that are open, the list's own included. */
  readonly #outerDepth: number;
  readonly #string = new JsonString();
  /** Levels that are open inside the current item. */
  #depth = 0;
  /** The current item so far. */
  #item = '';
  #items: unknown[] = [];
  #count = 0;
  #closed = false;

  constructor(outerDepth: number, limits: DocumentLimits) {
    this.#outerDepth = outerDepth;
    this.#limits = limits;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Reads on up to the closing bracket or the end of the piece; gives the place behind it. @throws DocumentError */
  read(text: string, start: number): number {
    let from = start;
    for (let at = start; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (this.#string.takes(sign)) continue;
      if (sign === SIGN.openObject || sign === SIGN.openList) this.#deeper();
      else if (this.#depth > 0) {
        if (sign === SIGN.closeObject || sign === SIGN.closeList) this.#depth--;
      } else if (sign === SIGN.comma || sign === SIGN.closeList) {
        this.#closed = sign === SIGN.closeList;
        this.#finish(text.slice(from, at));
        from = at + 1;
        if (this.#closed) return from;
      }
    }
    this.#item += text.slice(from);
    this.#checkLength(this.#item);
    return text.length;
  }

  /** The items that are whole since the last time. */
  take(): unknown[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #deeper(): void {
    this.#depth++;
    if (this.#outerDepth + this.#depth > this.#limits.depth) throw tooDeep(this.#limits);
  }

  #finish(end: string): void {
    const text = this.#item + end;
    this.#item = '';
    this.#checkLength(text);
    if (this.#closed && this.#count === 0 && text.trim() === '') return;
    this.#items.push(parseItem(text, this.#limits, () => `item ${this.#count + 1} of a list`));
    this.#count++;
  }

  #checkLength(item: string): void {
    const { itemCharacters } = this.#limits;
    if (item.length <= itemCharacters) return;
    throw new DocumentError(
      'too-large',
      `Item ${this.#count + 1} of a list in the JSON document has more than ${itemCharacters} characters, which is the limit.`,
    );
  }
}
