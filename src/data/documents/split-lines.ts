/** Splits pieces of text into lines, for documents in which a line break always ends a record. */

import { DocumentError } from './document-error.ts';

/** Returns whole lines; text after the last line break waits for the next piece. */
export class LineSplitter {
  readonly #limit: number;
  readonly #what: string;
  #carry = '';
  #given = 0;
  #separator: '\n' | '\r' | undefined;

  /** @param limit max characters of one line. @param what the name of a line in the error */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  /** The number of lines returned so far. */
  get given(): number {
    return this.#given;
  }

  /** The line that has no end yet. */
  get unfinished(): string {
    return this.#carry;
  }

  /** @throws DocumentError for a line over the limit */
  push(piece: string): string[] {
    const text = this.#carry + piece;
    this.#separator ??= separatorOf(text);
    const end = text.lastIndexOf(this.#separator ?? '\n');
    this.#carry = text.slice(end + 1);
    return this.#checked(end === -1 ? [] : text.slice(0, end).split(this.#separator ?? '\n'));
  }

  end(): string[] {
    const last = this.#carry;
    this.#carry = '';
    return this.#checked(last === '' ? [] : [last]);
  }

  #checked(lines: string[]): string[] {
    const long = lines.findIndex((line) => line.length > this.#limit);
    if (long !== -1 || this.#carry.length > this.#limit) {
      const lineNumber = this.#given + (long === -1 ? lines.length : long) + 1;
      throw new DocumentError(
        'too-large',
        `${this.#what} ${lineNumber} has more than ${this.#limit} characters, which is the limit.`,
        'Nothing was loaded. No real report has such lines: ask for a new one.',
      );
    }
    this.#given += lines.length;
    return lines.map(withoutReturn);
  }
}

/**
 * Returns undefined until a line has ended; a `\r` at the very end may be half of `\r
 * `.
 */
function separatorOf(text: string): '\n' | '\r' | undefined {
  if (text.includes('\n')) return '\n';
  const at = text.indexOf('\r');
  return at === -1 || at === text.length - 1 ? undefined : '\r';
}

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === 0x0d ? line.slice(0, -1) : line;
}
