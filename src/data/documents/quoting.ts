/**
 * Handles quotes around the values of a delimited document: which text they enclose and which columns use
 * them.
 */

const QUOTE = 0x22;

/** Returns true for a value that is enclosed in quotes as a whole. */
export function isWrapped(field: string): boolean {
  const last = field.length - 1;
  return last > 0 && field.charCodeAt(0) === QUOTE && field.charCodeAt(last) === QUOTE;
}

/** Counts the quotes at the end of the text, down to index `from`. */
export function quotesAtEnd(text: string, from = 0): number {
  let at = text.length;
  while (at > from && text.charCodeAt(at - 1) === QUOTE) at -= 1;
  return text.length - at;
}

/** Returns true if every quote of the text is doubled, as CSV demands inside of quotes. */
export function areDoubled(text: string): boolean {
  let run = 0;
  for (let at = text.indexOf('"'); at !== -1 && at < text.length; at++) {
    if (text.charCodeAt(at) === QUOTE) run += 1;
    else if (run % 2 === 1) return false;
    else run = 0;
  }
  return run % 2 === 0;
}

/**
 * Returns the value without its quotes. Some writers do not double inner quotes, so a single one stays
 * unchanged.
 */
export function unwrap(field: string): string {
  const inner = field.slice(1, -1);
  return inner.includes('"') && areDoubled(inner) ? inner.replaceAll('""', '"') : inner;
}

/**
 * The way in which the values of one column are written. `all`: in quotes, so that a quoted value loses them.
 * `special`: only a value with quotes inside is quoted. `none`: a quote is a character like any other.
 */
type ColumnQuoting = 'none' | 'special' | 'all';

/** The quoting by column index; columns beyond its end have `none`. */
export type Quoting = readonly ColumnQuoting[];

/** Matches numbers, dates and times, which need no quotes. */
const NEEDS_NONE = /^[-+\d.,:/]*$/;

/**
 * Learns from all rows how each column is written, because the first quotes of a document may come near its
 * end.
 */
export class QuotingEvidence {
  /** Columns in which every value so far is quoted. */
  #wrapped: number[];
  readonly #filled: number[];
  /** Columns with a quoted value whose inner quotes are doubled, and columns with any other quote. */
  readonly #escaped = new Set<number>();
  readonly #bare = new Set<number>();
  #first: readonly string[] | undefined;

  constructor(width: number) {
    this.#wrapped = Array.from({ length: width }, (_, at) => at);
    this.#filled = new Array<number>(width).fill(0);
  }

  /**
   * @param row a row as wide as the header, as written in the document
   * @param quoted the indexes of its fields that contain a quote
   */
  see(row: readonly string[], quoted: readonly number[]): void {
    this.#first ??= [...row];
    if (this.#wrapped.length > 0) this.#seeWrapped(row);
    for (const at of quoted) {
      if (this.#bare.has(at)) continue;
      const field = row[at] ?? '';
      const inner = isWrapped(field) ? field.slice(1, -1) : undefined;
      if (inner === undefined || !areDoubled(inner)) this.#bare.add(at);
      else if (inner.includes('"')) this.#escaped.add(at);
    }
  }

  #seeWrapped(row: readonly string[]): void {
    let isLess = false;
    for (const at of this.#wrapped) {
      const field = row[at] ?? '';
      if (field === '') continue;
      if (isWrapped(field)) this.#filled[at] = (this.#filled[at] ?? 0) + 1;
      else {
        this.#filled[at] = -1;
        isLess = true;
      }
    }
    if (isLess) this.#wrapped = this.#wrapped.filter((at) => this.#filled[at] !== -1);
  }

  verdict(): Quoting {
    return this.#filled.map((filled, at) => {
      if (filled > 1 || (filled === 1 && this.#isFirstWrapped())) return 'all';
      return this.#escaped.has(at) && !this.#bare.has(at) ? 'special' : 'none';
    });
  }

  /** A single quoted value is evidence about its column only if the texts beside it are quoted as well. */
  #isFirstWrapped(): boolean {
    return isRowWrapped(this.#first ?? []);
  }
}

/** Returns true for a row in which all texts are quoted. */
export function isRowWrapped(row: readonly string[]): boolean {
  return row.some(isWrapped) && row.every((field) => isWrapped(field) || NEEDS_NONE.test(field));
}
