/** The signs that JSON is built of, and where its texts begin and end. */

/** UTF-16 codes, which for these are the ASCII ones. */
export const SIGN = {
  lastSpace: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Whether the current sign belongs to a text, in which nothing else has a meaning. */
export class JsonString {
  #open = false;
  #escaped = false;

  get isOpen(): boolean {
    return this.#open;
  }

  /** True for the quotes around a text too. */
  takes(sign: number): boolean {
    if (!this.#open) {
      this.#open = sign === SIGN.quote;
      return this.#open;
    }
    if (this.#escaped) this.#escaped = false;
    else if (sign === SIGN.backslash) this.#escaped = true;
    else if (sign === SIGN.quote) this.#open = false;
    return true;
  }
}
